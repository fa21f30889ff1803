package oracle;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Scenarios for branches that only 5.x has. */
final class DecisionsOf5 {
    private DecisionsOf5() { }

    private static String file(Surgery s, int i) {
        List<String> f = s.usedLogs();
        return f.get(i < 0 ? f.size() + i : i);
    }

    private static Scan.Msg last(Surgery s) {
        List<Scan.Msg> l = s.msgs();
        return l.get(l.size() - 1);
    }

    /** Every UNIQ_KEY becomes a DUP_INFO of two parts, which is as long. */
    static void withDupInfo(Surgery s, int until) {
        int i = 0;
        for (Scan.Msg m : s.msgs()) {
            byte[] f = Fs.read(s.dir.resolve(m.file));
            int at = find(f, "UNIQ_KEY\u0001", m.propLenPos + 2, m.pos + m.size);
            if (at > 0 && i++ < until) {
                s.write(m.file, at, "DUP_INFO\u0001a_b".getBytes(StandardCharsets.UTF_8), "UNIQ_KEY becomes DUP_INFO");
            }
        }
    }

    /** The properties of a message become these, filled up to their length. */
    private static void properties(Surgery s, Scan.Msg m, String text) {
        byte[] p = new byte[m.propLen];
        Arrays.fill(p, (byte) 'x');
        byte[] t = (text + "\u0002P\u0001").getBytes(StandardCharsets.UTF_8);
        System.arraycopy(t, 0, p, 0, t.length);
        s.write(m.file, m.propLenPos + 2, p, "properties of phyOffset " + m.phys);
    }

    private static Scan.Msg longProperties(Surgery s, String file) {
        List<Scan.Msg> l = s.in(file);
        for (Scan.Msg m : l.subList(l.size() / 2, l.size())) {
            if (m.propLen > 60) {
                return m;
            }
        }
        throw new IllegalStateException("no message with long properties");
    }

