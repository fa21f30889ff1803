package oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.sysflag.MessageSysFlag;
import org.apache.rocketmq.store.DefaultMessageStore;
import org.apache.rocketmq.store.PutMessageResult;
import org.apache.rocketmq.store.RocksDBMessageStore;
import org.apache.rocketmq.store.config.MessageStoreConfig;
import org.apache.rocketmq.store.stats.BrokerStatsManager;
import org.apache.rocketmq.store.timer.TimerCheckpoint;
import org.apache.rocketmq.store.timer.TimerMessageStore;
import org.apache.rocketmq.store.timer.TimerMetrics;

/** Stores in the forms that storescope finds and does not follow: what the broker writes, and what a start makes of the log beside it. */
final class Forms {
    private static final int MESSAGES = 60;

    final String kind;
    final Path root;
    final ConcurrentMap<String, TopicConfig> topics = new ConcurrentHashMap<>();
    /** What storescope is told, beside the file sizes. */
    final Map<String, Object> settings = new LinkedHashMap<>();
    final Geometry g = Geometry.of("cl=16384", "cqUnits=64", "slots=100", "idx=400");

    Forms(String kind, Path root) {
        this.kind = kind;
        this.root = root;
    }

    /** KIND OUT */
    public static void main(String[] a) throws Exception {
        Compat.initLogging();
        Path tmp = Files.createTempDirectory("rmq-form-");
        int rc = 0;
        try {
            make(a[0], Path.of(a[1]).toAbsolutePath().normalize(), tmp);
        } catch (Throwable t) {
            t.printStackTrace();
            rc = 1;
        }
        Runtime.getRuntime().halt(rc);
    }

    static void make(String kind, Path out, Path tmp) throws Exception {
        Forms f = new Forms(kind, Files.createDirectories(tmp.resolve("live")));
        DefaultMessageStore s = f.open();
        f.fill(s);
        Path store = tmp.resolve("store");
        f.copyOf(store);
        new Thread(s::shutdown, "halt").start();
        Thread.sleep(3000);

        // The same store once more, started by the real broker.
        Path again = tmp.resolve("again");
        Fs.copy(store, again);
        Forms r = new Forms(kind, again);
        DefaultMessageStore t = r.create();
        boolean loaded = t.load();
        Map<String, Object> c = Json.obj("schema", 1, "version", System.getProperty("oracle.version"), "kind", kind,
            "geometry", f.g.json(), "settings", r.settings, "load", loaded, "minOffset", t.getMinPhyOffset(), "maxOffset", t.getMaxPhyOffset());
        Json.save(out.resolve("case.json"), Json.pretty(c));
        Fs.tarZst(store, out.resolve("store.tar.zst"));
        System.out.println(Json.compact(c));
    }

    MessageStoreConfig config() {
        MessageStoreConfig c = g.config(root.toString(), true);
        switch (kind) {
            case "rocksdb":
                c.setStoreType("defaultRocksDB");
                break;
            case "rocksdb-too":
                R.call(c, "setRocksdbCQDoubleWriteEnable", true);
                settings.put("rocksdbCQDoubleWriteEnable", true);
                break;
            case "extension":
                c.setEnableConsumeQueueExt(true);
                c.setMappedFileSizeConsumeQueueExt(4096);
                break;
            case "batch":
                c.setMapperFileSizeBatchConsumeQueue(46 * 40);
                break;
            case "timer":
                c.setMappedFileSizeTimerLog(52 * 100);
                break;
            case "compaction":
                c.setCompactionMappedFileSize(65536);
                c.setCompactionCqMappedFileSize(46 * 100);
                break;
            case "roots":
                c.setStorePathCommitLog(root + "/commitlog-a," + root + "/commitlog-b");
                break;
            case "dledger":
                c.setEnableDLegerCommitLog(true);
                c.setdLegerGroup("group-a");
                c.setdLegerPeers("n0-127.0.0.1:41911");
                c.setdLegerSelfId("n0");
                break;
            default:
        }
        return c;
    }

