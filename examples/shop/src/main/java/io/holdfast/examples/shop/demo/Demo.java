package io.holdfast.examples.shop.demo;

import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry point of {@code ./demo}: starts the shop, runs scenarios and loads, deletes data. */
@Command(
        name = "./demo",
        scope = ScopeType.INHERIT,
        abbreviateSynopsis = true,
        sortOptions = false,
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        description = "Start the shop with sample data. Ctrl-C stops it; its data is kept.",
        footer = {
            "",
            "scenario and load use the running shop. If there is none, they start one with --processes, --data and"
                    + " --database, and stop it when they finish.",
            "The exit status is 0 on success, 1 on failure and 2 on invalid arguments."
        })
public final class Demo implements Callable<Integer> {

    private static final Set<String> SCENARIOS = Set.of("1", "2", "5", "6", "7");
    private static final String SCENARIO_TITLES =
            "1 (happy path), 2 (cancellation), 5 (payment failure), 6 (saga timeout) or 7 (dead letters)";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private final DemoOptions options = new DemoOptions();

    private final PrintStream out;
    private final ShopClient client = new ShopClient();
    private final DemoShop shop;

    Demo(PrintStream out) {
        this.out = out;
        this.shop = new DemoShop(options, client, out);
    }

    /** Exits with 0 on success, 1 on failure and 2 on an invalid command line. */
    public static void main(String... arguments) {
        System.exit(run(System.out, System.err, arguments));
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        return DemoCommandLine.create(new Demo(out), out, err).execute(arguments);
    }

    @Override
    public Integer call() throws InterruptedException {
        shop.runUntilShutdown();
        return 0;
    }

    @Command(description = "Run scenario " + SCENARIO_TITLES + " step by step and check its outcome.")
    void scenario(@Parameters(paramLabel = "1|2|5|6|7", description = "Number of the scenario.") String number)
            throws InterruptedException {
        if (!SCENARIOS.contains(number)) {
            throw new ParameterException(
                    spec.subcommands().get("scenario"), "scenario must be " + SCENARIO_TITLES + ", but is " + number);
        }
        shop.withShop(() ->
                new Scenarios(client, new Narrator(out, !options.yes()), options.data()).run(Integer.parseInt(number)));
    }

    @Command(description = "Place orders, print throughput and latencies, and reconcile stock and payments.")
    void load() throws InterruptedException {
        shop.withShop(() -> new Load(client, out, isTerminal()).run(options));
    }

    @Command(description = "Delete the shop's databases and logs.")
    void reset() {
        if (options.database().isPresent()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "reset deletes the files in --data only; to reset a --database, drop its databases");
        }
        shop.reset();
    }

    @Command(description = "Show this help.")
    void help() {
        spec.commandLine().usage(out);
    }

    private static boolean isTerminal() {
        return Boolean.getBoolean("holdfast.demo.terminal");
    }
}
