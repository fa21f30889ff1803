package oracle;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;

/** Makes cases: a damaged log directory, the golden of its recovery (run twice and compared) and its dump. */
final class Corpus {
    private final Path tmp;
    private final Map<Long, Path> bases = new HashMap<>();

    Corpus(Path tmp) { this.tmp = tmp; }

    private Path base(long seed) throws Exception {
        Path p = bases.get(seed);
        if (p == null) {
            p = tmp.resolve("base-" + seed);
            Gen.run(p, seed);
            bases.put(seed, p);
        }
        return p;
    }

    static long hash(String s) { CRC32 c = new CRC32(); c.update(s.getBytes(StandardCharsets.UTF_8)); return c.getValue(); }

    /** Lays one case in dir; returns its edits and settings. */
    Ctx lay(String scenario, long seed, Path dir) throws Exception {
        Random rnd = new Random(hash(scenario) * 1000003L + seed);
        boolean fuzz = scenario.startsWith("fuzz");
        Scenarios.S s = null;
        if (!fuzz) for (Scenarios.S x : Scenarios.all()) if (x.name.equals(scenario)) s = x;
        if (!fuzz && s == null) throw new IllegalArgumentException("unknown scenario " + scenario);
        Path base = base(seed * 100 + rnd.nextInt(6));
        Path from = base.resolve(fuzz ? (rnd.nextInt(5) == 0 ? "clean" : "crash") : s.source);
        Fs.rm(dir);
        Files.createDirectories(dir);
        List<String> have = new ArrayList<>();
        for (Path p : Fs.ls(from)) if (Files.isDirectory(p)) have.add(p.getFileName().toString());
        List<String> may = new ArrayList<>();
        for (String t : (fuzz ? "mix txn legacy trimmed compact" : s.topics.equals("*") ? "mix" : s.topics).split(" ")) if (have.contains(t + "-0")) may.add(t + "-0");
        if (may.isEmpty()) may.add("mix-0");
        String victim = may.get(rnd.nextInt(may.size()));
        Set<String> keep = new TreeSet<>(Collections.singleton(victim));
        if (!fuzz && s.topics.equals("*")) keep.addAll(have);
        else if (rnd.nextInt(8) == 0) keep.add(have.get(rnd.nextInt(have.size())));
        for (Path p : Fs.ls(from)) {
            String n = p.getFileName().toString();
            if (!Files.isDirectory(p)) Files.copy(p, dir.resolve(n));
            else if (keep.contains(n)) Fs.cp(p, dir.resolve(n));
        }
        Ctx c = new Ctx(dir, base, rnd, victim);
        if (fuzz) Scenarios.fuzz(c, new ArrayList<>(keep)); else s.edit.on(c);
        Fs.touch(dir);
        return c;
    }

    static void dump(Path where, PrintStream out) throws Exception {
        Path dir = where.toAbsolutePath();
        Broker b = Broker.of(dir.toFile(), new HashMap<>());
        LogCapture.IT.reset(dir.toString());
        java.util.function.Consumer<Map<String, Object>> sink = m -> {
            if (m.containsKey("error")) m.put("error", LogCapture.IT.clean((String) m.get("error")));
            out.println(Json.line(m));
        };
        for (Path p : Fs.ls(dir)) if (Files.isDirectory(p))
            for (Path f : Fs.files(p, ".log")) {
                out.println(Json.line(Json.obj("t", "log", "file", dir.relativize(f).toString(), "size", Files.size(f))));
                b.dump(f.toFile(), sink);
            }
    }

    /** Writes OUT/NAME/{store/, golden.json, dump.jsonl}; returns the golden's result. */
    String make(String scenario, long seed, Path out) throws Exception {
        Path dir = tmp.resolve("case/log");
        Fs.rm(dir.getParent());
        Files.createDirectories(dir.getParent());
        Ctx c = lay(scenario, seed, dir);
        Map<String, Object> g1 = Recover.run(dir, tmp.resolve("run"), c.overrides), g2 = Recover.run(dir, tmp.resolve("run"), c.overrides);
        if (!Json.line(g1).equals(Json.line(g2))) throw new IllegalStateException("two starts, two outcomes: " + scenario + "\n" + Json.line(g1) + "\n" + Json.line(g2));
        Map<String, Object> g = Json.obj("oracle", 1, "scenario", scenario, "seed", seed, "victim", c.victim, "edits", c.edits);
        g.putAll(g1);
        Path to = out.resolve(scenario);
        Fs.rm(to);
        Files.createDirectories(to);
        Fs.write(to.resolve("golden.json"), Json.pretty(g, 3));
        ByteArrayOutputStream d = new ByteArrayOutputStream();
        PrintStream ps = new PrintStream(d, false, "UTF-8");
        dump(dir, ps);
        ps.flush();
        Fs.write(to.resolve("dump.jsonl"), d.toByteArray());
        Fs.cp(dir, to.resolve("store"));
        Fs.rm(dir.getParent());
        return (String) g1.get("result");
    }

    void named(Path out, List<String> names) throws Exception {
        for (Scenarios.S s : Scenarios.all()) if (names.isEmpty() || names.contains(s.name)) System.out.println(s.name + " " + make(s.name, 1, out));
    }

    /** How many seeds damage the same six stores: making those takes longer than a case. */
    private static final int SEEDS_A_BASE = 50;

    void fuzz(Path out, long from, long to) throws Exception {
        Map<String, Integer> results = new TreeMap<>();
        for (long seed = from; seed <= to; seed++) results.merge(make("fuzz-" + seed, seed / SEEDS_A_BASE, out), 1, Integer::sum);
        System.out.println("Kafka " + Plan.VERSION + ", seeds " + from + " to " + to + ": " + results);
    }
}
