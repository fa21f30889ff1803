package oracle;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The named scenarios: a base state (clean, crash or lag) and what is done to it. */
final class Scenarios {
    static final class S {
        final String base;
        final String what;
        final Consumer<Surgery> act;

        S(String base, String what, Consumer<Surgery> act) {
            this.base = base;
            this.what = what;
            this.act = act;
        }
    }

    static final Map<String, S> ALL = new LinkedHashMap<>();

    private Scenarios() { }

    private static void add(String name, String base, String what, Consumer<Surgery> act) {
        ALL.put(name, new S(base, what, act));
    }

    /** Adds crash-NAME and clean-NAME. */
    private static void both(String name, String what, Consumer<Surgery> act) {
        add("crash-" + name, "crash", what + " (abort present)", act);
        add("clean-" + name, "clean", what + " (abort absent)", act);
    }

    private static Scan.Msg last(Surgery s) {
        List<Scan.Msg> l = s.msgs();
        return l.get(l.size() - 1);
    }

    private static Scan.Msg mid(Surgery s) {
        List<String> f = s.usedLogs();
        List<Scan.Msg> l = s.in(f.get(f.size() - 2));
        return l.get(l.size() / 2);
    }

    private static String log(Surgery s, int i) {
        List<String> f = s.usedLogs();
        return f.get(i < 0 ? f.size() + i : i);
    }

