package io.holdfast.examples.shop.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The options. All commands accept them, before and after the command's name. */
final class DemoOptions {

    static final String SERVICE_PLACEHOLDER = "{service}";

    @Option(
            names = "--processes",
            scope = ScopeType.INHERIT,
            description = "Run each service in its own JVM, with a shared Hazelcast member.")
    private boolean processes;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Directory of the databases and logs (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("data", "shop");

    @Option(
            names = "--database",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            converter = DatabaseUrl.class,
            description = {
                "Use PostgreSQL instead of H2 files. The URL must contain " + SERVICE_PLACEHOLDER
                        + "; create the databases account, inventory, order and payment first.",
                "Example: 'jdbc:postgresql://localhost/" + SERVICE_PLACEHOLDER + "?user=me'"
            })
    private @Nullable String database;

    @Option(
            names = "--saga-deadline",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            converter = LoadNumber.class,
            description = "Seconds after which an order that is neither confirmed nor parked is cancelled"
                    + " (default: ${DEFAULT-VALUE}, so that scenario 6 is short; 60 without the demo).")
    private int sagaDeadline = 15;

    @Option(
            names = {"-y", "--yes"},
            scope = ScopeType.INHERIT,
            description = "scenario: do not wait for Enter between steps.")
    private boolean yes;

    @Option(
            names = "--rate",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            converter = LoadNumber.class,
            description = "load: orders per second (default: ${DEFAULT-VALUE}).")
    private int rate = 50;

    @Option(
            names = "--clients",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            converter = LoadNumber.class,
            description = "load: N clients that each place orders back to back, instead of --rate.")
    private int clients;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            converter = LoadNumber.class,
            description = "load: duration in seconds (default: ${DEFAULT-VALUE}).")
    private int seconds = 60;

    @Option(
            names = "--orchestrated",
            paramLabel = "PERCENT",
            scope = ScopeType.INHERIT,
            converter = Percentage.class,
            description = "load: share of orders that are placed by orchestration (default: ${DEFAULT-VALUE}).")
    private int orchestrated;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    private boolean unusedHelp; // picocli shows the help

    /** Whether each service runs in its own process. */
    boolean processes() {
        return processes;
    }

    /** The directory of the databases and logs. */
    Path data() {
        return data;
    }

    /** The JDBC URL that replaces the H2 files, with {@link #SERVICE_PLACEHOLDER} for the service's name. */
    Optional<String> database() {
        return Optional.ofNullable(database);
    }

    /** How long the saga of an order may take. */
    Duration sagaDeadline() {
        return Duration.ofSeconds(sagaDeadline);
    }

    /** Whether a scenario runs without waiting for Enter between its steps. */
    boolean yes() {
        return yes;
    }

    /** The orders per second. */
    int rate() {
        return rate;
    }

    /** The number of clients that place orders back to back; 0 to place them at {@link #rate} instead. */
    int clients() {
        return clients;
    }

    /** The duration of a load. */
    int seconds() {
        return seconds;
    }

    /** The share of orders that are placed by orchestration, in percent. */
    int orchestrated() {
        return orchestrated;
    }

    private static final class LoadNumber implements ITypeConverter<Integer> {

        @Override
        public Integer convert(String value) {
            return number(value, 1, 100_000);
        }
    }

    private static final class Percentage implements ITypeConverter<Integer> {

        @Override
        public Integer convert(String value) {
            return number(value, 0, 100);
        }
    }

    private static int number(String value, int min, int max) {
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new TypeConversionException("must be an integer from " + min + " to " + max + ", but is " + value);
    }

    /** Its message omits the URL, which may contain a password. */
    private static final class DatabaseUrl implements ITypeConverter<String> {

        @Override
        public String convert(String url) {
            if (!url.contains(SERVICE_PLACEHOLDER)) {
                throw new TypeConversionException(
                        "must contain " + SERVICE_PLACEHOLDER + ", because each service needs its own database");
            }
            return url;
        }
    }
}
