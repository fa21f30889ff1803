package oracle;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.*;

/** Records of __consumer_offsets, written by the real classes and read back by them: one JSON line each, bytes in hex, data as Kafka's own converter shows it. */
final class GroupRecords {
    private static final String GENERATED = "org.apache.kafka.coordinator.group.generated.";
    private final PrintStream out;

    private GroupRecords(PrintStream out) { this.out = out; }

    static void write(PrintStream out) throws Exception {
        GroupRecords r = new GroupRecords(out);
        if (Plan.atLeast(3)) r.generated(); else r.handWritten();
    }

    /** 2.8 has its schemas in the code, and picks a value's version by what the cluster's brokers speak. */
    private void handWritten() throws Exception {
        Class<?> m = Dyn.need("kafka.coordinator.group.GroupMetadataManager"), om = Dyn.need("kafka.common.OffsetAndMetadata");
        byte[] key = (byte[]) Dyn.stat(m, "offsetCommitKey", "group-ä", Dyn.neu(Dyn.need("org.apache.kafka.common.TopicPartition"), "topic", 7));
        for (String speaks : new String[]{"0.10.2", "2.0", "2.1-IV0", "2.1", "2.8"})
            for (Long expires : new Long[]{null, Plan.NOW + 1}) {
                Object none = Dyn.stat(Dyn.need("scala.Option"), "empty"), some = expires == null ? none : Dyn.stat(Dyn.need("scala.Option"), "apply", (Object) expires);
                Object given = Dyn.neu(om, 4611686018427387904L, Optional.of(12), "note", Plan.NOW, some);
                byte[] value = (byte[]) Dyn.stat(m, "offsetCommitValue", given, Dyn.stat(Dyn.need("kafka.api.ApiVersion"), "apply", speaks));
                Object read = Dyn.stat(m, "readOffsetMessageValue", ByteBuffer.wrap(value));
                short version = ByteBuffer.wrap(value).getShort();
                Map<String, Object> data = Json.obj("offset", Dyn.lng(read, "offset"));
                if (version >= 3) data.put("leaderEpoch", ((Optional<?>) Dyn.call(read, "leaderEpoch")).get());
                data.put("metadata", Dyn.call(read, "metadata"));
                data.put("commitTimestamp", Dyn.lng(read, "commitTimestamp"));
                if (version == 1) data.put("expireTimestamp", expires == null ? -1L : Dyn.opt(Dyn.call(read, "expireTimestamp")));
                line("OffsetCommit", key, Json.line(Json.obj("group", "group-ä", "topic", "topic", "partition", 7)), value, version, Json.line(data));
            }
        byte[] group = (byte[]) Dyn.stat(m, "groupMetadataKey", "group-ä");
        line("GroupMetadata", group, Json.line(Json.obj("group", "group-ä")), null, -1, null);
    }

    private void generated() throws Exception {
        boolean typed = Dyn.cls(GENERATED + "CoordinatorRecordType") != null;
        for (short version = 0; version <= 1; version++) {
            String name = typed && version == 0 ? "LegacyOffsetCommit" : "OffsetCommit";
            Object key = made(name + "Key");
            Dyn.call(key, "setGroup", version == 0 ? "" : "group-ä");
            Dyn.call(key, "setTopic", "topic");
            Dyn.call(key, "setPartition", 7);
            for (short v = 0; v <= Dyn.lng(made(name + "Value"), "highestSupportedVersion"); v++) pair(name, key, version, offset(name + "Value", v), v, typed);
            pair(name, key, version, null, (short) -1, typed);
        }
        Object key = made("GroupMetadataKey");
        Dyn.call(key, "setGroup", "g");
        for (short v = 0; v <= Dyn.lng(made("GroupMetadataValue"), "highestSupportedVersion"); v++) {
            pair("GroupMetadata", key, (short) 2, group(v, 0), v, typed);
            pair("GroupMetadata", key, (short) 2, group(v, 2), v, typed);
        }
        pair("GroupMetadata", key, (short) 2, null, (short) -1, typed);
        if (typed) for (Object type : Dyn.need(GENERATED + "CoordinatorRecordType").getEnumConstants()) {
            short id = (short) Dyn.lng(type, "id");
            if (id > 2) line(Dyn.call(type, "newRecordKey").getClass().getSimpleName().replaceAll("Key$", ""), prefixed(id, Dyn.call(type, "newRecordKey"), (short) 0), null, null, -1, null);
        }
    }

