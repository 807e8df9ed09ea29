import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;

/** pgjdbc against a server: types in both formats, prepared, batches, cursors, COPY, cancel, errors, TLS + SCRAM. */
public class Smoke {
    interface Check {
        void run() throws Exception;
    }

    static final String T = "smoke_java";
    static int failures = 0;

    static void check(String name, Check f) {
        try {
            f.run();
            System.out.println("ok java " + name);
        } catch (Throwable e) {
            failures++;
            System.out.println("FAIL java " + name + ": " + String.valueOf(e.getMessage()).split("\n")[0]);
        }
    }

    static void equal(Object got, Object want, String what) {
        if (!Objects.deepEquals(got, want)) throw new AssertionError(what + ": got " + got + ", expected " + want);
    }

    static String state(Check f) {
        try {
            f.run();
            return "no error";
        } catch (SQLException e) {
            return e.getSQLState();
        } catch (Exception e) {
            return e.toString();
        }
    }

    static Connection connect(String... options) throws SQLException {
        Properties p = new Properties();
        p.put("user", "postgres");
        p.put("loginTimeout", "10");
        for (int i = 0; i < options.length; i += 2) p.put(options[i], options[i + 1]);
        String host = options.length > 0 && p.containsKey("sslrootcert") ? "localhost" : System.getenv("PGHOST");
        return DriverManager.getConnection("jdbc:postgresql://" + host + ":" + System.getenv("PGPORT") + "/postgres", p);
    }

    record Value(String type, Object value, Class<?> as) {}