    static void addTo(Scenarios.Adder add) {
        add.both("dup-plain", "duplicationEnable over a store that nothing else was done to", s -> s.setting("dup", true, "duplicationEnable"));
        add.both("delay-levels-bad-queues-lost", "messageDelayLevel has a level without a unit, queues are rebuilt", s -> {
            s.setting("delayLevels", "1s 5s 10", "no unit");
            s.emptyDir("consumequeue", "all queues lost");
            s.rescanFromFirst();
        });
        add.both("dup-confirmed", "duplicationEnable, DUP_INFO in every message, confirmPhyOffset in the middle of the last file", s -> {
            withDupInfo(s, Integer.MAX_VALUE);
            List<Scan.Msg> l = s.in(file(s, -1));
            s.int64("checkpoint", 32, l.get(l.size() / 2).phys, "confirmPhyOffset");
            s.setting("dup", true, "duplicationEnable");
            s.emptyDir("consumequeue", "all queues lost");
        });
        add.both("dup-no-checkpoint", "duplicationEnable, DUP_INFO in the first 40 messages, no checkpoint", s -> {
            withDupInfo(s, 40);
            s.delete("checkpoint", "lost");
            s.setting("dup", true, "duplicationEnable");
        });
        add.add("crash-dup-version-2-at-confirm", "crash", "duplicationEnable, DUP_INFO in every message, the log ends in a message of version 2", s -> {
            withDupInfo(s, Integer.MAX_VALUE);
            List<Scan.Msg> l = s.msgs();
            l.removeIf(m -> m.topic.length() < 100);
            Scan.Msg m = l.get(0);
            int end = m.pos + m.size;
            s.zero(m.file, end, Math.min(8, s.g.commitLog - end), "the log ends here");
            s.setting("dup", true, "duplicationEnable");
            s.rescanFromFirst();
        });
        add.both("queue-one-unit-a-file-alone", "one queue, in files of one unit (mappedFileSizeConsumeQueue 20), its last message is torn", s -> {
            Scan.Msg t = last(s);
            Scan.Cq c = s.newest();
            for (Scan.Cq other : s.queues()) {
                if (!other.rel.equals(c.rel)) {
                    s.delete(other.rel, "only one queue is left");
                }
            }
            byte[] all = new byte[c.units * 20];
            for (int u = 0; u < c.units; u++) {
                System.arraycopy(Fs.read(s.dir.resolve(c.fileOf(u))), (int) c.posOf(u), all, u * 20, 20);
            }
            s.delete(c.rel, "cut into files of one unit");
            for (int u = 0; u < c.units; u++) {
                Fs.write(s.dir.resolve(c.rel + String.format("/%020d", u * 20L)), Arrays.copyOfRange(all, u * 20, u * 20 + 20));
            }
            s.setting("cqUnits", 1, "one unit a file");
            s.setting("loadLimit", 8_000L, "endless");
            s.tornTail(t, 40);
        });
        add.both("inner-batch-number", "a message of the last file with INNER_BASE and INNER_NUM", s ->
            properties(s, longProperties(s, file(s, -1)), "INNER_BASE\u00017\u0002INNER_NUM\u00013"));
        add.both("inner-batch-no-number", "a message of the last file whose INNER_NUM is no number", s ->
            properties(s, longProperties(s, file(s, -1)), "INNER_BASE\u00017\u0002INNER_NUM\u0001x3"));
        add.both("inner-batch-too-many", "a message of the last file whose INNER_NUM is too large for a short", s ->
            properties(s, longProperties(s, file(s, -1)), "INNER_BASE\u00017\u0002INNER_NUM\u000140000"));
        add.both("queue-ends-at-file-end", "a queue ends where a file ends, and the next file has no unit yet", s -> {
            Scan.Cq newest = s.newest();
            List<Scan.Cq> others = new ArrayList<>(s.queues());
            others.removeIf(c -> c.rel.equals(newest.rel) || c.files.size() < 2);
            Scan.Cq c = others.get(0);
            int unit = (c.units - 1) / c.perFile * c.perFile;
            s.zero(c.fileOf(unit), 0, s.g.cqFile(), "the last file's units");
            Scan.Cq n = s.newest();
            s.zero(n.fileOf(n.units - 1), n.posOf(n.units - 1), 20, "the newest unit: the queues are not ahead of the log");
        });
        add.both("queues-point-before-log", "the first two log files are deleted, and with them all messages of a queue", s -> {
            s.delete(file(s, 0), "retention");
            s.delete(file(s, 0), "retention");
        });
        add.both("prop-crc-asked", "forceVerifyPropCRC over a log without property CRC", s -> s.setting("propCrc", true, "asked for now"));
        if (Geometry.knows("checkCommitLogOffsetOnRecover")) {
            newest(add);
        }
        add.both("first-message-blank", "the last file begins with a blank", s -> {
            Scan.Msg m = s.in(file(s, -1)).get(0);
            s.int32(m.file, m.pos + 4, 0xcbd43194, "blank magic at phyOffset " + m.phys);
        });
        add.both("first-message-torn", "the last file's first message has a wrong body", s -> {
            for (Scan.Msg m : s.in(file(s, -1)).subList(0, 1)) {
                s.int32(m.file, m.pos + 8, 0x01020304, "body CRC at phyOffset " + m.phys);
            }
        });
        add.both("logics-offset-zero", "the checkpoint has no logicsPhysicalOffset, and a time of the queues in the middle of the log", s -> {
            List<Scan.Msg> l = s.in(file(s, 2));
            long t = l.get(l.size() / 2).storeTs;
            s.checkpoint(t, t, t, "store time of phyOffset " + l.get(l.size() / 2).phys);
            s.int64("checkpoint", 40, 0, "logicsPhysicalOffset");
        });
        add.both("logics-offset-beyond", "the checkpoint's logicsPhysicalOffset is beyond the log", s ->
            s.int64("checkpoint", 40, last(s).phys + 1_000_000, "logicsPhysicalOffset"));
        add.both("size-near-smallest", "a total size near the smallest number", s -> {
            List<Scan.Msg> l = s.in(file(s, -1));
            Scan.Msg m = l.get(l.size() / 2);
            s.int32(m.file, m.pos, Integer.MIN_VALUE + 2, "total size at phyOffset " + m.phys);
        });
    }

    /** What 5.5 added settings for. */
    private static void newest(Scenarios.Adder add) {
        add.both("offset-field-other-file", "a message of the last file says that it stands in the first, checkCommitLogOffsetOnRecover", s -> {
            List<Scan.Msg> l = s.in(file(s, -1));
            Scan.Msg m = l.get(l.size() / 2);
            s.int64(m.file, m.pos + 28, 17, "physical offset of phyOffset " + m.phys);
            s.setting("checkOffset", true, "checkCommitLogOffsetOnRecover");
        });
        add.both("recover-two-files", "commitLogRecoverMaxNum 2, checkpoint zero, queues lost", s -> {
            s.rescanFromFirst();
            s.emptyDir("consumequeue", "all queues lost");
            s.setting("recoverMax", 2, "commitLogRecoverMaxNum");
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
