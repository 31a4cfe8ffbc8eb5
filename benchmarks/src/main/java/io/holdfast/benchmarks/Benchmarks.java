package io.holdfast.benchmarks;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of {@code ./bench}: runs one benchmark by name. */
@Command(
        name = "./bench",
        customSynopsis = "./bench [BENCHMARK] [OPTIONS]",
        description = "Run a benchmark. Without a name, run appends.",
        commandListHeading = "%nBenchmarks:%n",
        footer = {
            "",
            "Databases are created in a temporary directory and deleted afterwards. Compare figures of the same run only."
        },
        subcommands = {
            AppendsBenchmark.class,
            GrowthBenchmark.class,
            WireBenchmark.class,
            ProcessingBenchmark.class,
            DeadLettersBenchmark.class,
            IsolationBenchmark.class,
            SagasBenchmark.class
        })
public final class Benchmarks {

    private static final String DEFAULT_BENCHMARK = "appends";
    private static final String HELP = "--help";

    @Option(
            names = {"-h", HELP},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    private boolean unusedHelp; // picocli shows the help

    private Benchmarks() {}

    /** Exits with 0 on success, 1 on failure and 2 on an invalid command line. */
    public static void main(String... arguments) {
        CommandLine commandLine = new CommandLine(new Benchmarks())
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, given) -> reject(e));
        commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Benchmarks::describeBenchmarks);
        System.exit(commandLine.execute(withName(arguments)));
    }

    private static String[] withName(String... arguments) {
        boolean named = arguments.length > 0 && (!arguments[0].startsWith("--") || arguments[0].equals(HELP));
        return named
                ? arguments
                : Stream.concat(Stream.of(DEFAULT_BENCHMARK), Stream.of(arguments))
                        .toArray(String[]::new);
    }

    private static int reject(ParameterException e) {
        CommandLine command = e.getCommandLine();
        String message =
                e instanceof UnmatchedArgumentException unmatched ? describe(unmatched) : e.getMessage() + "; see ";
        command.getErr().println("bench: " + message + command.getCommandSpec().qualifiedName() + " " + HELP);
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String describe(UnmatchedArgumentException e) {
        List<String> similar = e.getSuggestions();
        return "unknown argument " + e.getUnmatched().get(0)
                + (similar.isEmpty() ? "; see " : "; did you mean " + String.join(" or ", similar) + "? See ");
    }

    /** Lists the benchmarks with their own options, so that one help shows all. */
    private static String describeBenchmarks(Help help) {
        return help.subcommands().values().stream()
                .map(benchmark -> "%n%s%n%s%s"
                        .formatted(
                                benchmark.commandSpec().name(),
                                benchmark.description(),
                                benchmark.optionListExcludingGroups(ownOptions(benchmark))))
                .collect(Collectors.joining());
    }

    private static List<OptionSpec> ownOptions(Help benchmark) {
        return benchmark.commandSpec().options().stream()
                .filter(option -> !option.inherited())
                .toList();
    }
}
