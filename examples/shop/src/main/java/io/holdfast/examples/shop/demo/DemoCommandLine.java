package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopStartException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Configures picocli for {@link Demo}: every error is one line, without a URL that may contain a password. */
final class DemoCommandLine {

    private DemoCommandLine() {}

    static CommandLine create(Demo demo, PrintStream out, PrintStream err) {
        return new CommandLine(demo)
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, arguments) -> reject(e, err))
                .setExecutionExceptionHandler((e, command, parsed) -> fail(e, command, err));
    }

    private static int reject(ParameterException e, PrintStream err) {
        CommandLine command = e.getCommandLine();
        String message = e instanceof UnmatchedArgumentException unmatched
                ? describe(unmatched)
                : withoutUrl(String.valueOf(e.getMessage())) + "; see ";
        err.println("demo: " + message + command.getCommandSpec().qualifiedName() + " --help");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Names the first argument only: the second one may be the value of a misspelled {@code --database}. */
    private static String describe(UnmatchedArgumentException e) {
        String name = e.getUnmatched().get(0).split("=", 2)[0];
        List<String> similar = e.getSuggestions();
        return "unknown argument " + withoutUrl(name)
                + (similar.isEmpty() ? "; see " : "; did you mean " + String.join(" or ", similar) + "? See ");
    }

    private static String withoutUrl(String message) {
        return message.replaceFirst("(?s)(jdbc:|\\w+://).*", "<URL>");
    }

    private static int fail(Exception e, CommandLine command, PrintStream err) throws Exception {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        } else if (e instanceof ShopStartException
                || e instanceof UnexpectedOutcomeException
                || e instanceof ShopClient.UnreachableException) {
            err.println("demo: " + e.getMessage());
        } else {
            throw e;
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}
