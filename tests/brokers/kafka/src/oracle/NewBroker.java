package oracle;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Kafka 2.8 to 4.x. */
final class NewBroker extends Broker {
    private static final String J = "org.apache.kafka.storage.internals.log.";
    private static final String REC = Dyn.cls("org.apache.kafka.common.record.internal.MemoryRecords") != null ? "org.apache.kafka.common.record.internal." : "org.apache.kafka.common.record.";
    private Object channel;

    NewBroker(File dir, Map<String, Map<String, String>> overrides) { super(dir, overrides); }

    private Object logConfig(Properties p) {
        return Dyn.stat(Dyn.need(J + "LogConfig", "kafka.log.LogConfig"), "fromProps", new HashMap<>(), p);
    }

    @Override void open() throws Exception {
        Class<?> lm = Plan.atLeast(4, 4) ? Dyn.need(J + "LogManager") : Dyn.need("kafka.log.LogManager");
        Object repo = Dyn.proxy(Dyn.need("org.apache.kafka.metadata.ConfigRepository", "kafka.server.metadata.ConfigRepository"), (n, a) -> {
            if (n.equals("topicConfig")) return props((String) a[0]);
            if (n.equals("config")) return props((String) Dyn.call(a[0], "name"));
            return new Properties();
        });
        channel = Dyn.neu(Dyn.need(J + "LogDirFailureChannel", "kafka.server.LogDirFailureChannel"), 10);
        Class<?> bts = Dyn.need("kafka.server.BrokerTopicStats", "org.apache.kafka.storage.log.metrics.BrokerTopicStats");
        Object stats = Dyn.first(() -> Dyn.neu(bts), () -> Dyn.neu(bts, false), () -> Dyn.neu(bts, Optional.empty()));
        Object def = logConfig(props("default"));
        Object clean = cleanerConfig(Dyn.need(J + "CleanerConfig", "kafka.log.CleanerConfig"));
        List<File> dirs = Arrays.asList(dir);
        boolean java = lm.getName().startsWith("org.apache");
        Object live = java ? dirs : Dyn.scalaSeq(dirs), none = java ? new ArrayList<File>() : Dyn.scalaSeq(new ArrayList<File>());
        long h = 3600000L;
        if (!Plan.atLeast(3)) {
            mgr = Dyn.neu(lm, live, none, repo, def, clean, 1, h, h, h, h, 86400000, scheduler(), stats, channel, time(), true);
        } else {
            Class<?> pc = Dyn.cls(J + "ProducerStateManagerConfig", "kafka.log.ProducerStateManagerConfig");
            Object psm = pc == null ? null : Dyn.first(() -> Dyn.neu(pc, 86400000, false), () -> Dyn.neu(pc, 86400000));
            if (!Plan.atLeast(4)) {
                List<Object> args = new ArrayList<>(Arrays.asList(live, none, repo, def, clean, 1, h, h, h, h));
                if (Plan.atLeast(3, 2)) args.add(900000);
                if (Plan.atLeast(3, 4)) args.add(psm);
                // Before, this was how long producers are remembered; since, how often one looks for those to forget.
                args.add(Plan.atLeast(3, 4) ? 600000 : 86400000);
                args.addAll(Arrays.asList(newestVersion(), scheduler(), stats, channel, time(), true));
                if (Plan.atLeast(3, 6)) args.add(false);
                if (Plan.atLeast(3, 8)) args.add(30000L);
                mgr = Dyn.neu(lm, args.toArray());
            } else if (java) {
                Object builder = Dyn.proxy(Dyn.need(J + "LogManager$LogCleanerBuilder"), (n, a) -> null);
                mgr = Dyn.neu(lm, live, none, repo, def, clean, 1, h, h, h, h, 900000, psm, 600000, scheduler(), stats, channel, time(), false, 30000L, builder);
            } else {
                Object factory = Dyn.proxy(Dyn.need("scala.Function5"), (n, a) -> null);
                mgr = Dyn.neu(lm, live, none, repo, def, clean, 1, h, h, h, h, 900000, psm, 600000, scheduler(), stats, channel, time(), false, 30000L, factory);
            }
        }
        Map<String, Object> tc = new HashMap<>();
        for (File f : Objects.requireNonNull(dir.listFiles())) if (f.isDirectory()) { String t = Plan.topicOf(f.getName()); tc.put(t, logConfig(props(t))); }
        if (java) Dyn.call(mgr, "loadLogs", def, tc, (java.util.function.Function<Object, Boolean>) l -> false);
        else if (!Plan.atLeast(3)) Dyn.call(mgr, "loadLogs", Dyn.scalaMap(tc));
        else if (!Plan.atLeast(3, 7)) Dyn.call(mgr, "loadLogs", def, Dyn.scalaMap(tc));
        else Dyn.call(mgr, "loadLogs", def, Dyn.scalaMap(tc), Dyn.proxy(Dyn.need("scala.Function1"), (n, a) -> n.equals("apply") ? (Object) false : Dyn.DEFAULT));
    }

