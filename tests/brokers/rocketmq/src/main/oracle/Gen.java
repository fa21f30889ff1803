package oracle;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.sysflag.MessageSysFlag;
import org.apache.rocketmq.store.DefaultMessageStore;
import org.apache.rocketmq.store.PutMessageResult;

/** Makes stores with the real DefaultMessageStore. One seed gives the same CommitLog bytes each time. */
final class Gen {
    static final long BASE_TIME = 1700000000000L;
    static final String LONG_TOPIC = "LongTopic_" + "x".repeat(140);
    private static final String[] WORDS = ("order paid shipped 订单 支付 已发货 retry invoice 退款 stock level crash replay "
        + "日志 消费 队列 checkpoint 🚀 naïve").split(" ");
    private static final String[] TAGS = {"TagA", "TagB", "TagC", "标签", "create||update", ""};

    final Geometry g;
    final Random rnd;
    final DefaultMessageStore store;
    final List<Map<String, Object>> failed = new ArrayList<>();
    long now;
    int seq;

    Gen(Geometry g, long seed, Path root) throws Exception {
        this.g = g;
        this.rnd = new Random(seed);
        this.now = BASE_TIME + seed % 1000 * 100_000_000L;
        this.store = Compat.newStore(g.config(root.toString(), true));
        if (!store.load()) {
            throw new IllegalStateException("load of an empty store failed");
        }
        Compat.beforeStart(store);
        store.start();
    }

    /** The three states that every scenario starts from; each is a directory below out. */
    static Map<String, Path> bases(Geometry g, long seed, Path out) throws Exception {
        Map<String, Path> r = new LinkedHashMap<>();
        Path live = out.resolve("live-a");
        Fs.delete(out);
        Files.createDirectories(live);
        Gen gen = new Gen(g, seed, live);
        // Enough for 3 to 6 commitlog files.
        int files = g.files > 0 ? g.files : g.commitLog > 20000 ? 2 : 4;
        long target = (long) g.commitLog * files + g.commitLog / 3;
        long cp = target * 6 / 10;
        gen.putUntil(cp);
        gen.drain();
        gen.checkpoint();
        byte[] saved = Fs.read(live.resolve("checkpoint"));
        gen.putUntil(target);
        gen.drain();
        r.put("crash", gen.snapshot(out.resolve("crash")));
        gen.stopReput();
        gen.putUntil(target + g.commitLog * 3L / 5);
        r.put("lag", gen.snapshot(out.resolve("lag")));
        gen.halt();
        // A new index file also writes the checkpoint, from its own thread at no fixed moment. Keep the timed one.
        for (String n : new String[] {"crash", "lag"}) {
            Fs.write(out.resolve(n + "/checkpoint"), saved);
        }

        Path live2 = Files.createDirectories(out.resolve("live-b"));
        Gen c = new Gen(g, seed, live2);
        c.putUntil(cp);
        c.drain();
        c.checkpoint();
        c.putUntil(target);
        c.drain();
        c.store.shutdown();
        r.put("clean", c.snapshot(out.resolve("clean")));
        return r;
    }

    long max() {
        return store.getMaxPhyOffset();
    }

    void putUntil(long offset) throws Exception {
        while (max() < offset) {
            putOne();
        }
    }

    void drain() throws Exception {
        for (int i = 0; i < 2000 && store.dispatchBehindBytes() > 0; i++) {
            Thread.sleep(5);
        }
        Thread.sleep(150);
    }

    /** What the store does once a minute: flush every ConsumeQueue and write the checkpoint. */
    void checkpoint() {
        Object svc = R.has(store, "flushConsumeQueueService") ? R.get(store, "flushConsumeQueueService")
            : R.get(R.get(store, "consumeQueueStore"), "flushConsumeQueueService");
        R.set(svc, "lastFlushTimestamp", 0L);
        R.call(svc, "doFlush", 1);
    }

    void stopReput() {
        R.call(R.get(store, "reputMessageService"), "shutdown");
    }

    /** Copies the directory as a kill -9 would leave it: mmap writes are in the page cache, so a copy sees them. */
    Path snapshot(Path to) throws Exception {
        Thread.sleep(200);
        Path root = Path.of(R.call(store.getMessageStoreConfig(), "getStorePathRootDir").toString());
        Fs.copy(root, to);
        // 5.5.x opens a RocksDB there whatever the config; it is no part of this oracle, and its LOG names local paths.
        Fs.delete(to.resolve("rocksdbstore"));
        // Index files are named by the wall clock; name them by the store's own time instead.
        int i = 0;
        for (Path p : Fs.list(to.resolve("index"))) {
            Files.move(p, p.resolveSibling(String.format("20231114%09d", 221320000 + i++)));
        }
        Path abort = to.resolve("abort");
        if (Files.exists(abort) && Files.size(abort) > 0) {
            Fs.write(abort, "4242");
        }
        return to;
    }

    /** Lets the threads go without the steps of a clean shutdown's report. */
    void halt() {
        Thread t = new Thread(store::shutdown, "halt");
        t.setDaemon(true);
        t.start();
    }

    /** One short phrase again and again, so that packed stores stay small. */
    private String words(int bytes) {
        String phrase = WORDS[rnd.nextInt(WORDS.length)] + ' ' + WORDS[rnd.nextInt(WORDS.length)] + ' ';
        StringBuilder sb = new StringBuilder();
        while (sb.length() < bytes) {
            sb.append(phrase);
        }
        return sb.toString();
    }

