package oracle;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.zip.CRC32;
import org.apache.rocketmq.store.DefaultMessageStore;

/** What the real store holds in memory at one moment. */
final class State {
    private State() { }

    static String base(Object mappedFile) {
        String n = (String) R.call(mappedFile, "getFileName");
        return n.substring(n.lastIndexOf('/') + 1);
    }

    static Object queueStore(DefaultMessageStore s) {
        return R.has(s, "consumeQueueStore") ? R.get(s, "consumeQueueStore") : s;
    }

    static Map<String, Object> commitLog(DefaultMessageStore s, Path root) {
        Object mfq = R.get(s.getCommitLog(), "mappedFileQueue");
        List<Object> files = new ArrayList<>();
        for (Object f : (List<?>) R.call(mfq, "getMappedFiles")) {
            files.add(Json.obj("name", base(f), "wrotePosition", R.callNum(f, "getWrotePosition"),
                "flushedPosition", R.callNum(f, "getFlushedPosition")));
        }
        return Json.obj("minOffset", s.getCommitLog().getMinOffset(), "maxOffset", s.getCommitLog().getMaxOffset(),
            "flushedWhere", R.callNum(mfq, "getFlushedWhere"), "confirmOffset", s.getCommitLog().getConfirmOffset(),
            "confirmOffsetField", R.num(s.getCommitLog(), "confirmOffset"),
            "files", files, "filesOnDisk", new ArrayList<Object>(Fs.names(root.resolve("commitlog"))));
    }

    private static ByteBuffer buffer(Object mappedFile) {
        ByteBuffer b = (ByteBuffer) R.call(mappedFile, "getMappedByteBuffer");
        ByteBuffer d = b.duplicate();
        d.clear();
        return d;
    }

    static List<Object> queues(DefaultMessageStore s) {
        List<Object> r = new ArrayList<>();
        Map<String, Map<Integer, Object>> sorted = new TreeMap<>();
        Map<?, ?> table = (Map<?, ?>) R.call(s, "getConsumeQueueTable");
        for (Map.Entry<?, ?> t : table.entrySet()) {
            for (Map.Entry<?, ?> q : ((ConcurrentMap<?, ?>) t.getValue()).entrySet()) {
                sorted.computeIfAbsent((String) t.getKey(), k -> new TreeMap<>()).put((Integer) q.getKey(), q.getValue());
            }
        }
        sorted.forEach((topic, m) -> m.forEach((id, q) -> {
            List<Object> files = new ArrayList<>();
            List<Object> units = new ArrayList<>();
            for (Object f : (List<?>) R.call(R.get(q, "mappedFileQueue"), "getMappedFiles")) {
                long wrote = R.callNum(f, "getWrotePosition");
                files.add(Json.obj("name", base(f), "wrotePosition", wrote));
                ByteBuffer b = buffer(f);
                for (int i = 0; i + 20 <= wrote; i += 20) {
                    units.add(Json.arr(b.getLong(i), b.getInt(i + 8), b.getLong(i + 12)));
                }
            }
            r.add(Json.obj("topic", topic, "queueId", id, "minOffsetInQueue", R.callNum(q, "getMinOffsetInQueue"),
                "maxOffsetInQueue", R.callNum(q, "getMaxOffsetInQueue"), "maxPhysicOffset", R.callNum(q, "getMaxPhysicOffset"),
                "minLogicOffset", R.num(q, "minLogicOffset"), "files", files, "units", units));
        }));
        return r;
    }

    static List<Object> index(DefaultMessageStore s, Geometry g, List<String> known) {
        List<Object> r = new ArrayList<>();
        int fresh = 0;
        for (Object f : new ArrayList<>((List<?>) R.get(R.get(s, "indexService"), "indexFileList"))) {
            Object h = R.get(f, "indexHeader");
            String name = (String) R.call(f, "getFileName");
            name = name.substring(name.lastIndexOf('/') + 1);
            if (!known.contains(name)) {
                name = "<new-" + ++fresh + ">";
            }
            long count = R.callNum(h, "getIndexCount");
            ByteBuffer b = ((ByteBuffer) R.get(f, "mappedByteBuffer")).duplicate();
            b.clear();
            List<Object> entries = new ArrayList<>();
            int base = 40 + g.hashSlots * 4;
            // Entry 0 is never written: indexCount starts at 1.
            for (int i = 1; i < count && base + i * 20 + 20 <= b.capacity(); i++) {
                int p = base + i * 20;
                entries.add(Json.arr(b.getInt(p), b.getLong(p + 4), b.getInt(p + 12), b.getInt(p + 16)));
            }
            byte[] slots = new byte[g.hashSlots * 4];
            b.position(40);
            b.get(slots);
            CRC32 crc = new CRC32();
            crc.update(slots);
            r.add(Json.obj("name", name, "beginTimestamp", R.callNum(h, "getBeginTimestamp"),
                "endTimestamp", R.callNum(h, "getEndTimestamp"), "beginPhyOffset", R.callNum(h, "getBeginPhyOffset"),
                "endPhyOffset", R.callNum(h, "getEndPhyOffset"), "hashSlotCount", ((Number) R.call(h, "getHashSlotCount")).longValue(),
                "indexCount", count, "slotsCrc32", crc.getValue(), "entries", entries));
        }
        return r;
    }

    static Map<String, Object> topicQueueTable(DefaultMessageStore s) {
        Object op = R.has(s.getCommitLog(), "topicQueueTable") ? R.get(s.getCommitLog(), "topicQueueTable")
            : R.get(R.get(queueStore(s), "queueOffsetOperator"), "topicQueueTable");
        TreeMap<String, Object> m = new TreeMap<>();
        ((Map<?, ?>) op).forEach((k, v) -> m.put((String) k, v));
        return m;
    }

    static Map<String, Object> checkpointFile(Path root) {
        Path p = root.resolve("checkpoint");
        if (!java.nio.file.Files.isRegularFile(p)) {
            return null;
        }
        byte[] b = Fs.read(p);
        ByteBuffer d = ByteBuffer.wrap(java.util.Arrays.copyOf(b, 48));
        return Json.obj("length", b.length, "physicMsgTimestamp", d.getLong(0), "logicsMsgTimestamp", d.getLong(8),
            "indexMsgTimestamp", d.getLong(16), "masterFlushedOffset", d.getLong(24), "confirmPhyOffset", d.getLong(32),
            "logicsPhysicalOffset", d.getLong(40));
    }

    static Map<String, Object> checkpoint(DefaultMessageStore s) {
        Object c = R.get(s, "storeCheckpoint");
        if (c == null) {
            return null;
        }
        Map<String, Object> m = Json.obj();
        for (String f : new String[] {"physicMsgTimestamp", "logicsMsgTimestamp", "indexMsgTimestamp", "masterFlushedOffset",
            "confirmPhyOffset", "logicsPhysicalOffset"}) {
            m.put(f, R.has(c, f) ? (Object) R.num(c, f) : null);
        }
        m.put("minTimestamp", R.callNum(c, "getMinTimestamp"));
        m.put("minTimestampIndex", R.callNum(c, "getMinTimestampIndex"));
        return m;
    }

    static Map<String, Object> all(DefaultMessageStore s, Geometry g, Path root, List<String> knownIndex) {
        return Json.obj("commitLog", commitLog(s, root), "consumeQueues", queues(s), "index", index(s, g, knownIndex),
            "topicQueueTable", topicQueueTable(s), "checkpoint", checkpoint(s));
    }
}
