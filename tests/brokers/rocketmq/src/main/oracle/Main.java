package oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public final class Main {
    private Main() { }

    private static Path p(String s) {
        return Path.of(s).toAbsolutePath().normalize();
    }

    private static Geometry geometry(String[] a, int from) {
        return Geometry.of(Arrays.copyOfRange(a, Math.min(from, a.length), a.length));
    }

    public static void main(String[] a) throws Exception {
        Compat.initLogging();
        String usage = "gen SEED OUT [geometry…] | recover STORE OUT.json [geometry…] | dump STORE OUT.jsonl | scenario NAME SEED OUT"
            + " | fuzz SEED OUT | corpus OUT named SEED [NAME…] | corpus OUT fuzz FROM TO"
            + " | list";
        if (a.length == 0) {
            System.err.println(usage);
            System.exit(2);
        }
        Path tmp = Files.createTempDirectory("rmq-oracle-");
        int rc = 0;
        try {
            switch (a[0]) {
                case "gen": {
                    long seed = Long.parseLong(a[1]);
                    Geometry g = a.length > 3 ? geometry(a, 3) : Geometry.forSeed(seed);
                    Gen.bases(g, seed, p(a[2])).forEach((k, v) -> System.out.println(k));
                    Fs.write(p(a[2]).resolve("geometry.json"), Json.pretty(g.json()));
                    break;
                }
                case "recover":
                    Json.save(p(a[2]), Json.pretty(Recover.recover(p(a[1]), geometry(a, 3), tmp.resolve("work"))));
                    break;
                case "dump":
                    Json.save(p(a[2]), Dump.dump(p(a[1])));
                    break;
                case "list":
                    Scenarios.ALL.forEach((k, v) -> System.out.println(k + "\t" + v.base + "\t" + v.what));
                    break;
                case "scenario":
                    Corpus.one(a[1], Long.parseLong(a[2]), p(a[3]), tmp);
                    break;
                case "fuzz":
                    Corpus.fuzzOne(Long.parseLong(a[1]), p(a[2]), tmp);
                    break;
                case "corpus":
                    rc = Corpus.run(Arrays.copyOfRange(a, 1, a.length), tmp);
                    break;
                default:
                    System.err.println(usage);
                    rc = 2;
            }
        } catch (Throwable t) {
            t.printStackTrace();
            rc = 1;
        }
        Thread.sleep(50);
        try {
            Fs.delete(tmp);
        } catch (RuntimeException e) {
            // a store still writes there; the system's temp cleaner takes it
        }
        Runtime.getRuntime().halt(rc);
    }
}
