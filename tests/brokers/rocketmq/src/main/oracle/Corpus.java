package oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Builds cases: DIR/{store.tar.zst,case.json,golden.json.gz,dump.jsonl.gz}. */
final class Corpus {
    /** So many fuzz seeds in a row share their base stores, to save time. */
    static final int SEEDS_PER_BASE = 8;
    /** Seeds below it are for named scenarios, which have more bases. */
    static final long FIRST_FUZZ_BASE = 100;

    private Corpus() { }

    private static Map<String, Path> bases(long seed, Path tmp, Map<Long, Map<String, Path>> cache) throws Exception {
        if (!cache.containsKey(seed)) {
            Map<String, Path> r = Gen.bases(Geometry.forSeed(seed), seed, tmp.resolve("base-" + seed));
            if (seed < FIRST_FUZZ_BASE) {
                r.put("many", Gen.bases(Geometry.forBase("many", seed), seed, tmp.resolve("basem-" + seed)).get("crash"));
                Gen.bases(Geometry.forBase("small-", seed), seed, tmp.resolve("bases-" + seed)).forEach((k, v) -> r.put("small-" + k, v));
                r.put("tiny", Gen.bases(Geometry.forBase("tiny", seed), seed, tmp.resolve("baset-" + seed)).get("clean"));
                if (Geometry.knowsPropCrc()) {
                    r.put("propcrc", Gen.bases(Geometry.forBase("propcrc", seed), seed, tmp.resolve("basep-" + seed)).get("crash"));
                }
            }
            cache.put(seed, r);
        }
        return cache.get(seed);
    }

    /** A case keeps what a start did, and neither what it logged nor what differs from run to run. */
    private static Map<String, Object> kept(Map<String, Object> golden, String name) {
        Map<String, Object> m = new LinkedHashMap<>(golden);
        m.remove("volatile");
        m.remove("log");
        m.put("scenario", name);
        return m;
    }

    private static void build(String name, String base, String what, long seed, long baseSeed, Geometry made, Path from, Path out, Path tmp,
        java.util.function.Consumer<Surgery> act) throws Exception {
        Path store = tmp.resolve("case-" + name);
        Fs.delete(store);
        Fs.copy(from, store);
        Surgery s = new Surgery(store, made.copy(), seed * 7919 + name.hashCode());
        act.accept(s);
        Geometry g = s.g;
        Map<String, Object> golden = Recover.recover(store, g, tmp.resolve("work-" + name));
        golden = kept(golden, name);
        Map<String, Object> c = Json.obj("schema", 1, "version", System.getProperty("oracle.version"), "scenario", name, "seed", seed,
            "baseSeed", baseSeed, "base", base, "what", what, "geometry", g.json(), "surgery", s.ops);
        Json.save(out.resolve("golden.json.gz"), Json.compact(golden) + "\n");
        if (name.startsWith("fuzz-")) {
            // What a decoder makes of damage is compared too, wherever the real one comes back with an answer.
            Json.save(out.resolve("dump.jsonl.gz"), Dump.dump(store));
        }
        Json.save(out.resolve("case.json"), Json.pretty(c));
        Fs.tarZst(store, out.resolve("store.tar.zst"));
        Fs.delete(store);
    }

    static void one(String name, long seed, Path out, Path tmp) throws Exception {
        Scenarios.S s = Scenarios.ALL.get(name);
        build(name, s.base, s.what, seed, seed, Geometry.forBase(s.base, seed), bases(seed, tmp, new LinkedHashMap<>()).get(s.base), out, tmp, s.act);
    }

    private static long fuzzBase(long seed) {
        return FIRST_FUZZ_BASE + seed / SEEDS_PER_BASE;
    }

    private static String fuzzKind(long seed) {
        return new String[] {"crash", "clean", "crash", "lag"}[(int) (seed % 4)];
    }

    static void fuzzOne(long seed, Path out, Path tmp) throws Exception {
        fuzz(seed, out, tmp, new LinkedHashMap<>());
    }

    private static void fuzz(long seed, Path out, Path tmp, Map<Long, Map<String, Path>> cache) throws Exception {
        build(String.format("fuzz-%03d", seed), fuzzKind(seed), "random surgery", seed, fuzzBase(seed),
            Geometry.forSeed(fuzzBase(seed)), bases(fuzzBase(seed), tmp, cache).get(fuzzKind(seed)), out, tmp, Fuzz::act);
    }

    /** corpus OUT named SEED [NAME…] | corpus OUT fuzz FROM TO (TO included). */
    static int run(String[] a, Path tmp) throws Exception {
        Path out = Path.of(a[0]).toAbsolutePath().normalize();
        Map<Long, Map<String, Path>> cache = Collections.synchronizedMap(new LinkedHashMap<>());
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<?>> all = new ArrayList<>();
        List<String> names = new ArrayList<>();
        if (a[1].equals("named")) {
            long seed = Long.parseLong(a[2]);
            Map<String, Path> b = bases(seed, tmp, cache);
            List<String> want = a.length > 3 ? Arrays.asList(a).subList(3, a.length) : new ArrayList<>(Scenarios.ALL.keySet());
            for (String n : want) {
                Scenarios.S s = Scenarios.ALL.get(n);
                names.add(n);
                all.add(pool.submit(() -> {
                    build(n, s.base, s.what, seed, seed, Geometry.forBase(s.base, seed), b.get(s.base), out.resolve(n), tmp, s.act);
                    return null;
                }));
            }
        } else {
            long from = Long.parseLong(a[2]);
            long to = Long.parseLong(a[3]);
            for (long i = from; i <= to; i++) {
                bases(fuzzBase(i), tmp, cache);
            }
            for (long i = from; i <= to; i++) {
                long seed = i;
                names.add("fuzz-" + i);
                all.add(pool.submit(() -> {
                    fuzz(seed, out.resolve(String.format("fuzz-%03d", seed)), tmp, cache);
                    return null;
                }));
            }
        }
        int bad = 0;
        for (int i = 0; i < all.size(); i++) {
            try {
                all.get(i).get();
            } catch (Exception e) {
                bad++;
                System.err.println("case " + names.get(i) + " failed:");
                e.printStackTrace();
            }
        }
        System.out.println(System.getProperty("oracle.version") + " " + a[1] + " " + a[2] + ": " + (all.size() - bad) + " cases, " + bad + " failed");
        return bad == 0 ? 0 : 1;
    }
}
