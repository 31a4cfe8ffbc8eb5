package io.holdfast.examples.shop.demo;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for on the command line.
 *
 * @param processes a process for each service
 * @param scenario which one
 * @param yes do not wait for the reader between the steps
 * @param rate orders a second
 * @param clients as many as these can place, instead of a rate; 0 for a rate
 * @param data the directory of the databases
 * @param database where the databases are instead; {@code {service}} stands for the service's name
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
            ./demo                               starts the shop in one process; Ctrl-C ends it, the data stays
            ./demo --processes                   a process for each service, and a Hazelcast member between them
            ./demo scenario 1|2|5|7 [--yes]      1 happy path, 2 cancellation, 5 payment failure, 7 dead letters in 11 steps;
                                                 --yes does not wait for Enter
            ./demo load [--rate 50] [--seconds 60]
                                                 orders, latencies, and the books at the end; --clients N instead of --rate:
                                                 as many as N clients can place one after another
            ./demo reset                         removes the data of the shop
            ./demo --help

            scenario and load use the shop that runs, or start one for themselves (with --processes, if that is said).
            --data DIR says where the data is, data/shop unless set. --database 'jdbc:postgresql://localhost/{service}?user=…' keeps
            it in PostgreSQL, in a database for each of account, inventory, order and payment.
            """;

    /** What there is to do. */
    enum Command {
        RUN,
        SCENARIO,
        LOAD,
        RESET,
        HELP
    }

    /** @throws InvalidOptionException if it cannot be understood */
    static DemoOptions parse(String... arguments) {
        Deque<String> rest = new ArrayDeque<>(List.of(arguments));
        Parser parser = new Parser();
        while (!rest.isEmpty()) {
            parser.parseArgument(rest.pop(), rest);
        }
        return parser.toOptions();
    }

    /** Takes one word after another. */
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
                default ->
                    throw new InvalidOptionException("there is no " + word + ". ./demo --help shows what there is");
            }
        }

        private void setCommand(Command next) {
            if (command != Command.RUN) {
                throw new InvalidOptionException("one thing at a time, please; ./demo --help shows what there is");
            }
            command = next;
        }

        private static int parseScenario(@Nullable String word) {
            String numbers = "1 (happy path), 2 (cancellation), 5 (payment failure) and 7 (dead letters)";
            if (word == null) {
                throw new InvalidOptionException("which scenario? There are " + numbers);
            }
            return SCENARIOS.stream()
                    .filter(known -> word.equals(String.valueOf(known)))
                    .findFirst()
                    .orElseThrow(() -> new InvalidOptionException(
                            "there is no scenario " + word + " in this version; there are " + numbers));
        }

        private static int parseNumber(String option, @Nullable String word) {
            String said = requireValue(option, word);
            try {
                int number = Integer.parseInt(said);
                if (number >= 1 && number <= MAX_NUMBER) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // said below
            }
            throw new InvalidOptionException(option + " must be a number from 1 to " + MAX_NUMBER + ", but is " + said);
        }

        private static String requireServicePlaceholder(String url) {
            if (!url.contains("{service}")) {
                throw new InvalidOptionException("--database must have {service} in it, since each service needs a"
                        + " database of its own, but is " + url);
            }
            return url;
        }

        private static String requireValue(String option, @Nullable String word) {
            if (word == null) {
                throw new InvalidOptionException(option + " needs a value");
            }
            return word;
        }

        private DemoOptions toOptions() {
            if (command == Command.RESET && database.isPresent()) {
                throw new InvalidOptionException(
                        "reset removes the files of --data, and nothing in a --database; drop the"
                                + " databases there");
            }
            return new DemoOptions(command, processes, scenario, yes, rate, clients, seconds, data, database);
        }
    }
}
