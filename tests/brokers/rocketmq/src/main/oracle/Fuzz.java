package oracle;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** One to four random changes from a seed, and now and then another setting for the start. */
final class Fuzz {
    private Fuzz() { }

    static void act(Surgery s) {
        int n = 1 + s.rnd.nextInt(4);
        for (int i = 0; i < n; i++) {
            try {
                one(s);
            } catch (IndexOutOfBoundsException | IllegalArgumentException | NullPointerException e) {
                // the target is gone because of an earlier change
            }
        }
        if (s.rnd.nextInt(3) == 0) {
            s.abort(s.rnd.nextBoolean());
        }
        if (s.rnd.nextInt(3) == 0) {
            setting(s);
        }
        if (Compat.V5 && s.rnd.nextInt(3) == 0) {
            of5(s);
        }
    }

    /** What only 5.x reads, or reads in its own way. */
    private static void of5(Surgery s) {
        List<Scan.Msg> ms = s.msgs();
        if (ms.isEmpty()) {
            return;
        }
        if (!Files.exists(s.dir.resolve("checkpoint"))) {
            s.create("checkpoint", new byte[4096], "fuzz");
        }
        long phys = s.pick(ms).phys + s.rnd.nextInt(3) - 1;
        Scan.Msg m = s.pick(ms);
        switch (s.rnd.nextInt(7)) {
            case 0: s.int64("checkpoint", 32, phys, "fuzz confirmPhyOffset"); break;
            case 1: s.int64("checkpoint", 40, s.rnd.nextInt(4) == 0 ? 0 : phys, "fuzz logicsPhysicalOffset"); break;
            case 2: DecisionsOf5.withDupInfo(s, 1 + s.rnd.nextInt(ms.size()));
                s.int64("checkpoint", 32, phys, "fuzz confirmPhyOffset");
                s.setting("dup", true, "fuzz setting"); break;
            case 3: s.length(s.pick(new ArrayList<>(s.usedLogs())), 0, "fuzz log file of length 0"); break;
            case 4: s.setting(Geometry.knows("commitLogRecoverMaxNum") ? "recoverMax" : "cqUnits",
                Geometry.knows("commitLogRecoverMaxNum") ? 1 + s.rnd.nextInt(4) : s.g.cqUnits, "fuzz setting"); break;
            case 5: s.setting("checkOffset", Geometry.knows("checkCommitLogOffsetOnRecover"), "fuzz setting");
                s.int64(m.file, m.pos + 28, phys, "fuzz physical offset " + m.phys);
                break;
            default: s.int32(m.file, m.pos + 4, s.rnd.nextBoolean() ? 0xDAA320AB : 0xDAA320A7, "fuzz version " + m.phys);
        }
    }

    /** The store is recovered with one setting changed. */
    private static void setting(Surgery s) {
        String why = "fuzz setting";
        switch (s.rnd.nextInt(6)) {
            case 0: s.setting("crc", false, why); break;
            case 1: s.setting("indexEnable", false, why); break;
            case 2: s.setting("indexSafe", true, why); break;
            case 3: s.setting("dup", true, why); break;
            case 4: s.setting("delayLevels", "3s 1m 1h 2d", why); break;
            default: s.setting("indexSafe", true, why); s.setting("crc", false, why); break;
        }
    }

