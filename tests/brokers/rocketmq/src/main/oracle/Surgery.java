package oracle;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Byte-level changes to a copied store. Every change is recorded in ops, in order. */
final class Surgery {
    final Path dir;
    /** The sizes the store was made with; a scenario may set what it is recovered with. */
    final Geometry g;
    final Random rnd;
    final List<Object> ops = new ArrayList<>();

    Surgery(Path dir, Geometry g, long seed) {
        this.dir = dir;
        this.g = g;
        this.rnd = new Random(seed);
    }

    List<Scan.Msg> msgs() {
        return Scan.messages(dir);
    }

    List<Scan.Cq> queues() {
        return Scan.queues(dir, g);
    }

    /** CommitLog files that hold a message, in order. */
    List<String> usedLogs() {
        List<String> r = new ArrayList<>();
        for (Scan.Msg m : msgs()) {
            if (!r.contains(m.file)) {
                r.add(m.file);
            }
        }
        return r;
    }

    List<Scan.Msg> in(String file) {
        List<Scan.Msg> r = new ArrayList<>(msgs());
        r.removeIf(m -> !m.file.equals(file));
        return r;
    }

    private static String hex(byte[] b, int from, int len) {
        StringBuilder sb = new StringBuilder();
        for (int i = from; i < from + len && i < from + 48; i++) {
            sb.append(String.format("%02x", b[i]));
        }
        return sb + (len > 48 ? "…" : "");
    }

    void write(String rel, long off, byte[] data, String why) {
        Path p = dir.resolve(rel);
        byte[] f = Fs.read(p);
        int n = (int) Math.min(data.length, f.length - off);
        if (n <= 0) {
            return;
        }
        ops.add(Json.obj("op", "write", "file", rel, "offset", off, "length", n, "old", hex(f, (int) off, n),
            "new", hex(data, 0, n), "why", why));
        System.arraycopy(data, 0, f, (int) off, n);
        Fs.write(p, f);
    }

    void int32(String rel, long off, int v, String why) {
        write(rel, off, ByteBuffer.allocate(4).putInt(v).array(), why);
    }

    void int64(String rel, long off, long v, String why) {
        write(rel, off, ByteBuffer.allocate(8).putLong(v).array(), why);
    }

    void zero(String rel, long off, int len, String why) {
        write(rel, off, new byte[len], why);
    }

    void flip(String rel, long off, String why) {
        byte[] f = Fs.read(dir.resolve(rel));
        write(rel, off, new byte[] {(byte) (f[(int) off] ^ (1 << rnd.nextInt(8)))}, why);
    }

    void delete(String rel, String why) {
        if (Files.exists(dir.resolve(rel))) {
            ops.add(Json.obj("op", "delete", "path", rel, "why", why));
            Fs.delete(dir.resolve(rel));
        }
    }

    void length(String rel, int len, String why) {
        byte[] f = Fs.read(dir.resolve(rel));
        ops.add(Json.obj("op", "setLength", "file", rel, "old", f.length, "new", len, "why", why));
        Fs.write(dir.resolve(rel), Arrays.copyOf(f, len));
    }

    void create(String rel, byte[] data, String why) {
        ops.add(Json.obj("op", "create", "file", rel, "length", data.length, "hex", hex(data, 0, data.length), "why", why));
        Fs.write(dir.resolve(rel), data);
    }

    void mkdir(String rel, String why) {
        ops.add(Json.obj("op", "mkdir", "path", rel, "why", why));
        try {
            Files.createDirectories(dir.resolve(rel));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    void rename(String from, String to, String why) {
        ops.add(Json.obj("op", "rename", "path", from, "to", to, "why", why));
        byte[] b = Fs.read(dir.resolve(from));
        Fs.delete(dir.resolve(from));
        Fs.write(dir.resolve(to), b);
    }

    void setting(String key, Object value, String why) {
        ops.add(Json.obj("op", "setting", "key", key, "value", value, "why", why));
        try {
            java.lang.reflect.Field f = Geometry.class.getDeclaredField(key);
            f.set(g, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(key, e);
        }
    }

    void emptyDir(String rel, String why) {
        for (String n : Fs.names(dir.resolve(rel))) {
            delete(rel + "/" + n, why);
        }
    }

    void abort(boolean present) {
        if (!present) {
            delete("abort", "as if the shutdown had been clean");
        } else if (!Files.exists(dir.resolve("abort"))) {
            create("abort", Compat.V5 ? "4242".getBytes() : new byte[0], "as if the broker had crashed");
        }
    }

    /** The three timestamps every version has. */
    void checkpoint(long physic, long logics, long index, String why) {
        if (!Files.exists(dir.resolve("checkpoint"))) {
            create("checkpoint", new byte[4096], why);
        }
        int64("checkpoint", 0, physic, why);
        int64("checkpoint", 8, logics, why);
        int64("checkpoint", 16, index, why);
    }

    void rescanFromFirst() {
        zero("checkpoint", 0, 48, "recovery must start from the first file");
    }

    byte[] random(int n) {
        byte[] b = new byte[n];
        rnd.nextBytes(b);
        return b;
    }

    <T> T pick(List<T> l) {
        return l.get(rnd.nextInt(l.size()));
    }

    // ---- pieces that scenarios and fuzz share

    void tornTail(Scan.Msg m, int from) {
        zero(m.file, m.pos + from, m.size - from, "torn tail: last message zero from byte " + from + " of " + m.size);
    }

    void flipBody(String file) {
        List<Scan.Msg> l = in(file);
        l.removeIf(m -> m.bodyLen == 0);
        Scan.Msg m = l.get(l.size() / 2);
        flip(m.file, m.bodyLenPos + 4 + rnd.nextInt(m.bodyLen), "body bit flip at phyOffset " + m.phys);
    }

    void zeroCqTail(Scan.Cq c, int n) {
        for (int i = 0; i < n && c.units - 1 - i >= 0; i++) {
            int u = c.units - 1 - i;
            zero(c.fileOf(u), c.posOf(u), 20, "zero unit " + u + " of " + c.rel);
        }
    }

    Scan.Cq biggest() {
        Scan.Cq b = null;
        for (Scan.Cq c : queues()) {
            if (b == null || c.units > b.units) {
                b = c;
            }
        }
        return b;
    }

    /** The queue whose last unit is the newest message of all queues. */
    Scan.Cq newest() {
        Scan.Cq b = null;
        for (Scan.Cq c : queues()) {
            if (b == null || c.lastPhy > b.lastPhy) {
                b = c;
            }
        }
        return b;
    }
}