    /** What the brokers of a cluster speak: it decides how some files are written. */
    private static Object newestVersion() {
        Class<?> mv = Dyn.cls("org.apache.kafka.server.common.MetadataVersion");
        if (mv == null) return Dyn.stat(Dyn.need("kafka.api.ApiVersion"), "latestVersion");
        return Dyn.first(() -> Dyn.stat(mv, "latestProduction"), () -> Dyn.stat(mv, "latest"));
    }

    private Object tp(String t, int p) { return Dyn.neu(Dyn.need("org.apache.kafka.common.TopicPartition"), t, p); }

    @Override Object create(String topic, int partition) throws Exception {
        Object id = Dyn.neu(Dyn.need("org.apache.kafka.common.Uuid"), 0x1234567890abcdefL, (long) topic.hashCode() * 31 + partition);
        Object log;
        if (!Plan.atLeast(3)) {
            log = Dyn.call(mgr, "getOrCreateLog", tp(topic, partition), true, false);
            Dyn.call(log, "assignTopicId", id);
        } else if (mgr.getClass().getName().startsWith("org.apache")) log = Dyn.call(mgr, "getOrCreateLog", tp(topic, partition), true, false, Optional.of(id), Optional.empty());
        else if (Plan.atLeast(4)) log = Dyn.call(mgr, "getOrCreateLog", tp(topic, partition), true, false, Optional.of(id), Dyn.stat(Dyn.need("scala.Option"), "empty"));
        else if (!Plan.atLeast(3, 7)) log = Dyn.call(mgr, "getOrCreateLog", tp(topic, partition), true, false, Dyn.stat(Dyn.need("scala.Option"), "apply", id));
        else log = Dyn.call(mgr, "getOrCreateLog", tp(topic, partition), true, false, Dyn.stat(Dyn.need("scala.Option"), "apply", id), Dyn.stat(Dyn.need("scala.Option"), "empty"));
        return log;
    }

    @Override List<Object> logs() {
        List<Object> l = Dyn.list(Dyn.call(mgr, "allLogs"));
        l.sort(Comparator.comparing(this::name));
        return l;
    }

    private Object codec(String name) {
        Object ct = Dyn.stat(Dyn.need(REC + "CompressionType"), "forName", name);
        Class<?> comp = Dyn.cls("org.apache.kafka.common.compress.Compression");
        return comp == null ? ct : Dyn.call(Dyn.stat(comp, "of", ct), "build");
    }

    private static Object constant(String cls, String name) { return Dyn.stat(Dyn.need(cls), "valueOf", name); }

    @Override void append(Object log, Spec.Batch b) throws Exception {
        long base = end(log);
        Object tt = constant("org.apache.kafka.common.record.TimestampType", b.magic == 0 ? "NO_TIMESTAMP_TYPE" : b.logAppendTime ? "LOG_APPEND_TIME" : "CREATE_TIME");
        Object mb = Dyn.stat(Dyn.need(REC + "MemoryRecords"), "builder", ByteBuffer.allocate(65536), (byte) b.magic, codec(b.codec), tt, base, b.logAppendTime ? b.recs.get(0).ts : -1L,
                b.producerId, b.epoch, b.seq, b.txn, b.marker != null, b.magic == 2 ? b.leaderEpoch : -1);
        if (b.marker != null) {
            Object m = Dyn.neu(Dyn.need(REC + "EndTransactionMarker"), constant(REC + "ControlRecordType", b.marker), b.coordinatorEpoch);
            Dyn.call(mb, "appendEndTxnMarker", b.recs.get(0).ts, m);
        } else {
            Class<?> hc = Dyn.need("org.apache.kafka.common.header.Header"), rh = Dyn.need("org.apache.kafka.common.header.internals.RecordHeader");
            long o = base;
            for (Spec.Rec r : b.recs) {
                Object[] hs = (Object[]) java.lang.reflect.Array.newInstance(hc, r.headers.size());
                for (int i = 0; i < hs.length; i++) hs[i] = header(rh, (String) r.headers.get(i)[0], (byte[]) r.headers.get(i)[1]);
                ByteBuffer k = r.key == null ? null : ByteBuffer.wrap(r.key), v = r.value == null ? null : ByteBuffer.wrap(r.value);
                appendRec(mb, o++, b.magic == 0 ? -1L : r.ts, k, v, hs, b.magic);
            }
        }
        Object recs = Dyn.call(mb, "build");
        if (Dyn.has(log, "appendAsFollower", 2)) Dyn.call(log, "appendAsFollower", recs, Integer.MAX_VALUE);
        else Dyn.call(log, "appendAsFollower", recs);
        Dyn.call(log, "updateHighWatermark", end(log));
        settle(false);
    }