    static {
        add("clean-shutdown", "clean", "nothing done: real shutdown()", s -> { });
        add("crash-intact", "crash", "nothing done: copied while running, checkpoint at 60 %", s -> { });
        add("crash-lag", "lag", "dispatch stopped early: ConsumeQueue and index behind the CommitLog", s -> { });
        add("clean-lag", "lag", "the same without abort: normal recovery with a lagging ConsumeQueue", s -> s.abort(false));
        add("crash-torn-tail-header", "crash", "last message zero from inside its first 20 bytes",
            s -> s.tornTail(last(s), 4 + s.rnd.nextInt(16)));
        both("torn-tail-body", "last message zero from inside its body or later", s -> {
            Scan.Msg m = last(s);
            s.tornTail(m, m.bodyLenPos + 4 - m.pos + s.rnd.nextInt(Math.max(1, m.bodyLen)));
        });
        add("crash-torn-tail-props", "crash", "last message zero from inside its properties", s -> {
            Scan.Msg m = last(s);
            s.tornTail(m, m.propLenPos + 2 - m.pos + s.rnd.nextInt(Math.max(1, m.propLen)));
        });
        both("crc-last-file", "one body bit flipped in the last file", s -> s.flipBody(log(s, -1)));
        both("crc-middle-file", "one body bit flipped in the second last file", s -> s.flipBody(log(s, -2)));
        both("crc-first-file", "one body bit flipped in the first file", s -> s.flipBody(log(s, 0)));
        add("crash-crc-first-file-rescan", "crash", "body bit flipped in the first file, checkpoint zero: all later files go", s -> {
            s.flipBody(log(s, 0));
            s.rescanFromFirst();
        });
        add("crash-corrupt-file-1-rescan", "crash", "first magic of the second file broken, checkpoint zero: later files deleted", s -> {
            s.int32(log(s, 1), 4, 0x12345678, "bad magic in the first message of the file");
            s.rescanFromFirst();
        });
        both("bad-magic-mid", "bad magic in the middle of the second last file", s -> {
            Scan.Msg m = mid(s);
            s.int32(m.file, m.pos + 4, 0x0badcafe, "bad magic at phyOffset " + m.phys);
            s.rescanFromFirst();
        });
        add("crash-blank-magic-mid", "crash", "blank (end of file) magic in the middle of a file: the rest of the file is skipped", s -> {
            Scan.Msg m = mid(s);
            s.int32(m.file, m.pos + 4, 0xcbd43194, "blank magic at phyOffset " + m.phys);
            s.rescanFromFirst();
        });
        for (Object[] v : new Object[][] {{"negative", -77}, {"zero", 0}, {"maxint", Integer.MAX_VALUE}, {"small", 5}}) {
            add("crash-totalsize-" + v[0], "crash", "total size field = " + v[1] + " in a message of the second last file", s -> {
                Scan.Msg m = mid(s);
                s.int32(m.file, m.pos, (Integer) v[1], "total size at phyOffset " + m.phys);
                s.rescanFromFirst();
            });
        }
        add("crash-totalsize-beyond-file", "crash", "total size points past the file's end", s -> {
            Scan.Msg m = mid(s);
            s.int32(m.file, m.pos, s.g.commitLog, "total size at phyOffset " + m.phys);
            s.rescanFromFirst();
        });
        add("crash-totalsize-plus-one", "crash", "total size one too large, everything else right", s -> {
            Scan.Msg m = mid(s);
            s.int32(m.file, m.pos, m.size + 1, "total size at phyOffset " + m.phys);
            s.rescanFromFirst();
        });
        both("msglen-mismatch", "properties length 3 too small: parsed length is not the total size", s -> {
            Scan.Msg m = mid(s);
            s.write(m.file, m.propLenPos, new byte[] {(byte) ((m.propLen - 3) >> 8), (byte) (m.propLen - 3)},
                "properties length at phyOffset " + m.phys);
            s.rescanFromFirst();
        });
        add("crash-bodylen-negative", "crash", "body length -1", s -> {
            Scan.Msg m = mid(s);
            s.int32(m.file, m.bodyLenPos, -1, "body length at phyOffset " + m.phys);
            s.rescanFromFirst();
        });
        add("crash-topiclen-negative", "crash", "topic length byte 0xff", s -> {
            Scan.Msg m = mid(s);
            s.write(m.file, m.topicLenPos, new byte[] {-1}, "topic length at phyOffset " + m.phys);
            s.rescanFromFirst();
        });
        both("zero-page-mid", "4096 zero bytes in the middle of the second last file", s -> {
            s.zero(log(s, -2), s.g.commitLog / 8192 * 4096, 4096, "lost page");
            s.rescanFromFirst();
        });
        add("crash-garbage-after-tail", "crash", "random bytes behind the last message", s -> {
            Scan.Msg m = last(s);
            s.write(m.file, m.pos + m.size, s.random(64), "garbage behind the tail");
        });
        add("crash-stale-message-after-tail", "crash", "a valid old message (wrong physical offset) behind the last one", s -> {
            Scan.Msg m = last(s);
            Scan.Msg o = s.msgs().get(0);
            byte[] f = Fs.read(s.dir.resolve(o.file));
            s.write(m.file, m.pos + m.size, java.util.Arrays.copyOfRange(f, o.pos, o.pos + o.size), "stale message behind the tail");
        });
        add("crash-phyoffset-wrong", "crash", "physical offset field garbage in one message of the last file", s -> {
            Scan.Msg m = s.in(log(s, -1)).get(1);
            s.int64(m.file, m.pos + 28, m.phys + 1000003, "physical offset at " + m.phys);
        });
        both("queueoffset-wrong", "queue offset field 5 too large in a message of the last file; its queue's units from there on zero", s -> {
            List<Scan.Msg> l = s.in(log(s, -1));
            Scan.Msg m = l.get(l.size() - 1);
            s.int64(m.file, m.pos + 20, m.queueOffset + 5, "queue offset at " + m.phys);
            for (Scan.Cq c : s.queues()) {
                if (c.topic.equals(m.topic) && c.queueId == m.queueId && c.lastPhy == m.phys) {
                    s.zeroCqTail(c, 1);
                }
            }
        });
        both("cq-deleted-one", "the biggest queue's directory deleted", s -> s.delete(s.biggest().rel, "queue lost"));
        both("cq-deleted-newest", "the directory of the queue with the newest message deleted", s -> s.delete(s.newest().rel, "queue lost"));
        both("cq-deleted-all", "all ConsumeQueue directories deleted", s -> s.emptyDir("consumequeue", "all queues lost"));
        both("cq-deleted-all-rescan", "all ConsumeQueue directories and the index deleted, checkpoint zero: full rebuild", s -> {
            s.emptyDir("consumequeue", "all queues lost");
            s.emptyDir("index", "index lost");
            s.rescanFromFirst();
        });
        both("cq-tail-zero-1", "last unit of the biggest queue zero", s -> s.zeroCqTail(s.biggest(), 1));
        both("cq-tail-zero-newest", "last unit of the queue that holds the newest message zero", s -> s.zeroCqTail(s.newest(), 1));
        both("cq-tail-zero-5-all", "last 5 units of every queue zero", s -> {
            for (Scan.Cq c : s.queues()) {
                s.zeroCqTail(c, 5);
            }
        });
        both("cq-ahead", "last 3 messages of the CommitLog zero: ConsumeQueue and index ahead", s -> {
            List<Scan.Msg> l = s.msgs();
            for (Scan.Msg m : l.subList(l.size() - 3, l.size())) {
                s.zero(m.file, m.pos, m.size, "message lost at " + m.phys);
            }
        });
        both("cq-unit-zero-size-mid", "size 0 in a unit in the middle of the biggest queue's last file but one", s -> {
            Scan.Cq c = s.biggest();
            int u = Math.max(1, c.units - 1 - c.perFile / 2);
            s.int32(c.fileOf(u), c.posOf(u) + 8, 0, "size of unit " + u);
        });
        both("cq-unit-negative-offset", "negative offset in a unit of the biggest queue", s -> {
            Scan.Cq c = s.biggest();
            int u = c.units / 2;
            s.int64(c.fileOf(u), c.posOf(u), -9, "offset of unit " + u);
        });
        both("cq-unit-huge-offset", "the last unit of the biggest queue points far beyond the log", s -> {
            Scan.Cq c = s.biggest();
            s.int64(c.fileOf(c.units - 1), c.posOf(c.units - 1), 1L << 40, "offset of unit " + (c.units - 1));
        });
        both("cq-duplicate-unit", "the last unit written twice: queue one unit too long", s -> {
            Scan.Cq c = s.biggest();
            for (Scan.Cq q : s.queues()) {
                if (q.units % q.perFile != 0 && q.units > 1 && (c.units % c.perFile == 0 || q.units > c.units)) {
                    c = q;
                }
            }
            byte[] f = Fs.read(s.dir.resolve(c.fileOf(c.units - 1)));
            int p = (int) c.posOf(c.units - 1);
            s.write(c.fileOf(c.units - 1), p + 20, java.util.Arrays.copyOfRange(f, p, p + 20), "duplicate of unit " + (c.units - 1));
        });
        both("cq-overlap", "a unit in the middle replaced by a copy of the unit before it", s -> {
            Scan.Cq c = s.biggest();
            int u = c.units - 3;
            byte[] f = Fs.read(s.dir.resolve(c.fileOf(u - 1)));
            int p = (int) c.posOf(u - 1);
            s.write(c.fileOf(u), c.posOf(u), java.util.Arrays.copyOfRange(f, p, p + 20), "unit " + u + " = unit " + (u - 1));
        });
        both("cq-first-file-deleted", "first file of the biggest queue deleted", s -> {
            Scan.Cq c = s.biggest();
            s.delete(c.rel + "/" + c.files.get(0), "file lost");
        });
        both("index-deleted", "index directory deleted", s -> s.delete("index", "index lost"));
        both("index-garbage", "last index file: header and 200 bytes random", s -> {
            List<String> n = Fs.names(s.dir.resolve("index"));
            s.write("index/" + n.get(n.size() - 1), 0, s.random(240), "garbage");
        });
        both("index-count-huge", "last index file: indexCount far beyond its capacity", s -> {
            List<String> n = Fs.names(s.dir.resolve("index"));
            s.int32("index/" + n.get(n.size() - 1), 36, 1 << 20, "indexCount");
        });
        both("index-name-not-number", "a file that is no time stamp in the index directory",
            s -> s.create("index/README.txt", "x".getBytes(), "stray file"));
        add("crash-index-newer-than-checkpoint", "crash", "checkpoint index time before every index file: all index files destroyed", s -> {
            s.int64("checkpoint", 16, 1, "indexMsgTimestamp");
        });
        add("crash-index-covered-by-checkpoint", "crash", "checkpoint index time after every index file: index files kept", s ->
            s.int64("checkpoint", 16, last(s).storeTs + 60000, "indexMsgTimestamp"));
        both("checkpoint-missing", "checkpoint deleted", s -> s.delete("checkpoint", "lost"));
        add("crash-checkpoint-zeroed", "crash", "checkpoint all zero", s -> s.zero("checkpoint", 0, 4096, "zero"));
        add("crash-checkpoint-ahead", "crash", "checkpoint newer than every message", s -> {
            long t = last(s).storeTs + 3_600_000;
            s.checkpoint(t, t, t, "newer than the log");
        });
        add("crash-checkpoint-old", "crash", "checkpoint older than every message", s ->
            s.checkpoint(1_000_000, 1_000_000, 1_000_000, "older than the log"));
        add("crash-checkpoint-at-tail", "crash", "checkpoint exactly the last message's store time", s -> {
            long t = last(s).storeTs;
            s.checkpoint(t, t, t, "store time of the last message");
        });
        add("crash-checkpoint-short", "crash", "checkpoint file 10 bytes long", s -> s.length("checkpoint", 10, "short"));
        both("retention-first-deleted", "first CommitLog file gone: queue minimum must move", s -> s.delete(log(s, 0), "retention"));
        both("retention-two-deleted-cq-lost", "first two CommitLog files and the biggest queue gone: rebuilt queue starts with blank units", s -> {
            s.delete(log(s, 0), "retention");
            s.delete(log(s, 0), "retention");
            s.delete(s.biggest().rel, "queue lost");
            s.rescanFromFirst();
        });
        both("middle-file-missing", "a CommitLog file in the middle missing", s -> {
            s.delete(log(s, 1), "file lost");
            s.rescanFromFirst();
        });
        add("crash-last-file-half", "crash", "last used CommitLog file cut to half its length", s ->
            s.length(log(s, -1), s.g.commitLog / 2, "wrong length"));
        add("crash-first-file-long", "crash", "first CommitLog file 100 bytes too long", s ->
            s.length(log(s, 0), s.g.commitLog + 100, "wrong length"));
        add("crash-last-file-empty", "crash", "the last file in the directory has length 0", s -> {
            List<String> n = Fs.names(s.dir.resolve("commitlog"));
            s.length("commitlog/" + n.get(n.size() - 1), 0, "created, not yet sized");
        });
        add("crash-middle-file-empty", "crash", "a CommitLog file in the middle has length 0", s -> s.length(log(s, 1), 0, "wrong length"));
        add("crash-cq-file-wrong-length", "crash", "a ConsumeQueue file of the wrong length", s -> {
            Scan.Cq c = s.biggest();
            s.length(c.fileOf(0), s.g.cqFile() - 7, "wrong length");
        });
        both("commitlog-empty", "no CommitLog file, ConsumeQueue and index present", s -> s.emptyDir("commitlog", "log lost"));
        add("crash-storets-zero-last-file", "crash", "store time 0 in the first message of the last file", s -> {
            Scan.Msg m = s.in(log(s, -1)).get(0);
            s.int64(m.file, m.storeTsPos, 0, "store time at " + m.phys);
            long t = last(s).storeTs + 60000;
            s.checkpoint(t, t, t, "newer than the log");
        });
        add("crash-clock-back", "crash", "store time of the last file's first message later than the checkpoint, older file matches", s -> {
            Scan.Msg m = s.in(log(s, -1)).get(0);
            long t = m.storeTs;
            s.checkpoint(t, t, t, "store time of the last file's first message: 3 s rule");
        });
        both("consumer-offset-beyond", "config/consumerOffset.json beyond every queue's maximum", s -> {
            StringBuilder sb = new StringBuilder("{\"offsetTable\":{");
            for (Scan.Cq c : s.queues()) {
                sb.append(sb.charAt(sb.length() - 1) == '{' ? "" : ",").append('"').append(c.topic).append("@group-1\":{")
                    .append(c.queueId).append(':').append(c.units + 1000).append('}');
            }
            s.create("config/consumerOffset.json", sb.append("}}").toString().getBytes(StandardCharsets.UTF_8), "beyond max");
        });
        if (Geometry.knowsPropCrc()) {
            add("propcrc-crash-intact", "propcrc", "CRC32 property appended and checked instead of the body CRC: nothing done", s -> { });
            add("propcrc-crash-torn-tail-props", "propcrc", "last message zero from inside its properties, with the property CRC on", s -> {
                Scan.Msg m = last(s);
                s.tornTail(m, m.propLenPos + 2 - m.pos + s.rnd.nextInt(Math.max(1, m.propLen)));
            });
            add("propcrc-crash-header-flip", "propcrc", "a bit of the born time flipped in the last file, with the property CRC on", s -> {
                Scan.Msg m = s.in(log(s, -1)).get(2);
                s.flip(m.file, m.pos + 45, "born time at phyOffset " + m.phys);
            });
        }
        add("many-crash-rescan", "many", "14 CommitLog files, checkpoint zero: 5.5.x looks at no more than 10 of them", Surgery::rescanFromFirst);
        add("many-crash-cq-deleted-all-rescan", "many", "14 CommitLog files, checkpoint zero, ConsumeQueue and index lost", s -> {
            s.emptyDir("consumequeue", "all queues lost");
            s.emptyDir("index", "index lost");
            s.rescanFromFirst();
        });
        add("many-clean-cq-deleted-all", "many", "14 CommitLog files, all ConsumeQueue directories deleted, abort removed", s -> {
            s.emptyDir("consumequeue", "all queues lost");
            s.abort(false);
        });
        add("many-clean-crc-file-10", "many", "14 CommitLog files, body bit flipped in the fourth last one, abort removed", s -> {
            s.flipBody(log(s, -4));
            s.abort(false);
        });
        add("crash-header-flip", "crash", "a bit of the born time flipped in the last file", s -> {
            Scan.Msg m = s.in(log(s, -1)).get(2);
            s.flip(m.file, m.pos + 45, "born time at phyOffset " + m.phys);
        });
        add("crash-abort-and-empty-store", "crash", "only abort is left", s -> {
            s.emptyDir("commitlog", "lost");
            s.emptyDir("consumequeue", "lost");
            s.emptyDir("index", "lost");
            s.delete("checkpoint", "lost");
        });
        Decisions.addTo(new Adder());
        if (Compat.V5) {
            DecisionsOf5.addTo(new Adder());
        }
    }

    /** Hands add and both to the other lists of scenarios. */
    static final class Adder {
        void add(String name, String base, String what, Consumer<Surgery> act) {
            Scenarios.add(name, base, what, act);
        }

        void both(String name, String what, Consumer<Surgery> act) {
            Scenarios.add("crash-" + name, "small-crash", what + " (abort present)", act);
            Scenarios.add("clean-" + name, "small-clean", what + " (abort absent)", act);
        }
    }
}
