package oracle;

import java.lang.reflect.*;
import java.util.*;

/** Duck-typed access to whichever Kafka version is on the class path. */
final class Dyn {
    private Dyn() {}

    static Class<?> cls(String... names) {
        for (String n : names) {
            try { return Class.forName(n); } catch (ClassNotFoundException | NoClassDefFoundError e) { /* next */ }
        }
        return null;
    }

    static Class<?> need(String... names) {
        Class<?> c = cls(names);
        if (c == null) throw new IllegalStateException("none of " + Arrays.toString(names));
        return c;
    }

    static boolean has(Object target, String name, int argc) {
        Class<?> c = target instanceof Class ? (Class<?>) target : target.getClass();
        for (; c != null; c = c.getSuperclass())
            for (Method m : c.getDeclaredMethods()) if (m.getName().equals(name) && m.getParameterCount() == argc) return true;
        return false;
    }

    private static boolean fits(Class<?>[] ps, Object[] args) {
        if (ps.length != args.length) return false;
        for (int i = 0; i < ps.length; i++) {
            Object a = args[i];
            Class<?> p = ps[i];
            if (a == null) { if (p.isPrimitive()) return false; continue; }
            if (p.isPrimitive()) {
                if (p == long.class && (a instanceof Long || a instanceof Integer)) continue;
                if (p == int.class && a instanceof Integer) continue;
                if (p == short.class && a instanceof Short) continue;
                if (p == byte.class && a instanceof Byte) continue;
                if (p == boolean.class && a instanceof Boolean) continue;
                if (p == double.class && a instanceof Double) continue;
                return false;
            }
            if (!p.isInstance(a)) return false;
        }
        return true;
    }

    private static Object[] widen(Class<?>[] ps, Object[] args) {
        Object[] out = args.clone();
        for (int i = 0; i < ps.length; i++)
            if (ps[i] == long.class && out[i] instanceof Integer) out[i] = ((Integer) out[i]).longValue();
        return out;
    }

    static RuntimeException unwrap(InvocationTargetException e) {
        Throwable t = e.getCause();
        while (t instanceof InvocationTargetException || t instanceof UndeclaredThrowableException) t = t.getCause();
        return Dyn.<RuntimeException>sneaky(t);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable t) throws T { throw (T) t; }

    private static final Map<String, Method> CACHE = new HashMap<>();

    private static Method find(Class<?> start, String name, Object[] args, boolean statics) {
        StringBuilder k = new StringBuilder(start.getName()).append('#').append(name).append(statics);
        for (Object a : args) k.append(',').append(a == null ? "null" : a.getClass().getName());
        synchronized (CACHE) {
            Method hit = CACHE.get(k.toString());
            if (hit != null) return hit;
            Deque<Class<?>> todo = new ArrayDeque<>();
            for (Class<?> c = start; c != null; c = c.getSuperclass()) todo.add(c);
            List<Class<?>> ifs = new ArrayList<>();
            for (Class<?> c = start; c != null; c = c.getSuperclass()) collect(c, ifs);
            todo.addAll(ifs);
            for (Class<?> c : todo)
                for (Method m : c.getDeclaredMethods())
                    if (m.getName().equals(name) && !m.isBridge() && Modifier.isStatic(m.getModifiers()) == statics && fits(m.getParameterTypes(), args)) {
                        m.setAccessible(true);
                        CACHE.put(k.toString(), m);
                        return m;
                    }
        }
        throw new NoSuchElementException(start.getName() + "." + name + Arrays.toString(args));
    }

    private static void collect(Class<?> c, List<Class<?>> out) {
        for (Class<?> i : c.getInterfaces()) { out.add(i); collect(i, out); }
    }

    static Object call(Object target, String name, Object... args) {
        Method m = find(target.getClass(), name, args, false);
        try { return m.invoke(target, widen(m.getParameterTypes(), args)); }
        catch (InvocationTargetException e) { throw unwrap(e); }
        catch (IllegalAccessException e) { throw new IllegalStateException(e); }
    }

    static Object stat(Class<?> c, String name, Object... args) {
        Method m = find(c, name, args, true);
        try { return m.invoke(null, widen(m.getParameterTypes(), args)); }
        catch (InvocationTargetException e) { throw unwrap(e); }
        catch (IllegalAccessException e) { throw new IllegalStateException(e); }
    }

    /** The first of several ways that this version knows. */
    @SafeVarargs
    static Object first(java.util.function.Supplier<Object>... ways) {
        for (int i = 0; ; i++) try { return ways[i].get(); } catch (NoSuchElementException e) { if (i + 1 == ways.length) throw e; }
    }