    private static Object header(Class<?> rh, String k, byte[] v) throws Exception {
        return rh.getConstructor(String.class, byte[].class).newInstance(k, v);
    }

    private java.lang.reflect.Method awo;
    private void appendRec(Object mb, long off, long ts, ByteBuffer k, ByteBuffer v, Object[] hs, int magic) throws Exception {
        if (awo == null)
            for (java.lang.reflect.Method m : mb.getClass().getMethods())
                if (m.getName().equals("appendWithOffset") && m.getParameterCount() == 5 && m.getParameterTypes()[2] == ByteBuffer.class) awo = m;
        awo.invoke(mb, off, ts, k, v, hs);
    }

    @Override void flush(Object log) {
        if (Dyn.has(log, "flushUptoOffsetExclusive", 1)) Dyn.call(log, "flush", true); else Dyn.call(log, "flush");
        settle(false);
    }
    @Override void flushTo(Object log, long offset) {
        if (Dyn.has(log, "flushUptoOffsetExclusive", 1)) Dyn.call(log, "flushUptoOffsetExclusive", offset); else Dyn.call(log, "flush", offset);
        settle(false);
    }
    @Override void roll(Object log) {
        if (Dyn.has(log, "roll", 0)) Dyn.call(log, "roll"); else Dyn.call(log, "roll", Dyn.stat(Dyn.need("scala.Option"), "empty"));
        settle(false);
    }

    @Override void trim(Object log, long offset) throws Exception {
        Class<?> e = Dyn.need(J + "LogStartOffsetIncrementReason", "kafka.log.ClientRecordDeletion$");
        Object reason;
        if (e.isEnum()) {
            reason = e.getEnumConstants()[0];
            for (Object x : e.getEnumConstants()) if (x.toString().toLowerCase().contains("client")) reason = x;
        } else reason = e.getField("MODULE$").get(null);
        Dyn.call(log, "maybeIncrementLogStartOffset", offset, reason);
        Dyn.call(log, "deleteOldSegments");
        settle(true);
    }

    @Override void compact(Object log) throws Exception {
        Class<?> cc = Dyn.need(J + "Cleaner", "kafka.log.Cleaner");
        Object map = Dyn.neu(Dyn.need(J + "SkimpyOffsetMap", "kafka.log.SkimpyOffsetMap"), 1 << 20, "MD5");
        boolean java = cc.getName().startsWith("org.apache");
        Object done = java ? (Consumer<Object>) x -> { } : Dyn.proxy(Dyn.need("scala.Function1"), (n, a) -> n.startsWith("apply") ? Dyn.unit() : Dyn.DEFAULT);
        Object cleaner = Dyn.neu(cc, 0, map, 1 << 20, 1 << 20, 0.9, throttler(Dyn.need("org.apache.kafka.storage.internals.utils.Throttler", "kafka.utils.Throttler")), time(), done);
        long active = Dyn.lng(Dyn.call(log, "activeSegment"), "baseOffset");
        Object todo = java ? Dyn.neu(Dyn.need(J + "LogToClean"), log, 0L, active, false)
                : Dyn.neu(Dyn.need("kafka.log.LogToClean"), Dyn.call(log, "topicPartition"), log, 0L, active, false);
        Dyn.call(cleaner, "clean", todo);
        settle(true);
    }

    @Override void checkpoint() {
        Dyn.call(mgr, "checkpointLogRecoveryOffsets");
        Dyn.call(mgr, "checkpointLogStartOffsets");
    }

    @Override void shutdown() {
        if (Dyn.has(mgr, "shutdown", 1)) Dyn.call(mgr, "shutdown", -1L); else Dyn.call(mgr, "shutdown");
    }

    @Override List<String> offline() {
        List<String> out = new ArrayList<>();
        if (channel != null && ((Map<?, ?>) Dyn.field(channel, "offlineLogDirs")).containsKey(dir.getAbsolutePath())) out.add("DIR");
        return out;
    }

    @Override Map<Object, Object> readCheckpoint(File f) {
        Class<?> c = Dyn.need("org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile", "kafka.server.checkpoints.OffsetCheckpointFile");
        return Dyn.map(Dyn.call(Dyn.neu(c, f, null), "read"));
    }

