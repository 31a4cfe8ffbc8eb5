package io.holdfast.examples.shop.demo;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parsed command line.
 *
 * @param processes whether each service runs in its own process
 * @param scenario the number of the scenario
 * @param yes whether a scenario runs without waiting for Enter between its steps
 * @param rate the orders per second
 * @param clients the number of clients that place orders back to back; 0 to place them at {@code rate} instead
 * @param seconds the duration of a load
 * @param data the directory of the databases and logs
 * @param database the JDBC URL that replaces the H2 files; {@code {service}} is the placeholder for the service's name
 */
record DemoOptions(
        Command command,
        boolean processes,
        int scenario,
        boolean yes,
        int rate,
        int clients,
        int seconds,
        Path data,
        Optional<String> database) {

    static final List<Integer> SCENARIOS = List.of(1, 2, 5, 7);
    static final int DEFAULT_RATE = 50;
    static final int DEFAULT_SECONDS = 60;
    private static final int MAX_NUMBER = 100_000;

    static final String HELP =
            """
            Usage: ./demo [command] [options]

            Commands:
              (none)            Start the shop with sample data. Ctrl-C stops it; its data is kept.
              scenario NUMBER   Run a scenario step by step and check its outcome:
                                  1  happy path
                                  2  cancellation
                                  5  payment failure
                                  7  dead letters, in 11 steps
              load              Place orders, print throughput and latencies, and reconcile stock and payments.
              reset             Delete the shop's databases and logs.
              help              Show this help.

            Options:
              --processes       Run each service in its own JVM, with a shared Hazelcast member.
              --data DIR        Directory of the databases and logs (default: data/shop).
              --database URL    Use PostgreSQL instead of H2 files. The URL must contain {service}; create the databases
                                account, inventory, order and payment first.
                                Example: 'jdbc:postgresql://localhost/{service}?user=…'
              --yes, -y         scenario: do not wait for Enter between steps.
              --rate N          load: orders per second (default: 50).
              --clients N       load: N clients that each place orders back to back, instead of --rate.
              --seconds N       load: duration in seconds (default: 60).

            scenario and load use the running shop. If there is none, they start one with --processes, --data and --database,
            and stop it when they finish. The exit status is 0 on success, 1 on failure and 2 on invalid arguments.
            """;

    enum Command {
        RUN,
        SCENARIO,
        LOAD,
        RESET,
        HELP
    }

    /** @throws InvalidOptionException if an argument is unknown or invalid */
    static DemoOptions parse(String... arguments) {
        Deque<String> rest = new ArrayDeque<>(List.of(arguments));
        Parser parser = new Parser();
        while (!rest.isEmpty()) {
            parser.parseArgument(rest.pop(), rest);
        }
        return parser.toOptions();
    }

    /** Collects the options, one argument at a time. */
    private static final class Parser {

        private Command command = Command.RUN;
        private boolean processes;
        private int scenario;
        private boolean yes;
        private int rate = DEFAULT_RATE;
        private int clients;
        private int seconds = DEFAULT_SECONDS;
        private Path data = Path.of("data", "shop");
        private Optional<String> database = Optional.empty();

        private void parseArgument(String word, Deque<String> rest) {
            switch (word) {
                case "scenario" -> {
                    setCommand(Command.SCENARIO);
                    scenario = parseScenario(rest.poll());
                }
                case "load" -> setCommand(Command.LOAD);
                case "reset" -> setCommand(Command.RESET);
                case "--help", "-h", "help" -> setCommand(Command.HELP);
                case "--processes" -> processes = true;
                case "--yes", "-y" -> yes = true;
                case "--rate" -> rate = parseNumber(word, rest.poll());
                case "--clients" -> clients = parseNumber(word, rest.poll());
                case "--seconds" -> seconds = parseNumber(word, rest.poll());
                case "--database" -> database = Optional.of(requireServicePlaceholder(requireValue(word, rest.poll())));
                case "--data" -> data = Path.of(requireValue(word, rest.poll()));
                default -> throw new InvalidOptionException("unknown argument " + word + "; see ./demo --help");
            }
        }

        private void setCommand(Command next) {
            if (command != Command.RUN) {
                throw new InvalidOptionException("only one command is allowed; see ./demo --help");
            }
            command = next;
        }

        private static int parseScenario(@Nullable String word) {
            String numbers = "1 (happy path), 2 (cancellation), 5 (payment failure) or 7 (dead letters)";
            if (word == null) {
                throw new InvalidOptionException("scenario requires a number: " + numbers);
            }
            return SCENARIOS.stream()
                    .filter(known -> word.equals(String.valueOf(known)))
                    .findFirst()
                    .orElseThrow(() -> new InvalidOptionException(
                            "scenario " + word + " is not available in this version; choose " + numbers));
        }

        private static int parseNumber(String option, @Nullable String word) {
            String value = requireValue(option, word);
            try {
                int number = Integer.parseInt(value);
                if (number >= 1 && number <= MAX_NUMBER) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new InvalidOptionException(
                    option + " must be an integer from 1 to " + MAX_NUMBER + ", but is " + value);
        }

        private static String requireServicePlaceholder(String url) {
            if (!url.contains("{service}")) {
                throw new InvalidOptionException(
                        "--database must contain {service}, because each service needs its own database");
            }
            return url;
        }

        private static String requireValue(String option, @Nullable String word) {
            if (word == null) {
                throw new InvalidOptionException(option + " requires a value");
            }
            return word;
        }

        private DemoOptions toOptions() {
            if (command == Command.RESET && database.isPresent()) {
                throw new InvalidOptionException(
                        "reset deletes the files in --data only; to reset a --database, drop its databases");
            }
            return new DemoOptions(command, processes, scenario, yes, rate, clients, seconds, data, database);
        }
    }
}
