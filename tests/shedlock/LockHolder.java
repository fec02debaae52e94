import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Takes and gives up locks by ShedLock, as a test tells it, one command per line:
 *
 * <pre>
 * lock NAME AT_MOST_MILLISECONDS AT_LEAST_MILLISECONDS   answers taken or refused
 * unlock NAME                                            answers unlocked
 * </pre>
 *
 * Usage: LockHolder JDBC_URL TABLE database|application, for whose clock is used.
 */
public final class LockHolder {
    private final LockProvider provider;
    private final Map<String, SimpleLock> held = new HashMap<>();

    private LockHolder(LockProvider provider) {
        this.provider = provider;
    }

    public static void main(String[] arguments) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(arguments[0]);
        LockHolder holder = new LockHolder(providerOf(source, arguments[1], arguments[2]));
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            System.out.println(holder.answer(line.split(" ")));
            System.out.flush();
        }
    }

    private static LockProvider providerOf(PGSimpleDataSource source, String table, String clock) {
        if (clock.equals("application")) {
            return new JdbcLockProvider(source, table);
        }
        return new JdbcTemplateLockProvider(
                JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(source))
                        .withTableName(table)
                        .usingDbTime()
                        .build());
    }

    private String answer(String[] command) {
        String name = command[1];
        if (command[0].equals("unlock")) {
            held.remove(name).unlock();
            return "unlocked";
        }
        Optional<SimpleLock> lock =
                provider.lock(
                        new LockConfiguration(
                                Instant.now(),
                                name,
                                Duration.ofMillis(Long.parseLong(command[2])),
                                Duration.ofMillis(Long.parseLong(command[3]))));
        lock.ifPresent(taken -> held.put(name, taken));
        return lock.isPresent() ? "taken" : "refused";
    }
}
