package oracle;

import java.io.PrintStream;
import java.lang.reflect.*;
import java.nio.ByteBuffer;
import java.util.*;

/** Records of __cluster_metadata and of its control batches, written by the real classes, each empty and filled: one JSON line each, the data as Kafka's own converter shows it. */
final class MetadataRecords {
    private static final String GENERATED = "org.apache.kafka.common.metadata.", CONTROL = "org.apache.kafka.common.message.";
    private static final String[] CONTROLS = {"LeaderChangeMessage", "SnapshotHeaderRecord", "SnapshotFooterRecord", "KRaftVersionRecord", "VotersRecord"};
    private static final int[] CONTROL_TYPES = {2, 3, 4, 5, 6};

    private MetadataRecords() {}

    static void write(PrintStream out) throws Exception {
        for (Object type : Dyn.need(GENERATED + "MetadataRecordType").getEnumConstants()) {
            short low = (short) Dyn.lng(type, "lowestSupportedVersion"), high = (short) Dyn.lng(type, "highestSupportedVersion");
            for (short v = low; v <= high; v++)
                for (boolean filled : new boolean[]{false, true}) {
                    Class<?> c = Dyn.call(type, "newMetadataRecord").getClass();
                    Object record = filled ? filled(c, v, 1) : Dyn.neu(c);
                    Object data = Dyn.stat(Dyn.need(GENERATED + "MetadataJsonConverters"), "writeJson", record, v);
                    line(out, c.getSimpleName(), -1, framed(record, v), v, data);
                }
        }
        for (int i = 0; i < CONTROLS.length; i++) {
            Class<?> c = Dyn.cls(CONTROL + CONTROLS[i]);
            if (c == null) continue;
            for (short v = 0; v <= Dyn.lng(Dyn.neu(c), "highestSupportedVersion"); v++) {
                Object record = filled(c, v, 1);
                if (Dyn.has(record, "setVersion", 1)) Dyn.call(record, "setVersion", v);
                ByteBuffer bytes = bytes(record, v);
                line(out, CONTROLS[i], CONTROL_TYPES[i], bytes, v, Dyn.stat(Dyn.need(c.getName() + "JsonConverter"), "write", record, v));
            }
        }
    }

    /** Every field that the version can write, by trying. */
    static Object filled(Class<?> c, short version, int salt) throws Exception {
        List<Method> kept = new ArrayList<>(), setters = new ArrayList<>();
        for (Method m : c.getDeclaredMethods()) if (m.getName().matches("set(?!Next$|Prev$).*") && m.getParameterCount() == 1) setters.add(m);
        setters.sort(Comparator.comparing(Method::getName));
        for (Method m : setters) {
            kept.add(m);
            try { bytes(with(c, kept, version, salt), version); } catch (Exception e) { kept.remove(m); }
        }
        return with(c, kept, version, salt);
    }

    private static Object with(Class<?> c, List<Method> setters, short version, int salt) throws Exception {
        Object made = Dyn.neu(c);
        for (Method m : setters) m.invoke(made, value(m.getGenericParameterTypes()[0], m.getName(), version, salt));
        return made;
    }

    private static Object value(Type type, String name, short version, int salt) throws Exception {
        int n = Math.floorMod(name.hashCode(), 1000) * 100 + salt;
        if (type == boolean.class) return true;
        if (type == byte.class) return (byte) (n % 120);
        if (type == short.class) return (short) (n % 30000);
        if (type == int.class) return name.endsWith("Port") ? 40000 + salt : 1000000 + n;
        if (type == long.class) return 4611686018427387904L + n;
        if (type == double.class) return n + 0.25;
        if (type == byte[].class) return new byte[]{0, (byte) 200, (byte) salt};
        if (type == String.class) return name.substring(3) + "-ä-" + salt;
        if (type instanceof Class && ((Class<?>) type).getSimpleName().equals("Uuid")) return Dyn.neu((Class<?>) type, 0x1234567890abcdefL + n, 0x7edcba0987654321L);
        if (type instanceof Class && Dyn.has(type, "lowestSupportedVersion", 0)) return filled((Class<?>) type, version, salt);
        if (type instanceof ParameterizedType && List.class.isAssignableFrom((Class<?>) ((ParameterizedType) type).getRawType())) {
            Type of = ((ParameterizedType) type).getActualTypeArguments()[0];
            return new ArrayList<>(Arrays.asList(value(boxed(of), name, version, salt + 1), value(boxed(of), name, version, salt + 2)));
        }
        Class<?> collection = (Class<?>) type;                  // a keyed collection: EndPoints, Features
        Object made = Dyn.neu(collection);
        Class<?> of = Class.forName(collection.getName().replaceAll("Collection$", ""));
        for (int i = 1; i <= 2; i++) Dyn.call(made, "add", filled(of, version, salt + i));
        return made;
    }

    private static Type boxed(Type t) { return t == Integer.class ? int.class : t == Long.class ? long.class : t; }

    private static ByteBuffer bytes(Object message, short version) {
        Class<?> util = Dyn.need("org.apache.kafka.common.protocol.MessageUtil");
        return (ByteBuffer) Dyn.first(() -> Dyn.stat(util, "toByteBuffer", message, version), () -> Dyn.call(Dyn.stat(util, "toByteBufferAccessor", message, version), "buffer"));
    }

    static ByteBuffer framed(Object record, short version) {
        Object serde = Dyn.neu(Dyn.need("org.apache.kafka.metadata.MetadataRecordSerde", "org.apache.kafka.raft.metadata.MetadataRecordSerde"));
        Object pair = Dyn.neu(Dyn.need("org.apache.kafka.server.common.ApiMessageAndVersion", "org.apache.kafka.metadata.ApiMessageAndVersion"), record, version);
        Object cache = Dyn.neu(Dyn.need("org.apache.kafka.common.protocol.ObjectSerializationCache"));
        ByteBuffer b = ByteBuffer.allocate((int) Dyn.lng(serde, "recordSize", pair, cache));
        Dyn.call(serde, "write", pair, cache, Dyn.neu(Dyn.need("org.apache.kafka.common.protocol.ByteBufferAccessor"), b));
        b.flip();
        return b;
    }

    private static void line(PrintStream out, String type, int control, ByteBuffer value, short version, Object data) {
        out.println("{\"type\":\"" + type + "\",\"control\":" + control + ",\"value\":\"" + GroupRecords.hex(value.array()) + "\",\"version\":" + version + ",\"valueData\":" + data + "}");
    }
}
