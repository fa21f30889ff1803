package oracle;

import java.util.Map;
import org.apache.rocketmq.store.config.FlushDiskType;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/** File sizes of a store and the config flags that change how recovery reads it. */
final class Geometry implements Cloneable {
    int commitLog = 16384;
    int cqUnits = 64;
    int hashSlots = 100;
    int indexNum = 400;
    boolean propCrc;
    boolean crc = true;
    boolean indexEnable = true;
    boolean indexSafe;
    boolean dup;
    boolean checkOffset;
    /** mappedFileSizeConsumeQueueExt; 0: no queue extension files. */
    int ext;
    /** messageDelayLevel; null: the version's own. */
    String delayLevels;
    /** commitLogRecoverMaxNum; 0: the version's own. */
    int recoverMax;
    /** How long load() may take before it counts as endless. */
    long loadLimit = 60_000;
    /** How long dispatch may take to catch up, and how long it may stand still. */
    long startLimit = 12_000;
    long stuckLimit = 2_500;
    /** CommitLog files to fill; 0: a choice by file size. Only gen reads it. */
    int files;

    static Geometry of(String... kv) {
        Geometry g = new Geometry();
        for (String s : kv) {
            String[] p = s.split("=", 2);
            switch (p[0]) {
                case "cl": g.commitLog = Integer.parseInt(p[1]); break;
                case "cqUnits": g.cqUnits = Integer.parseInt(p[1]); break;
                case "slots": g.hashSlots = Integer.parseInt(p[1]); break;
                case "idx": g.indexNum = Integer.parseInt(p[1]); break;
                case "files": g.files = Integer.parseInt(p[1]); break;
                case "crc": g.crc = Boolean.parseBoolean(p[1]); break;
                case "indexEnable": g.indexEnable = Boolean.parseBoolean(p[1]); break;
                case "indexSafe": g.indexSafe = Boolean.parseBoolean(p[1]); break;
                case "dup": g.dup = Boolean.parseBoolean(p[1]); break;
                case "checkOffset": g.checkOffset = Boolean.parseBoolean(p[1]); break;
                case "ext": g.ext = Integer.parseInt(p[1]); break;
                case "recoverMax": g.recoverMax = Integer.parseInt(p[1]); break;
                case "delayLevels": g.delayLevels = p[1]; break;
                case "propCrc": g.propCrc = Boolean.parseBoolean(p[1]); break;
                default: throw new IllegalArgumentException("unknown geometry key " + s);
            }
        }
        return g;
    }

    /** A varied but fixed choice per seed. */
    static Geometry forSeed(long seed) {
        switch ((int) (seed % 3)) {
            case 1: return of("cl=16384", "cqUnits=16", "slots=100", "idx=120");
            case 2: return of("cl=32768", "cqUnits=64", "slots=100", "idx=400");
            default: return of("cl=16384", "cqUnits=8", "slots=50", "idx=60");
        }
    }

    Geometry copy() {
        try {
            return (Geometry) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Geometry forBase(String base, long seed) {
        if (base.equals("many")) {
            return of("cl=8192", "cqUnits=32", "slots=100", "idx=400", "files=13");
        }
        if (base.startsWith("small-")) {
            return of("cl=4096", "cqUnits=4", "slots=20", "idx=40", "files=5");
        }
        if (base.equals("tiny")) {
            return of("cl=4096", "cqUnits=8", "slots=20", "idx=60", "files=3");
        }
        return forSeed(seed).withPropCrc(base.equals("propcrc"));
    }

    static boolean knowsPropCrc() {
        return knows("forceVerifyPropCRC");
    }

    /** Whether this version has a setting. */
    static boolean knows(String setting) {
        return R.has(new MessageStoreConfig(), setting);
    }

    Geometry withPropCrc(boolean on) {
        propCrc = on;
        return this;
    }

    int cqFile() {
        return cqUnits * 20;
    }

    int indexFile() {
        return 40 + hashSlots * 4 + indexNum * 20;
    }

    MessageStoreConfig config(String root, boolean sync) {
        MessageStoreConfig c = new MessageStoreConfig();
        c.setStorePathRootDir(root);
        c.setStorePathCommitLog(root + "/commitlog");
        c.setMappedFileSizeCommitLog(commitLog);
        c.setMappedFileSizeConsumeQueue(cqFile());
        c.setMaxHashSlotNum(hashSlots);
        c.setMaxIndexNum(indexNum);
        c.setMessageIndexEnable(indexEnable);
        c.setMessageIndexSafe(indexSafe);
        c.setCheckCRCOnRecover(crc);
        // By reflection: a version that has no such setting must still compile, and says so only when asked for it.
        if (dup) {
            R.call(c, "setDuplicationEnable", true);
        }
        if (checkOffset) {
            R.call(c, "setCheckCommitLogOffsetOnRecover", true);
        }
        if (recoverMax > 0) {
            R.call(c, "setCommitLogRecoverMaxNum", recoverMax);
        }
        if (ext > 0) {
            c.setEnableConsumeQueueExt(true);
            c.setMappedFileSizeConsumeQueueExt(ext);
        }
        if (delayLevels != null) {
            c.setMessageDelayLevel(delayLevels);
        }
        c.setHaListenPort(0);
        c.setFlushDiskType(sync ? FlushDiskType.SYNC_FLUSH : FlushDiskType.ASYNC_FLUSH);
        c.setCleanFileForciblyEnable(false);
        c.setDiskMaxUsedSpaceRatio(95);
        c.setMaxMessageSize(65536);
        if (propCrc && knowsPropCrc()) {
            R.call(c, "setEnabledAppendPropCRC", true);
            R.call(c, "setForceVerifyPropCRC", true);
        }
        return c;
    }

    Map<String, Object> json() {
        Map<String, Object> m = Json.obj("mappedFileSizeCommitLog", commitLog, "mappedFileSizeConsumeQueue", cqFile(),
            "maxHashSlotNum", hashSlots, "maxIndexNum", indexNum, "messageIndexEnable", indexEnable,
            "messageIndexSafe", indexSafe, "checkCRCOnRecover", crc, "duplicationEnable", dup,
            "flushDiskTypeOnRecover", "ASYNC_FLUSH", "enabledAppendPropCRC", propCrc, "forceVerifyPropCRC", propCrc);
        if (checkOffset) {
            m.put("checkCommitLogOffsetOnRecover", true);
        }
        if (ext > 0) {
            m.put("enableConsumeQueueExt", true);
            m.put("mappedFileSizeConsumeQueueExt", ext);
        }
        if (recoverMax > 0) {
            m.put("commitLogRecoverMaxNum", recoverMax);
        }
        if (delayLevels != null) {
            m.put("messageDelayLevel", delayLevels);
        }
        return m;
    }
}