    @Override void writeMeta() throws Exception {
        Properties p = new Properties();
        p.setProperty("version", Plan.atLeast(4) ? "1" : "0");
        p.setProperty(Plan.atLeast(4) ? "node.id" : "broker.id", "0");
        p.setProperty("cluster.id", "oracle-cluster-000000A");
        if (Plan.atLeast(3, 9)) p.setProperty("directory.id", "AAAAAAAAAAEAAAAAAAAAAg");
        File f = new File(dir, "meta.properties");
        Class<?> pu = Dyn.cls("org.apache.kafka.metadata.properties.PropertiesUtils");
        if (pu != null) Dyn.stat(pu, "writePropertiesFile", p, f.getAbsolutePath(), false);
        else Dyn.call(Dyn.neu(Dyn.need("kafka.server.BrokerMetadataCheckpoint"), f), "write", p);
        String s = new String(Fs.read(f.toPath()), "UTF-8");        // the only part that is not deterministic: the date comment, and the key order
        TreeSet<String> lines = new TreeSet<>();
        for (String l : s.split("\n")) if (!l.startsWith("#")) lines.add(l);
        Fs.write(f.toPath(), "#\n#Tue Nov 14 22:13:20 UTC 2023\n" + String.join("\n", lines) + "\n");
    }

    @Override Map<String, Object> describe(Object log) {
        Map<String, Object> o = Json.obj("logStartOffset", start(log), "logEndOffset", end(log), "recoveryPoint", Dyn.lng(log, "recoveryPoint"),
                "highWatermark", Dyn.lng(log, "highWatermark"), "lastStableOffset", Dyn.lng(log, "lastStableOffset"), "firstUnstableOffset", Dyn.opt(Dyn.call(log, "firstUnstableOffset")));
        if (Dyn.has(log, "localLogStartOffset", 0)) o.put("localLogStartOffset", Dyn.lng(log, "localLogStartOffset"));
        Object id = Dyn.opt(Dyn.call(log, "topicId"));
        o.put("topicId", id == null ? null : id.toString());
        List<Object> segs = new ArrayList<>();
        for (Object s : Dyn.list(Dyn.call(log, "logSegments"))) {
            Map<String, Object> m = Json.obj("baseOffset", Dyn.lng(s, "baseOffset"), "size", Dyn.lng(s, "size"), "nextOffset", safe(() -> Dyn.lng(s, "readNextOffset")));
            m.put("maxTimestamp", safe(() -> Dyn.lng(s, "maxTimestampSoFar")));
            m.put("index", safe(() -> indexEntries(Dyn.call(s, "offsetIndex"), false)));
            m.put("timeindex", safe(() -> indexEntries(Dyn.call(s, "timeIndex"), true)));
            List<Object> ab = new ArrayList<>();
            m.put("abortedTxns", safe(() -> {
                for (Object a : Dyn.list(Dyn.call(Dyn.call(s, "txnIndex"), "allAbortedTxns")))
                    ab.add(new long[]{Dyn.lng(a, "producerId"), Dyn.lng(a, "firstOffset"), Dyn.lng(a, "lastOffset"), Dyn.lng(a, "lastStableOffset")});
                return ab;
            }));
            segs.add(m);
        }
        o.put("segments", segs);
        List<Object> ep = new ArrayList<>();
        Object cache = Dyn.opt(Dyn.call(log, "leaderEpochCache"));
        if (cache != null) for (Object e : Dyn.list(Dyn.has(cache, "epochEntries", 0) ? Dyn.call(cache, "epochEntries") : Dyn.call(Dyn.field(cache, "epochs"), "values"))) ep.add(new long[]{long0(e, "epoch"), long0(e, "startOffset")});
        o.put("leaderEpochs", ep);
        Object psm = Dyn.call(log, "producerStateManager");
        o.put("producerMapEndOffset", Dyn.lng(psm, "mapEndOffset"));
        Map<Long, Object> prods = new TreeMap<>();
        for (Map.Entry<Object, Object> e : Dyn.map(Dyn.call(psm, "activeProducers")).entrySet()) prods.put(Dyn.num(e.getKey()), producer(e.getValue()));
        o.put("producers", new ArrayList<>(prods.values()));
        return o;
    }