    static Object neu(Class<?> c, Object... args) {
        for (Constructor<?> k : c.getDeclaredConstructors())
            if (fits(k.getParameterTypes(), args)) {
                k.setAccessible(true);
                try { return k.newInstance(widen(k.getParameterTypes(), args)); }
                catch (InvocationTargetException e) { throw unwrap(e); }
                catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
            }
        throw new NoSuchElementException("constructor " + c.getName() + Arrays.toString(args));
    }

    static Object field(Object target, String name) {
        for (Class<?> c = target.getClass(); c != null; c = c.getSuperclass())
            try {
                Field f = c.getDeclaredField(name);
                f.setAccessible(true);
                return f.get(target);
            } catch (NoSuchFieldException e) { /* up */ }
            catch (IllegalAccessException e) { throw new IllegalStateException(e); }
        throw new NoSuchElementException(target.getClass() + "." + name);
    }

    static long num(Object o) { return ((Number) o).longValue(); }
    static long lng(Object target, String name, Object... args) { return num(call(target, name, args)); }

    /** A Scala or Java collection as a Java list. */
    static List<Object> list(Object o) {
        List<Object> out = new ArrayList<>();
        if (o == null) return out;
        if (o instanceof Iterable) { for (Object x : (Iterable<?>) o) out.add(x); return out; }
        if (o instanceof java.util.Map) { out.addAll(((java.util.Map<?, ?>) o).entrySet()); return out; }
        Object it = call(o, "iterator");
        while ((Boolean) call(it, "hasNext")) out.add(call(it, "next"));
        return out;
    }

    /** A Scala or Java map as a Java map. */
    static Map<Object, Object> map(Object o) {
        Map<Object, Object> out = new LinkedHashMap<>();
        for (Object e : list(o)) {
            if (e instanceof Map.Entry) out.put(((Map.Entry<?, ?>) e).getKey(), ((Map.Entry<?, ?>) e).getValue());
            else out.put(call(e, "_1"), call(e, "_2"));
        }
        return out;
    }

    /** Option or Optional: the value or null. */
    static Object opt(Object o) {
        if (o == null) return null;
        if (o instanceof Optional) return ((Optional<?>) o).orElse(null);
        if (o instanceof OptionalLong) return ((OptionalLong) o).isPresent() ? (Object) ((OptionalLong) o).getAsLong() : null;
        if (o instanceof OptionalInt) return ((OptionalInt) o).isPresent() ? (Object) ((OptionalInt) o).getAsInt() : null;
        if (has(o, "isDefined", 0) || o.getClass().getName().startsWith("scala.")) return (Boolean) call(o, "isEmpty") ? null : call(o, "get");
        return o;
    }

    static Object scalaMap(Map<?, ?> m) {
        Class<?> conv = cls("scala.jdk.javaapi.CollectionConverters");
        if (conv != null) return stat(conv, "asScala", m);
        return stat(need("scala.collection.JavaConversions"), "mapAsScalaMap", m);
    }

    static Object scalaSeq(List<?> l) {
        Class<?> conv = cls("scala.jdk.javaapi.CollectionConverters");
        Object buf = conv != null ? stat(conv, "asScala", l) : stat(need("scala.collection.JavaConversions"), "asScalaBuffer", l);
        return call(call(buf, "toList"), "toSeq");
    }

    interface H { Object on(String name, Object[] args) throws Throwable; }
    static final Object DEFAULT = new Object();

    static Object proxy(Class<?> iface, H h) {
        return Proxy.newProxyInstance(Dyn.class.getClassLoader(), new Class<?>[]{iface}, (p, m, a) -> {
            String n = m.getName();
            if (m.getDeclaringClass() == Object.class) {
                if (n.equals("toString")) return iface.getSimpleName() + "-proxy";
                if (n.equals("hashCode")) return System.identityHashCode(p);
                return p == a[0];
            }
            if (n.endsWith("$default$3") || n.endsWith("$default$4")) return n.endsWith("3") ? 0L : -1L;
            if (n.endsWith("$default$5")) return java.util.concurrent.TimeUnit.MILLISECONDS;
            Object r = h.on(n, a == null ? new Object[0] : a);
            if (r != DEFAULT) return r;
            if (m.isDefault()) return InvocationHandler.invokeDefault(p, m, a);
            return null;
        });
    }

    static Object unit() {
        try { return need("scala.runtime.BoxedUnit").getField("UNIT").get(null); }
        catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
    }
}
