package oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.rocketmq.store.CommitLogDispatcher;
import org.apache.rocketmq.store.DefaultMessageStore;
import org.apache.rocketmq.store.DispatchRequest;

/** Runs the real load() and start() on a copy of a store and writes down what they did. */
final class Recover {

    private Recover() { }

    private static final class Count {
        long messages;
        long first = -1;
        long last = -1;

        Map<String, Object> json() {
            return Json.obj("messages", messages, "firstPhyOffset", first, "lastPhyOffset", last);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * indexMsgTimestamp is set by one short thread per full index file, in no order: it is no part of the stable golden.
     */
    private static Map<String, Object> state(DefaultMessageStore s, Geometry g, Path work, List<String> knownIndex,
        Map<String, Object> vol, String name) throws InterruptedException {
        for (int i = 0; i < 200 && flushing(); i++) {
            Thread.sleep(10);
        }
        Map<String, Object> m = State.all(s, g, work, knownIndex);
        Map<?, ?> cp = (Map<?, ?>) m.get("checkpoint");
        if (cp != null) {
            vol.put(name + "IndexMsgTimestamp", cp.remove("indexMsgTimestamp"));
            cp.remove("minTimestampIndex");
        }
        return m;
    }

    private static boolean flushing() {
        for (Thread t : Thread.getAllStackTraces().keySet()) {
            if (t.getName().equals("FlushIndexFileThread") && t.isAlive()) {
                return true;
            }
        }
        return false;
    }

    /** Runs a step in its own thread, which inherits the current Run, and gives it up after a limit. */
    private static Object within(long ms, java.util.concurrent.Callable<Object> step, String name) throws InterruptedException {
        AtomicReference<Object> out = new AtomicReference<>();
        Thread t = new Thread(() -> {
            try {
                out.set(step.call());
            } catch (Throwable e) {
                out.set(e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
        t.join(ms);
        if (t.isAlive()) {
            t.interrupt();
            return "timeout";
        }
        return out.get();
    }

    static String describe(Throwable t) {
        return t.getClass().getName() + ": " + t.getMessage();
    }

    static Map<String, Object> recover(Path store, Geometry g, Path work) throws Exception {
        Fs.delete(work);
        Fs.copy(store, work);
        for (String d : new String[] {"commitlog", "consumequeue"}) {
            Files.createDirectories(work.resolve(d));
        }
        Run run = new Run();
        Run before = Run.CURRENT.get();
        Run.CURRENT.set(run);
        try {
            return inRun(run, g, work);
        } finally {
            Run.CURRENT.set(before);
        }
    }

    private static Map<String, Object> inRun(Run run, Geometry g, Path work) throws Exception {
        Map<String, Object> out = Json.obj("schema", 1, "version", System.getProperty("oracle.version"), "geometry", g.json());
        Map<String, Object> vol = Json.obj();
        List<String> knownIndex = Fs.names(work.resolve("index"));
        List<String> logsBefore = Fs.names(work.resolve("commitlog"));
        out.put("lastExitOK", !Files.exists(work.resolve("abort")));
        out.put("commitLogFilesBefore", new ArrayList<Object>(logsBefore));
        out.put("checkpointFileBefore", State.checkpointFile(work));

        DefaultMessageStore s = Compat.newStore(g.config(work.toString(), false));
        Count[] counts = {new Count(), new Count()};
        int[] phase = {0};
        s.getDispatcherList().addFirst(new CommitLogDispatcher() {
            @Override
            public void dispatch(DispatchRequest r) {
                Count c = counts[phase[0]];
                c.messages++;
                if (c.messages % 5 == 0) {
                    // Index files are named by the millisecond. Two that fill within one would share a file; a real one
                    // holds 20 million entries, ours a hundred.
                    pause();
                }
                c.first = c.first < 0 ? r.getCommitLogOffset() : c.first;
                c.last = r.getCommitLogOffset();
            }
        });

        long t0 = System.nanoTime();
        Object res = within(g.loadLimit, s::load, "load");
        vol.put("loadMs", (System.nanoTime() - t0) / 1_000_000);
        out.put("load", Json.obj("result", res instanceof Boolean ? res : null,
            "exception", res instanceof Throwable ? describe((Throwable) res) : null, "timeout", "timeout".equals(res)));
        List<Run.Line> loadLines;
        synchronized (run.lines) {
            loadLines = new ArrayList<>(run.lines);
        }
        boolean ok = Boolean.TRUE.equals(res);
        out.put("recovery", path(loadLines, ok, s, logsBefore, work));
        out.put("dispatchedDuringLoad", counts[0].json());
        if (ok) {
            out.put("afterLoad", state(s, g, work, knownIndex, vol, "afterLoad"));
            // The expected entry point of the dispatcher: 4.9.x works it out in start(), 5.x takes the confirm offset.
            long entry = s.getCommitLog().getConfirmOffset();
            run.phase = "start";
            phase[0] = 1;
            Compat.beforeStart(s);
            start(s, g, out, vol, run, entry);
            out.put("dispatchedAfterStart", counts[1].json());
            Map<String, Object> after = state(s, g, work, knownIndex, vol, "afterReput");
            out.put("afterReput", after);
            out.put("checkpointFileAfter", "volatile");
            vol.put("checkpointFileAfter", State.checkpointFile(work));
            if (Compat.V5) {
                // The first background flush after start() may or may not have copied these by now.
                vol.put("checkpointAfterReput", after.remove("checkpoint"));
            }
            Map<?, ?> then = (Map<?, ?>) out.get("afterLoad");
            after.replaceAll((k, v) -> v != null && Json.compact(v).equals(Json.compact(then.get(k))) ? "same" : v);
        }
        run.closed = true;
        out.put("abortAfter", Files.exists(work.resolve("abort")));
        Path backup = work.resolve("abort.bak");
        out.put("abortBackup", Files.exists(backup) ? Files.readString(backup) : null);
        out.put("log", log(run, work, knownIndex));
        out.put("volatile", vol);

        Thread end = new Thread(() -> {
            try {
                if (ok) {
                    s.shutdown();
                } else {
                    R.call(R.get(s, "allocateMappedFileService"), "shutdown");
                }
            } catch (Throwable e) {
                // the store is past helping
            } finally {
                try {
                    Fs.delete(work);
                } catch (RuntimeException e) {
                    // run.sh's caller removes the temp folder
                }
            }
        }, "teardown");
        end.setDaemon(true);
        end.start();
        return out;
    }

    private static void start(DefaultMessageStore s, Geometry g, Map<String, Object> out, Map<String, Object> vol, Run run, long entry)
        throws InterruptedException {
        AtomicReference<Object> done = new AtomicReference<>();
        Thread t = new Thread(() -> {
            try {
                s.start();
                done.set("ok");
            } catch (Throwable e) {
                done.set(e);
            }
        }, "start");
        t.setDaemon(true);
        long t0 = System.nanoTime();
        t.start();
        Object reput = R.get(s, "reputMessageService");
        long end = System.currentTimeMillis() + g.startLimit;
        long seen = Long.MIN_VALUE;
        long since = System.currentTimeMillis();
        String how = "timeout";
        while (System.currentTimeMillis() < end) {
            Thread.sleep(20);
            long from = R.num(reput, "reputFromOffset");
            if (from != seen) {
                seen = from;
                since = System.currentTimeMillis();
            }
            Object d = done.get();
            if (d instanceof Throwable) {
                how = "exception";
                break;
            }
            if (d != null && s.dispatchBehindBytes() <= 0) {
                how = "caughtUp";
                break;
            }
            if (System.currentTimeMillis() - since > g.stuckLimit && s.dispatchBehindBytes() > 0) {
                how = "stuck";
                break;
            }
        }
        vol.put("startMs", (System.nanoTime() - t0) / 1_000_000);
        Thread.sleep(150);
        Long from = null;
        synchronized (run.lines) {
            for (Run.Line l : run.lines) {
                Matcher m = Pattern.compile("\\[SetReputOffset\\] maxPhysicalPosInLogicQueue=(-?\\d+)").matcher(l.text);
                if (m.find()) {
                    from = Long.parseLong(m.group(1));
                }
            }
        }
        out.put("reput", Json.obj("outcome", how,
            "exception", done.get() instanceof Throwable ? describe((Throwable) done.get()) : null,
            "reputFromOffsetAtStart", from != null ? from : (Long) entry,
            "reputFromOffsetAtStartSource", from != null ? "log" : "confirmOffset before start()",
            "reputFromOffset", R.num(reput, "reputFromOffset"),
            "dispatchBehindBytes", s.dispatchBehindBytes()));
        if (done.get() == null) {
            t.interrupt();
        }
    }

    private static final Pattern NEXT = Pattern.compile("recover next physics file,? *(\\S+)");
    private static final Pattern END = Pattern.compile("recover (?:last 3 )?physics file (end|over),? *(?:last mapped file )?(\\S+)(?: pos=(\\d+))?");
    private static final Pattern FROM = Pattern.compile("recover from this mapped file (\\S+)");
    private static final Pattern MAXCQ = Pattern.compile("maxPhyOffsetOfConsumeQueue\\((-?\\d+)\\) >= processOffset\\((-?\\d+)\\)");

    private static String name(String p) {
        return p.substring(p.lastIndexOf('/') + 1).replaceAll("[^0-9-]", "");
    }

    private static Map<String, Object> path(List<Run.Line> lines, boolean ok, DefaultMessageStore s, List<String> logsBefore, Path work) {
        List<Object> visited = new ArrayList<>();
        String path = null;
        String from = null;
        String endKind = null;
        String endFile = null;
        Object endPos = null;
        Object maxCq = null;
        List<String> loaded = new ArrayList<>();
        for (Run.Line l : lines) {
            Matcher m;
            if (l.text.startsWith("last shutdown ")) {
                path = l.text.contains("abnormally") ? "abnormal" : "normal";
            }
            if (l.text.startsWith("load ") && l.text.endsWith(" OK") && l.text.contains("/commitlog/")) {
                loaded.add(name(l.text.substring(5, l.text.length() - 3)));
            }
            if ((m = FROM.matcher(l.text)).find()) {
                from = name(m.group(1));
            }
            if ((m = NEXT.matcher(l.text)).find()) {
                visited.add(name(m.group(1)));
            }
            if ((m = END.matcher(l.text)).find()) {
                endKind = m.group(1);
                endFile = name(m.group(2));
                endPos = m.group(3) == null ? null : Long.parseLong(m.group(3));
            }
            if ((m = MAXCQ.matcher(l.text)).find()) {
                maxCq = Long.parseLong(m.group(1));
            }
        }
        String start = null;
        if (!visited.isEmpty()) {
            int i = loaded.indexOf(visited.get(0).toString());
            start = i > 0 ? loaded.get(i - 1) : null;
        } else if (endFile != null) {
            start = endFile;
        }
        if (start != null) {
            visited.add(0, start);
        }
        return Json.obj("path", path, "startFile", start, "startFileMatchedCheckpoint", from != null,
            "visitedFiles", visited, "endedBy", endKind, "endBufferPosition", endPos,
            "processOffset", ok ? (Object) R.callNum(R.get(s.getCommitLog(), "mappedFileQueue"), "getFlushedWhere") : null,
            "maxPhyOffsetOfConsumeQueueInLog", maxCq);
    }

    static List<Object> log(Run run, Path work, List<String> knownIndex) {
        List<Run.Line> ls;
        synchronized (run.lines) {
            ls = new ArrayList<>(run.lines);
        }
        // Threads run side by side; order within one thread is what counts.
        ls.sort(Comparator.comparing((Run.Line l) -> l.phase.equals("load") ? 0 : 1)
            .thenComparing(l -> l.thread.equals("load") || l.thread.equals("start") ? "" : l.thread.replaceAll("\\d+", "#")));
        List<String> out = new ArrayList<>();
        Map<String, String> fresh = Json.<String>strings();
        Pattern idx = Pattern.compile("(?<=\\$STORE/index/)\\d{17}");
        for (Run.Line l : ls) {
            String t = l.text.replace(work.toString(), "$STORE");
            // The RocksDB that 5.5.x opens beside the file queues is no part of this oracle.
            if (l.logger.contains("RocksDB") || t.contains("rocksdbstore") || t.contains("RocksDB") || t.endsWith(" service started") || t.endsWith(" service end") || t.endsWith("interrupted, possibly by shutdown.")
                || l.thread.startsWith("FlushIndexFileThread") || l.logger.equals("RocketmqCommon") && l.level.equals("INFO")) {
                continue;
            }
            if (t.startsWith("Try to finish doing reput") || t.contains("PutMessage") || t.startsWith("AcceptSocketService")
                || t.contains("HAClient") || t.contains("physic disk") || t.contains("listen")) {
                continue;
            }
            t = t.replaceAll("\\d+ ms\\b", "# ms").replaceAll("(?i)(elapsed|cost) time\\(ms\\)( ?[=:]? ?)\\d+", "$1 time(ms)$2#")
                .replaceAll("(?i)((?:time|state)[:=] ?)\\d+(?= ?ms)", "$1#");
            // "unmap file" and "delete file" lines end with the milliseconds it took.
            t = t.replaceAll("(OK, W:-?\\d+ M:-?\\d+, )[\\d,.]+$", "$1#");
            Matcher m = idx.matcher(t);
            StringBuilder sb = new StringBuilder();
            while (m.find()) {
                String n = m.group();
                String r = knownIndex.contains(n) ? n : fresh.computeIfAbsent(n, k -> "<new-" + (fresh.size() + 1) + ">");
                m.appendReplacement(sb, Matcher.quoteReplacement(r));
            }
            m.appendTail(sb);
            String th = l.thread.equals("load") || l.thread.equals("start") ? "main" : l.thread.replaceAll("\\d+", "#");
            out.add(l.phase + " [" + th + "] " + l.level + " " + l.logger + " - " + sb);
        }
        // Directories are read in no order: sort each run of "load consume queue" lines (with the file lines before them).
        List<Object> res = new ArrayList<>();
        List<String> block = new ArrayList<>();
        for (String x : out) {
            if (x.contains(" - load consume queue ") || x.contains(" - load $STORE/consumequeue/") || x.contains(" - $STORE/consumequeue/")) {
                block.add(x);
            } else {
                Collections.sort(block);
                res.addAll(block);
                block.clear();
                res.add(x);
            }
        }
        Collections.sort(block);
        res.addAll(block);
        return res;
    }
}