    private static Map<String, Object> producer(Object e) {
        List<Object> bs = new ArrayList<>();
        for (Object b : Dyn.list(Dyn.call(e, "batchMetadata")))
            bs.add(new long[]{Dyn.lng(b, "firstSeq"), long0(b, "lastSeq"), Dyn.lng(b, "firstOffset"), long0(b, "lastOffset"), long0(b, "timestamp")});
        return Json.obj("producerId", Dyn.lng(e, "producerId"), "epoch", Dyn.lng(e, "producerEpoch"), "coordinatorEpoch", Dyn.lng(e, "coordinatorEpoch"),
                "lastTimestamp", Dyn.lng(e, "lastTimestamp"), "currentTxnFirstOffset", Dyn.opt(Dyn.call(e, "currentTxnFirstOffset")), "batches", bs);
    }

    @Override Object readSnapshot(File f) {
        Map<Long, Object> out = new TreeMap<>();
        for (Object e : Dyn.list(Dyn.stat(Dyn.need(J + "ProducerStateManager", "kafka.log.ProducerStateManager"), "readSnapshot", f))) out.put(Dyn.lng(e, "producerId"), producer(e));
        return new ArrayList<>(out.values());
    }

    @Override void dump(File log, Consumer<Map<String, Object>> sink) throws Exception {
        Object fr = Dyn.stat(Dyn.need(REC + "FileRecords"), "open", log, false);
        long pos = 0;
        try {
            for (Object b : (Iterable<?>) Dyn.call(fr, "batches")) {
                long at = Dyn.lng(b, "position"), size = Dyn.lng(b, "sizeInBytes");
                pos = at + size;
                int magic = (int) Dyn.lng(b, "magic");
                Map<String, Object> m = Json.obj("t", "batch", "pos", at, "size", size, "magic", magic);
                try {
                    m.put("base", Dyn.lng(b, "baseOffset"));
                    m.put("last", Dyn.lng(b, "lastOffset"));
                    m.put("crc", Dyn.lng(b, "checksum"));
                    m.put("valid", Dyn.call(b, "isValid"));
                    m.put("codec", Dyn.call(Dyn.call(b, "compressionType"), "toString").toString().toLowerCase());
                    m.put("tsType", Dyn.call(Dyn.call(b, "timestampType"), "name"));
                    m.put("maxTs", Dyn.lng(b, "maxTimestamp"));
                    if (magic >= 2) {
                        m.put("count", Dyn.call(b, "countOrNull"));
                        m.put("pid", Dyn.lng(b, "producerId"));
                        m.put("epoch", Dyn.lng(b, "producerEpoch"));
                        m.put("seq", Dyn.lng(b, "baseSequence"));
                        m.put("lastSeq", Dyn.lng(b, "lastSequence"));
                        m.put("leaderEpoch", Dyn.lng(b, "partitionLeaderEpoch"));
                        m.put("txn", Dyn.call(b, "isTransactional"));
                        m.put("control", Dyn.call(b, "isControlBatch"));
                        if (Dyn.has(b, "deleteHorizonMs", 0)) { Object dh = Dyn.opt(Dyn.call(b, "deleteHorizonMs")); if (dh != null) m.put("deleteHorizon", dh); }
                    }
                } catch (Throwable t) { m.put("error", t.toString()); }
                sink.accept(m);
                try {
                    for (Object r : (Iterable<?>) b) {
                        List<Object> hs = new ArrayList<>();
                        for (Object h : (Object[]) Dyn.call(r, "headers")) hs.add(Arrays.asList(Dyn.call(h, "key"), crc((byte[]) Dyn.call(h, "value"))));
                        ByteBuffer k = (ByteBuffer) Dyn.call(r, "key"), v = (ByteBuffer) Dyn.call(r, "value");
                        Map<String, Object> x = Json.obj("t", "rec", "off", Dyn.lng(r, "offset"), "ts", Dyn.lng(r, "timestamp"), "key", crc(k), "val", crc(v));
                        if (!hs.isEmpty()) x.put("hdr", hs);
                        long seq = Dyn.lng(r, "sequence");
                        if (seq >= 0) x.put("seq", seq);
                        sink.accept(x);
                    }
                } catch (Throwable t) { sink.accept(Json.obj("t", "error", "error", t.toString())); }
            }
            sink.accept(Json.obj("t", "end", "pos", pos, "left", log.length() - pos));
        } catch (Throwable t) {
            sink.accept(Json.obj("t", "end", "pos", pos, "left", log.length() - pos, "error", t.toString()));
        } finally { Dyn.call(fr, "close"); }
    }

    static Object crc(ByteBuffer b) {
        if (b == null) return null;
        byte[] a = new byte[b.remaining()];
        b.duplicate().get(a);
        return crc(a);
    }
    static Object crc(byte[] a) { return a == null ? null : new long[]{a.length, Fs.crc(a)}; }
}