    DefaultMessageStore create() throws Exception {
        if (kind.equals("batch")) {
            topic("TopicB", "+queue.type", "BatchCQ");
        } else if (kind.equals("compaction")) {
            topic("TopicB", "+cleanup.policy", "COMPACTION");
        }
        MessageStoreConfig c = config();
        BrokerStatsManager stats = new BrokerStatsManager("oracle", false);
        return kind.equals("rocksdb") ? new RocksDBMessageStore(c, stats, null, new BrokerConfig(), topics)
            : new DefaultMessageStore(c, stats, null, new BrokerConfig(), topics);
    }

    private void topic(String name, String key, String value) {
        TopicConfig t = new TopicConfig(name, 1, 1);
        t.getAttributes().put(key, value);
        t.getAttributes().put(key.substring(1), value);
        topics.put(name, t);
    }

    private DefaultMessageStore open() throws Exception {
        DefaultMessageStore s = create();
        if (!s.load()) {
            throw new IllegalStateException("load of an empty store failed");
        }
        s.start();
        if (kind.equals("dledger")) {
            Thread.sleep(3000);
        }
        return s;
    }

    private void fill(DefaultMessageStore s) throws Exception {
        TimerMessageStore timer = null;
        if (kind.equals("timer")) {
            timer = new TimerMessageStore(s, s.getMessageStoreConfig(), new TimerCheckpoint(root + "/config/timercheck"),
                new TimerMetrics(root + "/config/timermetrics"), null);
            s.setTimerMessageStore(timer);
            timer.load();
            timer.start(true);
        }
        for (int i = 0; i < MESSAGES; i++) {
            put(s, i);
        }
        Thread.sleep(2500);
        if (timer != null) {
            timer.getTimerWheel().flush();
            timer.prepareTimerCheckPoint();
            timer.getTimerCheckpoint().flush();
        }
    }

    private void put(DefaultMessageStore s, int i) throws Exception {
        Compat.Msg m = new Compat.Msg();
        m.fixed = System.currentTimeMillis();
        boolean b = i % 3 == 0;
        m.setTopic(b ? "TopicB" : "TopicA");
        m.setQueueId(0);
        m.setBody(("body of message " + i + " ").repeat(1 + i % 20).getBytes());
        m.setBornTimestamp(m.fixed);
        m.setBornHost(new java.net.InetSocketAddress("10.0.0.1", 1000));
        m.setStoreHost(new java.net.InetSocketAddress("10.0.0.2", 10911));
        m.setTags("TagA");
        m.setKeys("k" + i % 7);
        MessageAccessor.putProperty(m, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, String.format("7F00000100002A%018X", i));
        if (b && kind.equals("batch")) {
            m.setSysFlag(MessageSysFlag.INNER_BATCH_FLAG);
            MessageAccessor.putProperty(m, MessageConst.PROPERTY_INNER_NUM, String.valueOf(1 + i % 4));
        }
        if (b && kind.equals("timer")) {
            m.setTopic(TimerMessageStore.TIMER_TOPIC);
            MessageAccessor.putProperty(m, MessageConst.PROPERTY_REAL_TOPIC, "TopicB");
            MessageAccessor.putProperty(m, MessageConst.PROPERTY_REAL_QUEUE_ID, "0");
            MessageAccessor.putProperty(m, TimerMessageStore.TIMER_OUT_MS, String.valueOf(m.fixed + 3_600_000));
        }
        m.setPropertiesString(MessageDecoder.messageProperties2String(m.getProperties()));
        PutMessageResult r = s.putMessage(m);
        if (!r.isOk()) {
            throw new IllegalStateException("put failed: " + r);
        }
    }

    /** As a kill -9 would leave it. What names the machine, or is locked, stays away. */
    private void copyOf(Path to) throws Exception {
        Fs.copy(root, to);
        List<Path> all = new ArrayList<>();
        try (java.util.stream.Stream<Path> walk = Files.walk(to)) {
            walk.filter(Files::isRegularFile).forEach(all::add);
        }
        for (Path p : all) {
            String n = p.getFileName().toString();
            if (n.equals("LOG") || n.startsWith("LOG.old")) {
                Fs.write(p, "");
            }
        }
        // 160 MiB whatever is in it, and made again from the data.
        Fs.delete(to.resolve("dledger-n0/index"));
        if (!kind.startsWith("rocksdb")) {
            Fs.delete(to.resolve("rocksdbstore"));
        }
        if (Files.exists(to.resolve("abort"))) {
            Fs.write(to.resolve("abort"), "4242");
        }
    }
}