    private static Object made(String name) { return Dyn.neu(Dyn.need(GENERATED + name)); }

    private static Object offset(String name, short version) {
        Object value = made(name);
        Dyn.call(value, "setOffset", 4611686018427387904L + version);
        if (version >= 3 && Dyn.has(value, "setLeaderEpoch", 1)) Dyn.call(value, "setLeaderEpoch", 12);
        Dyn.call(value, "setMetadata", version == 2 ? "" : "note ☃");
        Dyn.call(value, "setCommitTimestamp", Plan.NOW);
        if (version == 1) Dyn.call(value, "setExpireTimestamp", Plan.NOW + 1);
        if (version >= 4 && Dyn.has(value, "setTopicId", 1)) Dyn.call(value, "setTopicId", Dyn.neu(Dyn.need("org.apache.kafka.common.Uuid"), 0x1234567890abcdefL, 0x7edcba0987654321L));
        return value;
    }

    private static Object group(short version, int members) throws Exception {
        Object value = made("GroupMetadataValue");
        Dyn.call(value, "setProtocolType", "consumer");
        Dyn.call(value, "setGeneration", 3);
        Dyn.call(value, "setProtocol", members == 0 ? null : "range");
        Dyn.call(value, "setLeader", members == 0 ? null : "member-0");
        if (version >= 2) Dyn.call(value, "setCurrentStateTimestamp", Plan.NOW);
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            Object m = made("GroupMetadataValue$MemberMetadata");
            Dyn.call(m, "setMemberId", "member-" + i);
            if (version >= 3 && i == 1) Dyn.call(m, "setGroupInstanceId", "instance-" + i);
            Dyn.call(m, "setClientId", "client");
            Dyn.call(m, "setClientHost", "/10.0.0." + i);
            if (version >= 1) Dyn.call(m, "setRebalanceTimeout", 60000);
            Dyn.call(m, "setSessionTimeout", 45000);
            Dyn.call(m, "setSubscription", new byte[]{0, 1, 2, (byte) 200, (byte) i});
            Dyn.call(m, "setAssignment", new byte[i * 200]);
            list.add(m);
        }
        Dyn.call(value, "setMembers", list);
        return value;
    }

    /** Read back by the real class: what it then holds is what is shown. */
    private void pair(String name, Object key, short keyVersion, Object value, short version, boolean typed) throws Exception {
        short own = typed ? 0 : keyVersion;
        byte[] k = prefixed(keyVersion, key, own), v = value == null ? null : prefixed(version, value, version);
        line(name, k, json(name + "Key", k, own), v, version, v == null ? null : json(name + "Value", v, version));
    }

    private static byte[] prefixed(short prefix, Object message, short version) {
        Class<?> util = Dyn.need("org.apache.kafka.common.protocol.MessageUtil");
        ByteBuffer b = (ByteBuffer) Dyn.first(() -> Dyn.stat(util, "toByteBuffer", message, version), () -> Dyn.call(Dyn.stat(util, "toByteBufferAccessor", message, version), "buffer"));
        return ByteBuffer.allocate(2 + b.remaining()).putShort(prefix).put(b).array();
    }

    private static String json(String name, byte[] bytes, short version) {
        ByteBuffer b = ByteBuffer.wrap(bytes);
        b.getShort();
        Object read = Dyn.neu(Dyn.need(GENERATED + name), Dyn.neu(Dyn.need("org.apache.kafka.common.protocol.ByteBufferAccessor"), b), version);
        return Dyn.stat(Dyn.need(GENERATED + name + "JsonConverter"), "write", read, version).toString();
    }

    private void line(String type, byte[] key, String keyData, byte[] value, int version, String valueData) {
        out.println("{\"type\":\"" + type + "\",\"key\":\"" + hex(key) + "\",\"keyData\":" + keyData + ",\"value\":" + (value == null ? null : "\"" + hex(value) + "\"") + ",\"version\":" + version + ",\"valueData\":" + valueData + "}");
    }

    static String hex(byte[] bytes) {
        StringBuilder s = new StringBuilder();
        for (byte b : bytes) s.append(String.format("%02x", b));
        return s.toString();
    }
}