    public static void main(String[] args) throws Exception {
        Value[] values = {
            new Value("bool", true, Boolean.class), new Value("int2", -7, Integer.class), new Value("int4", Integer.MAX_VALUE, Integer.class),
            new Value("int8", Long.MIN_VALUE, Long.class), new Value("float4", 1.5f, Float.class), new Value("float8", 1.25e300, Double.class),
            new Value("numeric", new BigDecimal("12345678901234567890.0123"), BigDecimal.class), new Value("numeric", new BigDecimal("0.00"), BigDecimal.class),
            new Value("text", "h\u00e9llo", String.class), new Value("varchar(9)", "abc", String.class), new Value("bytea", new byte[] {0, -1, 39}, byte[].class),
            new Value("date", LocalDate.of(1999, 12, 31), LocalDate.class), new Value("time", LocalTime.of(1, 2, 3, 4000), LocalTime.class),
            new Value("timestamp", LocalDateTime.of(2024, 2, 29, 23, 59, 59, 999999000), LocalDateTime.class),
            new Value("timestamptz", OffsetDateTime.of(2024, 2, 29, 12, 0, 0, 0, ZoneOffset.UTC), OffsetDateTime.class),
            new Value("uuid", UUID.fromString("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), UUID.class),
        };
        for (String binary : new String[] {"false", "true"}) {
            try (Connection c = connect("binaryTransfer", binary, "prepareThreshold", binary.equals("true") ? "-1" : "5")) {
                check("types, binary " + binary, () -> {
                    for (Value v : values) {
                        try (PreparedStatement s = c.prepareStatement("SELECT ?::" + v.type + ", NULL::" + v.type)) {
                            for (int round = 0; round < 2; round++) {
                                if (v.value instanceof byte[] b) s.setBytes(1, b);
                                else s.setObject(1, v.value);
                                try (ResultSet r = s.executeQuery()) {
                                    r.next();
                                    Object got = v.as == byte[].class ? r.getBytes(1) : r.getObject(1, v.as);
                                    equal(got, v.value, v.type);
                                    equal(r.getObject(2), null, v.type);
                                }
                            }
                        }
                    }
                    try (PreparedStatement s = c.prepareStatement("SELECT ?::int4[], ?::jsonb, ?::interval")) {
                        s.setArray(1, c.createArrayOf("int4", new Integer[] {1, null, 3}));
                        s.setString(2, "{\"a\": 1}");
                        s.setString(3, "1 mon 2 days");
                        try (ResultSet r = s.executeQuery()) {
                            r.next();
                            equal(r.getArray(1).getArray(), new Integer[] {1, null, 3}, "int4[]");
                            equal(r.getString(2), "{\"a\": 1}", "jsonb");
                        }
                    }
                });
            }
        }
        try (Connection c = connect()) {
            Statement s = c.createStatement();
            check("prepared", () -> {
                s.execute("DROP TABLE IF EXISTS " + T);
                s.execute("CREATE TABLE " + T + " (id int PRIMARY KEY, v text NOT NULL)");
                try (PreparedStatement p = c.prepareStatement("INSERT INTO " + T + " VALUES (?, ?)")) {
                    for (int i = 0; i < 20; i++) {
                        p.setInt(1, i);
                        p.setString(2, "v" + i);
                        equal(p.executeUpdate(), 1, "insert");
                    }
                }
                try (PreparedStatement p = c.prepareStatement("SELECT v FROM " + T + " WHERE id = ?")) {
                    for (int i = 0; i < 20; i++) {
                        p.setInt(1, i);
                        try (ResultSet r = p.executeQuery()) {
                            r.next();
                            equal(r.getString(1), "v" + i, "select");
                        }
                    }
                }
            });
            check("batch (pipelined)", () -> {
                try (PreparedStatement p = c.prepareStatement("INSERT INTO " + T + " VALUES (?, ?)")) {
                    for (int i = 20; i < 500; i++) {
                        p.setInt(1, i);
                        p.setString(2, "b" + i);
                        p.addBatch();
                    }
                    equal(Arrays.stream(p.executeBatch()).sum(), 480, "batch");
                }
            });
            check("cursor", () -> {
                c.setAutoCommit(false);
                try (Statement q = c.createStatement()) {
                    q.setFetchSize(70);
                    int n = 0;
                    try (ResultSet r = q.executeQuery("SELECT id FROM " + T + " ORDER BY id")) {
                        while (r.next()) equal(r.getInt(1), n++, "cursor");
                    }
                    equal(n, 500, "cursor");
                }
                c.commit();
                c.setAutoCommit(true);
            });
            check("generated keys", () -> {
                s.execute("DROP TABLE IF EXISTS " + T + "_g; CREATE TABLE " + T + "_g (id serial PRIMARY KEY, v text)");
                try (PreparedStatement p = c.prepareStatement("INSERT INTO " + T + "_g (v) VALUES ('x')", Statement.RETURN_GENERATED_KEYS)) {
                    p.executeUpdate();
                    try (ResultSet r = p.getGeneratedKeys()) {
                        r.next();
                        equal(r.getInt("id"), 1, "key");
                    }
                }
                s.execute("DROP TABLE " + T + "_g");
            });
            check("copy", () -> {
                StringBuilder in = new StringBuilder();
                for (int i = 1000; i < 6000; i++) in.append(i).append("\tcopy ").append(i).append('\n');
                var copy = c.unwrap(PGConnection.class).getCopyAPI();
                equal(copy.copyIn("COPY " + T + " FROM STDIN", new StringReader(in.toString())), 5000L, "copy in");
                StringWriter out = new StringWriter();
                equal(copy.copyOut("COPY (SELECT * FROM " + T + " WHERE id >= 1000 ORDER BY id) TO STDOUT (FORMAT csv)", out), 5000L, "copy out");
                equal(out.toString().split("\n")[7], "1007,copy 1007", "copy out");
            });
            check("cancel and timeout", () -> {
                Statement q = c.createStatement();
                new Thread(() -> {
                    try {
                        Thread.sleep(300);
                        q.cancel();
                    } catch (Exception e) {
                        System.out.println("cancel: " + e.getMessage());
                    }
                }).start();
                equal(state(() -> q.execute("SELECT pg_sleep(20)")), "57014", "cancel");
                q.setQueryTimeout(1);
                equal(state(() -> q.execute("SELECT pg_sleep(20)")), "57014", "timeout");
                q.setQueryTimeout(0);
                q.execute("SELECT 1");
            });
            check("errors", () -> {
                try {
                    s.execute("INSERT INTO " + T + " VALUES (1, 'x')");
                    throw new AssertionError("no error");
                } catch (PSQLException e) {
                    var m = e.getServerErrorMessage();
                    equal(e.getSQLState() + " " + m.getConstraint() + " " + m.getDetail(), "23505 " + T + "_pkey Key (id)=(1) already exists.", "fields");
                }
                for (String[] x : new String[][] {{"SELECT nope", "42703"}, {"SELEC", "42601"}, {"SELECT * FROM nope", "42P01"}, {"SELECT 1/0", "22012"}})
                    equal(state(() -> s.execute(x[0])), x[1], x[0]);
                c.setAutoCommit(false);
                equal(state(() -> s.execute("SELECT 1/0")), "22012", "in a block");
                equal(state(() -> s.execute("SELECT 1")), "25P02", "failed block");
                c.rollback();
                c.setAutoCommit(true);
            });
            check("metadata", () -> {
                var m = c.getMetaData();
                equal(m.getDatabaseMajorVersion(), 15, "version");
                try (ResultSet r = m.getColumns(null, "public", T, null)) {
                    r.next();
                    equal(r.getString("COLUMN_NAME") + " " + r.getString("TYPE_NAME"), "id int4", "columns");
                }
                try (ResultSet r = m.getTables(null, "public", T, new String[] {"TABLE"})) {
                    r.next();
                    equal(r.getString("TABLE_NAME"), T, "tables");
                }
                try (ResultSet r = m.getPrimaryKeys(null, "public", T)) {
                    r.next();
                    equal(r.getString("COLUMN_NAME") + " " + r.getInt("KEY_SEQ") + " " + r.getString("PK_NAME"), "id 1 " + T + "_pkey", "primary key");
                    equal(r.next(), false, "one primary key column");
                }
                try (ResultSet r = m.getIndexInfo(null, "public", T, true, false)) {
                    r.next();
                    equal(r.getString("INDEX_NAME") + " " + r.getString("COLUMN_NAME") + " " + r.getString("ASC_OR_DESC"), T + "_pkey id A", "index");
                }
                s.execute("DROP TABLE IF EXISTS smoke_child");
                s.execute("CREATE TABLE smoke_child (c int REFERENCES " + T + " ON DELETE CASCADE)");
                for (boolean imported : new boolean[] {true, false})
                    try (ResultSet r = imported ? m.getImportedKeys(null, "public", "smoke_child") : m.getExportedKeys(null, "public", T)) {
                        r.next();
                        equal(r.getString("PKTABLE_NAME") + " " + r.getString("PKCOLUMN_NAME") + " " + r.getString("FKTABLE_NAME") + " " + r.getString("FKCOLUMN_NAME") + " " + r.getInt("DELETE_RULE"),
                            T + " id smoke_child c 0", "foreign key");
                    }
                s.execute("DROP TABLE smoke_child");
                try (ResultSet r = m.getTypeInfo()) {
                    var names = new java.util.HashSet<String>();
                    while (r.next()) names.add(r.getString("TYPE_NAME"));
                    for (String n : new String[] {"int4", "text", "numeric", "timestamptz", "jsonb"}) equal(names.contains(n), true, "type " + n);
                }
                equal(m.getSQLKeywords().contains("concurrently"), true, "keywords");
            });
            check("cursors", () -> {
                c.setAutoCommit(false);
                s.execute("DECLARE smoke_c SCROLL CURSOR FOR SELECT i FROM generate_series(1, 9) i");
                for (String[] x : new String[][] {{"FETCH 2 FROM smoke_c", "1"}, {"FETCH LAST FROM smoke_c", "9"}, {"FETCH PRIOR FROM smoke_c", "8"}, {"FETCH ABSOLUTE 3 FROM smoke_c", "3"}})
                    try (PreparedStatement p = c.prepareStatement(x[0]); ResultSet r = p.executeQuery()) {
                        r.next();
                        equal(r.getString(1), x[1], x[0]);
                    }
                c.rollback();
                c.setAutoCommit(true);
                try (Statement u = c.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
                    s.execute("DROP TABLE IF EXISTS smoke_u");
                    s.execute("CREATE TABLE smoke_u (k int PRIMARY KEY, v text)");
                    s.execute("INSERT INTO smoke_u VALUES (1, 'a')");
                    try (ResultSet r = u.executeQuery("SELECT k, v FROM smoke_u")) {
                        r.next();
                        r.updateString("v", "b");
                        r.updateRow();
                    }
                    try (ResultSet r = s.executeQuery("SELECT v FROM smoke_u")) {
                        r.next();
                        equal(r.getString(1), "b", "updatable result set");
                    }
                    s.execute("DROP TABLE smoke_u");
                }
            });
            String ca = System.getenv("PAMIR_TLS_CA");
            if (ca != null && !ca.isEmpty()) {
                check("TLS and SCRAM", () -> {
                    s.execute("DROP ROLE IF EXISTS smoke_tls");
                    s.execute("CREATE ROLE smoke_tls LOGIN PASSWORD 'sm0ke pass'");
                    String[] base = {"user", "smoke_tls", "sslmode", "verify-full", "sslrootcert", ca, "password", "sm0ke pass"};
                    try (Connection t = connect(base); ResultSet r = t.createStatement().executeQuery("SELECT current_user")) {
                        r.next();
                        equal(r.getString(1), "smoke_tls", "user");
                    }
                    base[7] = "wrong";
                    equal(state(() -> connect(base).close()), "28P01", "wrong password");
                });
            }
            s.execute("DROP TABLE IF EXISTS " + T);
        }
        System.exit(failures > 0 ? 1 : 0);
    }
}
