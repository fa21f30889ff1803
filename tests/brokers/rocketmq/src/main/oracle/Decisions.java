package oracle;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Scenarios for single branches of the broker's code that the common kinds of damage do not reach. */
final class Decisions {
    private Decisions() { }

    private static String file(Surgery s, int i) {
        List<String> f = s.usedLogs();
        return f.get(i < 0 ? f.size() + i : i);
    }

    private static Scan.Msg midOf(Surgery s, String file) {
        List<Scan.Msg> l = s.in(file);
        return l.get(l.size() / 2);
    }

    private static Scan.Msg last(Surgery s) {
        List<Scan.Msg> l = s.msgs();
        return l.get(l.size() - 1);
    }

    private static String lastIndex(Surgery s) {
        List<String> n = Fs.names(s.dir.resolve("index"));
        return "index/" + n.get(n.size() - 1);
    }

    private static String firstIndex(Surgery s) {
        return "index/" + Fs.names(s.dir.resolve("index")).get(0);
    }

    private static void queuesLost(Surgery s) {
        s.emptyDir("consumequeue", "all queues lost: dispatch begins at the log's front");
    }

    private static void json(Surgery s, String path, String text, String why) {
        s.create(path, text.getBytes(StandardCharsets.UTF_8), why);
    }

    static void addTo(Scenarios.Adder add) {
        // What lies in the folders besides the store's own files.
        add.both("folder-in-topic", "a folder in a topic's folder that is no queue number", s ->
            s.mkdir("consumequeue/TopicA/readme-dir", "no queue number"));
        add.both("file-in-topic", "a file in a topic's folder, and one beside the topics", s -> {
            s.create("consumequeue/TopicA/readme.txt", new byte[] {1}, "stray file");
            s.create("consumequeue/readme.txt", new byte[] {1}, "stray file");
        });
        add.both("log-name-not-number", "a file of the right length in commitlog/ whose name is no number", s ->
            s.create("commitlog/readme.txt", new byte[s.g.commitLog], "stray file"));
        add.both("log-stray-short", "a short file in commitlog/ whose name is no number", s ->
            s.create("commitlog/readme.txt", new byte[5], "stray file"));
        add.both("log-folder", "a folder in commitlog/", s -> s.mkdir("commitlog/old", "stray folder"));
        add.both("queue-name-not-number", "a file of the right length in a queue's folder whose name is no number", s ->
            s.create(s.biggest().rel + "/readme.txt", new byte[s.g.cqFile()], "stray file"));
        add.both("queue-folder-empty", "a queue's folder without a file", s -> s.emptyDir(s.biggest().rel, "files lost"));
        add.both("queue-file-empty", "a queue's last file has length 0", s -> {
            Scan.Cq c = s.biggest();
            s.length(c.rel + "/" + c.files.get(c.files.size() - 1), 0, "created, not yet sized");
        });
        add.both("checkpoint-folder", "checkpoint is a folder", s -> {
            s.delete("checkpoint", "a folder instead");
            s.mkdir("checkpoint", "no file");
        });
        add.both("index-folder", "a folder in index/, after the files in name order", s -> s.mkdir("index/99999999999999999", "no file"));
        add.both("index-folder-first", "a folder in index/, before the files in name order", s ->
            s.mkdir("index/00000000000000000", "no file"));
        add.both("log-files-none-but-folder", "commitlog/ holds a folder alone", s -> {
            s.emptyDir("commitlog", "log lost");
            s.mkdir("commitlog/old", "stray folder");
        });

        // Index files.
        add.both("index-short", "the last index file is cut in its entries", s -> s.length(lastIndex(s), s.g.indexFile() / 2, "cut"));
        add.both("index-long", "the last index file is 100 bytes too long", s -> s.length(lastIndex(s), s.g.indexFile() + 100, "longer"));
        add.both("index-empty", "the last index file has length 0", s -> s.length(lastIndex(s), 0, "created, not yet sized"));
        add.both("index-count-zero", "indexCount 0 in the last index file", s -> s.int32(lastIndex(s), 36, 0, "indexCount"));
        add.both("index-count-negative", "indexCount -5 in the last index file", s -> s.int32(lastIndex(s), 36, -5, "indexCount"));
        add.both("index-slots-garbage", "slots beyond indexCount and negative in the last index file, last messages to be indexed anew", s -> {
            for (int i = 0; i < s.g.hashSlots; i++) {
                s.int32(lastIndex(s), 40 + i * 4L, i % 3 == 0 ? -7 : i % 3 == 1 ? 1 << 24 : 0, "slot " + i);
            }
            s.int64(lastIndex(s), 24, 0, "endPhyOffset");
            s.checkpoint(1, 1, last(s).storeTs + 60_000, "all index files kept, all messages dispatched");
        });
        add.both("index-begin-far", "the last index file begins 100 years before its messages, which are to be indexed anew", s -> {
            s.int64(lastIndex(s), 0, last(s).storeTs - 100L * 365 * 86_400_000, "beginTimestamp");
            s.int64(lastIndex(s), 24, 0, "endPhyOffset");
            s.checkpoint(1, 1, last(s).storeTs + 60_000, "all index files kept, all messages dispatched");
        });
        add.both("index-begin-later", "the last index file begins after its messages, which are to be indexed anew", s -> {
            s.int64(lastIndex(s), 0, last(s).storeTs + 1_000_000, "beginTimestamp");
            s.int64(lastIndex(s), 24, 0, "endPhyOffset");
            s.checkpoint(1, 1, last(s).storeTs + 60_000, "all index files kept, all messages dispatched");
        });
        add.both("index-begin-zero", "beginTimestamp 0 in the last index file, its messages are to be indexed anew", s -> {
            s.int64(lastIndex(s), 0, 0, "beginTimestamp");
            s.int64(lastIndex(s), 24, 0, "endPhyOffset");
            s.checkpoint(1, 1, last(s).storeTs + 60_000, "all index files kept, all messages dispatched");
        });
        add.both("index-end-ahead", "endPhyOffset of the last index file is beyond the log: nothing is indexed any more", s -> {
            s.int64(lastIndex(s), 24, 1L << 40, "endPhyOffset");
            s.checkpoint(1, 1, last(s).storeTs + 60_000, "all index files kept, all messages dispatched");
        });

        // config/delayOffset.json.
        add.both("delay-offsets", "delayOffset.json: one level within its queue, one beyond, one below, one without a queue", s -> {
            List<Scan.Cq> delayed = new ArrayList<>(s.queues());
            delayed.removeIf(c -> !c.topic.equals("SCHEDULE_TOPIC_XXXX"));
            StringBuilder sb = new StringBuilder("{\"offsetTable\":{");
            long[] at = {0, 1_000_000, -4, 1};
            int i = 0;
            for (Scan.Cq c : delayed) {
                sb.append(i > 0 ? "," : "").append(c.queueId + 1).append(':').append(at[i++ % 4]);
            }
            json(s, "config/delayOffset.json", sb.append(",40:7}}").toString(), "positions of the delay queues");
        });
        add.both("delay-offsets-broken", "delayOffset.json is no JSON, no backup", s ->
            json(s, "config/delayOffset.json", "{\"offsetTable\":{1:", "torn"));
        add.both("delay-offsets-broken-bak", "delayOffset.json is no JSON, the backup is good", s -> {
            json(s, "config/delayOffset.json", "{\"offsetTable\":{1:", "torn");
            json(s, "config/delayOffset.json.bak", "{\"offsetTable\":{1:0}}", "the one before");
        });
        add.both("delay-offsets-both-broken", "delayOffset.json and its backup are no JSON", s -> {
            json(s, "config/delayOffset.json", "{\"offsetTable\":{1:", "torn");
            json(s, "config/delayOffset.json.bak", "not JSON", "torn as well");
        });
        add.both("delay-offsets-empty", "delayOffset.json is empty, the backup is good", s -> {
            json(s, "config/delayOffset.json", "", "nothing written");
            json(s, "config/delayOffset.json.bak", "{\"offsetTable\":{1:0}}", "the one before");
        });
        add.both("delay-levels-bad", "messageDelayLevel has a level without a unit", s ->
            s.setting("delayLevels", "1s 5s 10", "no unit"));
        add.both("delay-levels-unknown-unit", "messageDelayLevel has a level with an unknown unit", s ->
            s.setting("delayLevels", "1s 5x", "no such unit"));
        add.both("delay-levels-few", "messageDelayLevel has two levels, queues are rebuilt", s -> {
            s.setting("delayLevels", "1s 2d", "fewer levels than the messages ask for");
            queuesLost(s);
        });

        // Messages that only dispatch finds wrong. The normal path reads the last three files; dispatch then begins at the front.
        add.add("clean-reput-totalsize-maxint", "small-clean", "total size 0x7fffffff in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.pos, Integer.MAX_VALUE, "total size at phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-reput-lengths-differ", "small-clean", "properties length 3 too small in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.write(m.file, m.propLenPos, new byte[] {(byte) ((m.propLen - 3) >> 8), (byte) (m.propLen - 3)}, "properties length");
            queuesLost(s);
        });
        add.add("clean-reput-size-plus-one", "small-clean", "total size one too large in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.pos, m.size + 1, "total size at phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-reput-magic", "small-clean", "bad magic in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.pos + 4, 0x0badcafe, "magic at phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-reput-negative-size", "small-clean", "total size -77 in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.pos, -77, "total size at phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-reput-body-flip", "small-clean", "a body bit flipped in the first file, queues lost (abort absent)", s -> {
            s.flipBody(file(s, 0));
            queuesLost(s);
        });
        add.add("clean-reput-body-negative", "small-clean", "body length -1 in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.bodyLenPos, -1, "body length");
            queuesLost(s);
        });
        add.add("clean-reput-topic-long", "small-clean", "topic length 127 in the last message of the first file, queues lost (abort absent)", s -> {
            List<Scan.Msg> l = s.in(file(s, 0));
            Scan.Msg m = l.get(l.size() - 1);
            s.write(m.file, m.topicLenPos, new byte[] {127}, "topic length at phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-reput-zero-head", "small-clean", "a message's first 8 bytes are zero in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.zero(m.file, m.pos, 8, "head of phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-reput-blank-magic", "small-clean", "blank magic in the middle of the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.pos + 4, 0xcbd43194, "blank magic at phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-middle-file-missing-queues-lost", "clean", "a log file in the middle and all queues lost (abort absent): dispatch waits for it", s -> {
            s.delete(file(s, 1), "file lost");
            queuesLost(s);
        });
        add.add("clean-log-name-off-grid", "small-clean", "a log file's name is no multiple of the file size, queues lost, no index (abort absent)", s -> {
            s.rename(file(s, 2), "commitlog/00000000000000000007", "renamed");
            queuesLost(s);
            s.setting("indexEnable", false, "the index would grow as long as the broker runs");
        });
        add.add("clean-first-file-missing-queues-lost", "small-clean", "the first log file and all queues lost (abort absent)", s -> {
            s.delete(file(s, 0), "file lost");
            queuesLost(s);
        });
        add.add("clean-queues-ahead-of-log", "small-clean", "the last two log files and the first unit of every queue's last file are lost (abort absent)", s -> {
            s.delete(file(s, -1), "file lost");
            s.delete(file(s, -1), "file lost");
        });

        add.add("clean-reput-totalsize-small", "small-clean", "total size 5 in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.pos, 5, "total size at phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-reput-topiclen-negative", "small-clean", "topic length -1 in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.write(m.file, m.topicLenPos, new byte[] {-1}, "topic length at phyOffset " + m.phys);
            queuesLost(s);
        });
        add.add("clean-reput-body-beyond-file", "small-clean", "a body that ends beyond its file, in the first file, queues lost (abort absent)", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.bodyLenPos, s.g.commitLog, "body length at phyOffset " + m.phys);
            queuesLost(s);
        });

        // The start file, and the check of a record.
        add.both("body-beyond-file", "total size and body length of a message reach beyond its file, checkpoint zero", s -> {
            Scan.Msg m = midOf(s, file(s, -2));
            s.int32(m.file, m.pos, 3 * s.g.commitLog, "total size at phyOffset " + m.phys);
            s.int32(m.file, m.bodyLenPos, 2 * s.g.commitLog, "body length at phyOffset " + m.phys);
            s.rescanFromFirst();
        });
        add.both("first-magic-broken", "bad magic in the last file's first message, checkpoint newer than all", s -> {
            Scan.Msg m = s.in(file(s, -1)).get(0);
            s.int32(m.file, m.pos + 4, 0x0badcafe, "magic at phyOffset " + m.phys);
            long t = last(s).storeTs + 60_000;
            s.checkpoint(t, t, t, "newer than all");
        });
        add.both("checkpoint-between", "checkpoint in the middle of the log's time", s -> {
            long t = midOf(s, file(s, 2)).storeTs;
            s.checkpoint(t, t, t, "store time of phyOffset " + midOf(s, file(s, 2)).phys);
        });
        add.both("checkpoint-between-index-safe", "checkpoint in the middle of the log's time, index time older, messageIndexSafe", s -> {
            long t = midOf(s, file(s, 3)).storeTs;
            s.checkpoint(t, t, midOf(s, file(s, 1)).storeTs, "index time older than the others");
            s.setting("indexSafe", true, "the index time counts");
        });

        // Queues that only their own recovery or only the truncation sees.
        add.both("cq-unit-zero-in-first-file", "the second unit of the biggest queue is zero, more than three files before its end", s -> {
            Scan.Cq c = s.biggest();
            s.zero(c.fileOf(1), c.posOf(1), 20, "unit 1");
        });
        add.both("cq-last-file-zero", "all units in the last file of a queue without the newest message are zero", s -> {
            Scan.Cq newest = s.newest();
            List<Scan.Cq> others = new ArrayList<>(s.queues());
            others.removeIf(c -> c.rel.equals(newest.rel) || c.units == 0);
            for (Scan.Cq c : others.subList(0, 2)) {
                s.zero(c.fileOf(c.units - 1), 0, s.g.cqFile(), "the last file's units of " + c.rel);
            }
        });
        add.both("cq-last-file-zero-size", "the first unit in the last file of a queue without the newest message has size 0", s -> {
            Scan.Cq newest = s.newest();
            List<Scan.Cq> others = new ArrayList<>(s.queues());
            others.removeIf(c -> c.rel.equals(newest.rel) || c.units == 0);
            Scan.Cq c = others.get(0);
            s.int32(c.fileOf(c.units - 1), 8, 0, "size of the last file's first unit of " + c.rel);
        });

        // Fields that steer dispatch.
        add.both("delay-property-not-number", "the DELAY property of a delayed message is no number, queues are rebuilt", s -> {
            for (Scan.Msg m : s.msgs()) {
                byte[] f = Fs.read(s.dir.resolve(m.file));
                int at = find(f, "DELAY\u0001", m.propLenPos + 2, m.pos + m.size);
                if (at > 0 && m.topic.equals("SCHEDULE_TOPIC_XXXX")) {
                    s.write(m.file, at + 6, new byte[] {'x'}, "DELAY property at phyOffset " + m.phys);
                    break;
                }
            }
            queuesLost(s);
            s.rescanFromFirst();
        });
        add.both("topic-with-nul", "a message of the last file whose topic has a NUL byte, its queues are rebuilt", s -> {
            List<Scan.Msg> l = s.in(file(s, -1));
            Scan.Msg m = l.get(l.size() / 2);
            s.write(m.file, m.topicLenPos + 1, new byte[] {0}, "first byte of the topic at phyOffset " + m.phys);
            queuesLost(s);
            s.rescanFromFirst();
            s.setting("startLimit", 60_000L, "the broker tries for 30 s to make the queue's file");
            s.setting("stuckLimit", 45_000L, "the broker tries for 30 s to make the queue's file");
            s.setting("loadLimit", 240_000L, "5.x dispatches in load()");
        });
        add.both("topic-with-slash", "a message of the last file whose topic begins with a slash, its queues are rebuilt", s -> {
            List<Scan.Msg> l = s.in(file(s, -1));
            Scan.Msg m = l.get(l.size() / 2);
            s.write(m.file, m.topicLenPos + 1, new byte[] {'/'}, "first byte of the topic at phyOffset " + m.phys);
            queuesLost(s);
            s.rescanFromFirst();
        });
        add.both("queue-offset-negative", "a message of the last file has queue offset -3, its queues are rebuilt", s -> {
            List<Scan.Msg> l = s.in(file(s, -1));
            Scan.Msg m = l.get(l.size() / 2);
            s.int64(m.file, m.pos + 20, -3, "queue offset at phyOffset " + m.phys);
            queuesLost(s);
            s.rescanFromFirst();
        });
        add.both("queue-offset-repeated", "a message of the last file has the queue offset of the one before, its queues are rebuilt", s -> {
            List<Scan.Msg> l = s.in(file(s, -1));
            l.removeIf(m -> !m.topic.equals("TopicA"));
            Scan.Msg m = l.get(l.size() - 1);
            s.int64(m.file, m.pos + 20, m.queueOffset - 1, "queue offset at phyOffset " + m.phys);
            queuesLost(s);
            s.rescanFromFirst();
        });
        add.both("queue-offset-ahead", "a message of the last file has a queue offset 100 too large, its queues are rebuilt", s -> {
            List<Scan.Msg> l = s.in(file(s, -1));
            l.removeIf(m -> !m.topic.equals("TopicA"));
            Scan.Msg m = l.get(l.size() - 1);
            s.int64(m.file, m.pos + 20, m.queueOffset + 100, "queue offset at phyOffset " + m.phys);
            queuesLost(s);
            s.rescanFromFirst();
        });
        add.both("log-ends-in-first-queue-file", "the log is cut in its first file: later queue files begin beyond it", s -> {
            Scan.Msg m = midOf(s, file(s, 0));
            s.int32(m.file, m.pos + 4, 0x0badcafe, "magic at phyOffset " + m.phys);
            for (String f : s.usedLogs().subList(1, s.usedLogs().size())) {
                s.delete(f, "file lost");
            }
            s.rescanFromFirst();
        });
        add.both("queue-one-unit-a-file", "queue files of one unit (mappedFileSizeConsumeQueue 20), the log's last message is torn", s -> {
            Scan.Msg t = last(s);
            for (Scan.Cq c : s.queues()) {
                byte[] all = new byte[c.units * 20];
                for (int u = 0; u < c.units; u++) {
                    System.arraycopy(Fs.read(s.dir.resolve(c.fileOf(u))), (int) c.posOf(u), all, u * 20, 20);
                }
                s.delete(c.rel, "cut into files of one unit");
                for (int u = 0; u < c.units; u++) {
                    Fs.write(s.dir.resolve(c.rel + String.format("/%020d", u * 20L)), Arrays.copyOfRange(all, u * 20, u * 20 + 20));
                }
                if (c.units == 0) {
                    s.mkdir(c.rel, "no unit");
                }
            }
            s.setting("cqUnits", 1, "one unit a file");
            s.setting("loadLimit", 8_000L, "endless");
            s.tornTail(t, 40);
        });
        add.both("log-length-zero-all", "every log file has length 0", s -> {
            for (String n : Fs.names(s.dir.resolve("commitlog"))) {
                s.length("commitlog/" + n, 0, "wrong length");
            }
        });
        add.both("log-one-file", "one log file and nothing else but the checkpoint", s -> {
            for (String f : Fs.names(s.dir.resolve("commitlog"))) {
                if (!("commitlog/" + f).equals(file(s, 0))) {
                    s.delete("commitlog/" + f, "file lost");
                }
            }
            s.delete("consumequeue", "lost");
            s.delete("index", "lost");
        });
        add.add("clean-tiny", "tiny", "a store of a few messages, stopped cleanly", s -> { });
        add.add("crash-tiny", "tiny", "a store of a few messages, as after a crash, checkpoint zero", s -> {
            s.abort(true);
            s.rescanFromFirst();
        });
        add.add("crash-tiny-queues-lost", "tiny", "a store of a few messages, queues and index lost, as after a crash", s -> {
            s.abort(true);
            queuesLost(s);
            s.emptyDir("index", "index lost");
            s.rescanFromFirst();
        });
    }

    private static int find(byte[] in, String word, int from, int to) {
        byte[] w = word.getBytes(StandardCharsets.UTF_8);
        for (int i = from; i + w.length <= to; i++) {
            if (Arrays.equals(Arrays.copyOfRange(in, i, i + w.length), w)) {
                return i;
            }
        }
        return -1;
    }
}
