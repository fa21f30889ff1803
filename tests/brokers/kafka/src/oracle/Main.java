package oracle;

import java.io.File;
import java.nio.file.*;
import java.util.*;

public final class Main {
    public static void main(String[] a) throws Exception {
        LogCapture.install();
        int rc = 0;
        try { run(a); } catch (Throwable t) { t.printStackTrace(); rc = 1; }
        System.out.flush();
        Runtime.getRuntime().halt(rc);          // the real classes leave non-daemon threads behind
    }

    /** Always the same folder for a version (the real classes keep files in hash sets, whose order follows the path); one run at a time. */
    private static Path temp() throws Exception {
        Path p = Paths.get(System.getProperty("java.io.tmpdir"), "oracle-kafka");
        Files.createDirectories(p);
        java.nio.channels.FileChannel.open(p.resolve(Plan.VERSION + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE).lock();
        Fs.rm(p.resolve(Plan.VERSION));
        return Files.createDirectories(p.resolve(Plan.VERSION));
    }

    private static void run(String[] a) throws Exception {
        switch (a[0]) {
            case "gen": Gen.run(Paths.get(a[1]), Long.parseLong(a[2])); break;
            case "scenarios": for (Scenarios.S s : Scenarios.all()) System.out.println(s.name + "\t" + s.source + "\t" + s.topics + "\t" + s.why); break;
            case "lay": {                                       // lay SCENARIO SEED OUT: a damaged log directory
                Path tmp = temp();
                Ctx c = new Corpus(tmp).lay(a[1], Long.parseLong(a[2]), Paths.get(a[3]));
                System.out.print(Json.pretty(Json.obj("victim", c.victim, "edits", c.edits, "overrides", c.overrides), 2));
                Fs.rm(tmp);
                break;
            }
            case "recover": {                                   // recover DIR [topic.setting=value ...]
                Map<String, Map<String, String>> o = new TreeMap<>();
                for (int i = 2; i < a.length; i++) {
                    String k = a[i].substring(0, a[i].indexOf('='));
                    o.computeIfAbsent(k.substring(0, k.indexOf('.')), x -> new TreeMap<>()).put(k.substring(k.indexOf('.') + 1), a[i].substring(a[i].indexOf('=') + 1));
                }
                Path tmp = temp();
                System.out.print(Json.pretty(Recover.run(Paths.get(a[1]), tmp.resolve("run"), o), 5));
                Fs.rm(tmp);
                break;
            }
            case "group-records": GroupRecords.write(System.out); break;     // records of __consumer_offsets
            case "metadata-records": MetadataRecords.write(System.out); break; // records of __cluster_metadata
            case "dump": Corpus.dump(Paths.get(a[1]), System.out); break;
            case "case": {                                      // case SCENARIO SEED OUT
                Path tmp = temp();
                System.out.println(a[1] + " " + new Corpus(tmp).make(a[1], Long.parseLong(a[2]), Paths.get(a[3])));
                Fs.rm(tmp);
                break;
            }
            case "corpus": {                                    // corpus OUT NAME... : named scenarios, or all of them
                Path tmp = temp();
                new Corpus(tmp).named(Paths.get(a[1]), Arrays.asList(a).subList(2, a.length));
                Fs.rm(tmp);
                break;
            }
            case "fuzz": {                                      // fuzz OUT FROM TO: one case a seed
                Path tmp = temp();
                new Corpus(tmp).fuzz(Paths.get(a[1]), Long.parseLong(a[2]), Long.parseLong(a[3]));
                Fs.rm(tmp);
                break;
            }
            default: throw new IllegalArgumentException("unknown command " + a[0]);
        }
    }
}