    private static void one(Surgery s) {
        List<Scan.Msg> ms = s.msgs();
        List<Scan.Cq> qs = s.queues();
        Scan.Msg m = ms.isEmpty() ? null : s.rnd.nextBoolean() ? ms.get(ms.size() - 1 - s.rnd.nextInt(Math.min(6, ms.size()))) : s.pick(ms);
        Scan.Cq c = qs.isEmpty() ? null : s.pick(qs);
        int u = c == null || c.units == 0 ? 0 : s.rnd.nextInt(c.units);
        List<String> idx = Fs.names(s.dir.resolve("index"));
        switch (s.rnd.nextInt(32)) {
            case 0: s.flip(m.file, m.bodyLenPos + 4 + s.rnd.nextInt(Math.max(1, m.bodyLen)), "fuzz body bit " + m.phys); break;
            case 1: s.flip(m.file, m.pos + s.rnd.nextInt(m.size), "fuzz any bit " + m.phys); break;
            case 2: s.tornTail(ms.get(ms.size() - 1), s.rnd.nextInt(ms.get(ms.size() - 1).size)); break;
            case 3: s.int32(m.file, m.pos, new int[] {-1, 0, m.size + 1, m.size - 1, s.g.commitLog, Integer.MAX_VALUE}[s.rnd.nextInt(6)],
                "fuzz total size " + m.phys); break;
            case 4: s.int32(m.file, m.pos + 4, s.rnd.nextBoolean() ? 0xcbd43194 : s.rnd.nextInt(), "fuzz magic " + m.phys); break;
            case 5: s.zero(m.file, m.pos, 1 + s.rnd.nextInt(m.size), "fuzz zero head " + m.phys); break;
            case 6: s.write(m.file, m.pos + s.rnd.nextInt(m.size), s.random(1 + s.rnd.nextInt(40)), "fuzz garbage " + m.phys); break;
            case 7: s.int64(m.file, m.storeTsPos, s.rnd.nextBoolean() ? 0 : m.storeTs + s.rnd.nextInt(1000000) - 500000, "fuzz store time " + m.phys); break;
            case 8: s.int64(m.file, m.pos + 20, m.queueOffset + s.rnd.nextInt(21) - 10, "fuzz queue offset " + m.phys); break;
            case 9: s.zeroCqTail(c, 1 + s.rnd.nextInt(12)); break;
            case 10: s.write(c.fileOf(u), c.posOf(u), s.random(20), "fuzz unit " + u + " of " + c.rel); break;
            case 11: s.zero(c.fileOf(u), c.posOf(u), 20, "fuzz zero unit " + u + " of " + c.rel); break;
            case 12: s.int64(c.fileOf(u), c.posOf(u), s.pick(ms).phys, "fuzz unit offset " + u + " of " + c.rel); break;
            case 13: s.delete(c.rel, "fuzz queue lost"); break;
            case 14: s.delete(c.rel + "/" + s.pick(c.files), "fuzz queue file lost"); break;
            case 15: s.checkpoint(s.pick(ms).storeTs, s.pick(ms).storeTs, s.pick(ms).storeTs, "fuzz checkpoint"); break;
            case 16: s.checkpoint(ms.get(ms.size() - 1).storeTs + 9000, ms.get(ms.size() - 1).storeTs + s.rnd.nextInt(9000),
                s.pick(ms).storeTs, "fuzz checkpoint late"); break;
            case 17: s.delete("checkpoint", "fuzz"); break;
            case 18: s.write("index/" + s.pick(idx), s.rnd.nextInt(s.g.indexFile()), s.random(1 + s.rnd.nextInt(20)), "fuzz index"); break;
            case 19: s.delete("index/" + s.pick(idx), "fuzz index file lost"); break;
            case 20: s.delete(s.pick(new ArrayList<>(s.usedLogs())), "fuzz log file lost"); break;
            case 21: s.write(ms.get(ms.size() - 1).file, ms.get(ms.size() - 1).pos + ms.get(ms.size() - 1).size,
                s.random(1 + s.rnd.nextInt(100)), "fuzz garbage behind tail"); break;
            case 22: s.zero(m.file, m.pos / 4096 * 4096, 4096, "fuzz zero page"); break;
            case 23: s.int32("index/" + s.pick(idx), 40 + 4L * s.rnd.nextInt(s.g.hashSlots), s.rnd.nextInt(2000) - 200, "fuzz index slot"); break;
            case 24: s.int32("index/" + s.pick(idx), 36, s.rnd.nextInt(s.g.indexNum + 20) - 10, "fuzz index count"); break;
            case 25: s.int64("index/" + s.pick(idx), 8L * s.rnd.nextInt(4), s.rnd.nextBoolean() ? m.storeTs : m.phys, "fuzz index head"); break;
            case 26: s.int32(m.file, m.bodyLenPos, m.bodyLen + s.rnd.nextInt(9) - 4, "fuzz body length " + m.phys); break;
            case 27: s.write(m.file, m.topicLenPos, new byte[] {(byte) (m.topicLen + s.rnd.nextInt(9) - 4)}, "fuzz topic length " + m.phys); break;
            case 28: s.write(m.file, m.propLenPos + 1, new byte[] {(byte) (m.propLen + s.rnd.nextInt(9) - 4)}, "fuzz properties length " + m.phys); break;
            case 29: s.int32(m.file, m.pos + 12, s.rnd.nextInt(6) - 1, "fuzz queue id " + m.phys); break;
            case 30: s.emptyDir("consumequeue", "fuzz all queues lost"); break;
            default: s.flip(c.fileOf(u), c.posOf(u) + s.rnd.nextInt(12), "fuzz unit bit " + u + " of " + c.rel); break;
        }
    }
}