    private byte[] body() {
        int k = rnd.nextInt(24);
        if (k == 0) {
            return new byte[0];
        }
        if (k == 1) {
            byte[] b = new byte[1 + rnd.nextInt(120)];
            rnd.nextBytes(b);
            return b;
        }
        if (k == 2) {
            return Arrays.copyOf(words(1600).getBytes(StandardCharsets.UTF_8), 1200 + rnd.nextInt(849));
        }
        return words(10 + rnd.nextInt(k < 12 ? 120 : 600)).getBytes(StandardCharsets.UTF_8);
    }

    /** A few hosts, v4 and v6. */
    private InetSocketAddress host(boolean v6) throws Exception {
        byte[] a = new byte[v6 ? 16 : 4];
        a[0] = v6 ? (byte) 0x20 : 10;
        a[1] = v6 ? (byte) 1 : 0;
        a[a.length - 2] = (byte) 0xfe;
        a[a.length - 1] = (byte) rnd.nextInt(3);
        return new InetSocketAddress(InetAddress.getByAddress(a), 10911 + rnd.nextInt(2) * 40000);
    }

    private void props(Message m) {
        MessageAccessor.putProperty(m, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX,
            String.format("7F00000100002A%018X", seq));
        String tag = TAGS[rnd.nextInt(TAGS.length)];
        if (!tag.isEmpty()) {
            m.setTags(tag);
        }
        int keys = rnd.nextInt(4);
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < keys; i++) {
            sb.append(i > 0 ? " " : "").append(i == 2 ? "键" : "k").append(rnd.nextInt(60));
        }
        if (sb.length() > 0) {
            m.setKeys(sb.toString());
        }
        if (rnd.nextInt(4) == 0) {
            m.putUserProperty("region", WORDS[rnd.nextInt(WORDS.length)]);
        }
        if (rnd.nextInt(9) == 0) {
            m.putUserProperty("用户", "值" + rnd.nextInt(100));
        }
    }

    void putOne() throws Exception {
        int kind = rnd.nextInt(100);
        now += 1 + rnd.nextInt(2200);
        seq++;
        if (kind < 4) {
            putBatch();
            return;
        }
        Compat.Msg m = new Compat.Msg();
        m.fixed = now;
        String topic = "TopicA";
        int queue = 0;
        if (kind >= 55) {
            topic = kind < 80 ? "TopicB" : kind < 95 ? "订单_topic".replace("订单", "Order") : "%RETRY%group-1";
            queue = topic.equals("TopicB") ? rnd.nextInt(3) : rnd.nextInt(2);
        }
        if (Compat.V5 && kind == 99) {
            topic = LONG_TOPIC;
        }
        props(m);
        m.setTopic(topic);
        m.setQueueId(queue);
        m.setBody(body());
        m.setFlag(rnd.nextInt(5) == 0 ? rnd.nextInt() : 0);
        m.setBornTimestamp(now - rnd.nextInt(50));
        m.setBornHost(host(rnd.nextInt(6) == 0));
        m.setStoreHost(host(rnd.nextInt(12) == 0));
        m.setReconsumeTimes(topic.startsWith("%RETRY%") ? rnd.nextInt(16) : 0);
        int tran = rnd.nextInt(40);
        if (tran == 0) {
            m.setSysFlag(MessageSysFlag.TRANSACTION_PREPARED_TYPE);
        } else if (tran == 1) {
            m.setSysFlag(MessageSysFlag.TRANSACTION_COMMIT_TYPE);
            m.setPreparedTransactionOffset(rnd.nextInt(10000));
        } else if (tran == 2) {
            m.setSysFlag(MessageSysFlag.TRANSACTION_ROLLBACK_TYPE);
            m.setPreparedTransactionOffset(rnd.nextInt(10000));
        } else if (rnd.nextInt(14) == 0) {
            int level = 1 + rnd.nextInt(18);
            m.setDelayTimeLevel(level);
            if (Compat.V5) {
                // The 5.x broker does this before the store; 4.9.x does it inside the store.
                MessageAccessor.putProperty(m, MessageConst.PROPERTY_REAL_TOPIC, topic);
                MessageAccessor.putProperty(m, MessageConst.PROPERTY_REAL_QUEUE_ID, String.valueOf(queue));
                m.setTopic("SCHEDULE_TOPIC_XXXX");
                m.setQueueId(level - 1);
            }
        }
        m.setPropertiesString(MessageDecoder.messageProperties2String(m.getProperties()));
        check(store.putMessage(m), topic);
    }

    private void putBatch() throws Exception {
        List<Message> list = new ArrayList<>();
        for (int i = 0, n = 2 + rnd.nextInt(4); i < n; i++) {
            seq++;
            Message m = new Message("TopicB", body());
            props(m);
            list.add(m);
        }
        Compat.Batch b = new Compat.Batch();
        b.fixed = now;
        b.setTopic("TopicB");
        b.setQueueId(rnd.nextInt(3));
        b.setBody(MessageDecoder.encodeMessages(list));
        b.setBornTimestamp(now);
        b.setBornHost(host(false));
        b.setStoreHost(host(false));
        MessageAccessor.putProperty(b, MessageConst.PROPERTY_CLUSTER, "DefaultCluster");
        Compat.setProps(b, MessageDecoder.messageProperties2String(b.getProperties()));
        check(store.putMessages(b), "TopicB");
    }

    private void check(PutMessageResult r, String topic) {
        if (!r.isOk()) {
            throw new IllegalStateException("put to " + topic + " failed: " + r);
        }
    }
}
