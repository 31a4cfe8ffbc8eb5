package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

class DemoOptionsTests {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void startsTheShopByDefault() {
        ParseResult parsed = parse();

        assertThat(parsed.hasSubcommand()).isFalse();
        assertThat(option(parsed, "--processes")).isEqualTo(false);
        assertThat(option(parsed, "--data")).isEqualTo(Path.of("data", "shop"));
        assertThat(option(parsed, "--rate")).isEqualTo(50);
        assertThat(option(parsed, "--clients")).isEqualTo(0);
        assertThat(option(parsed, "--seconds")).isEqualTo(60);
        assertThat(option(parsed, "--orchestrated")).isEqualTo(0);
    }

    @Test
    void parsesScenario() {
        ParseResult parsed = parse("scenario", "7", "--yes");

        assertThat(parsed.subcommand().commandSpec().name()).isEqualTo("scenario");
        assertThat(parsed.subcommand().matchedPositionalValue(0, "")).isEqualTo("7");
        assertThat(option(parsed, "--yes")).isEqualTo(true);
    }

    @Test
    void parsesLoad() {
        ParseResult parsed = parse("load", "--rate", "20", "--seconds=5", "--processes");

        assertThat(parsed.subcommand().commandSpec().name()).isEqualTo("load");
        assertThat(option(parsed, "--rate")).isEqualTo(20);
        assertThat(option(parsed, "--seconds")).isEqualTo(5);
        assertThat(option(parsed, "--processes")).isEqualTo(true);
    }

    @Test
    void acceptsOptionsBeforeTheCommand() {
        ParseResult parsed = parse("--data", "elsewhere", "-y", "scenario", "1");

        assertThat(parsed.subcommand().commandSpec().name()).isEqualTo("scenario");
        assertThat(option(parsed, "--data")).isEqualTo(Path.of("elsewhere"));
        assertThat(option(parsed, "--yes")).isEqualTo(true);
    }

    @Test
    void usesTheLastValueOfRepeatedOption() {
        assertThat(option(parse("load", "--rate", "20", "--rate", "30"), "--rate"))
                .isEqualTo(30);
    }

    @Test
    void parsesDatabaseUrl() {
        String url = "jdbc:postgresql://localhost/{service}";

        assertThat(option(parse("--database", url), "--database")).isEqualTo(url);
        assertThat(option(parse(), "--database")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    --loud            | unknown argument --loud; see ./demo --help
                    --proceses        | unknown argument --proceses; did you mean --processes? See ./demo --help
                    load --rat 5      | unknown argument --rat; did you mean --rate? See ./demo load --help
                    lod               | unknown argument lod; did you mean load? See ./demo --help
                    scenario          | "Missing required parameter: '1|2|5|6|7'; see ./demo scenario --help"
                    scenario 3        | scenario must be 1 (happy path), 2 (cancellation), 5 (payment failure), 6 (saga timeout) or 7 (dead letters), but is 3; see ./demo scenario --help
                    load --rate       | Missing required parameter for option '--rate' (N); see ./demo load --help
                    load --rate fast  | Invalid value for option '--rate': must be an integer from 1 to 100000, but is fast; see ./demo load --help
                    load --rate 0     | Invalid value for option '--rate': must be an integer from 1 to 100000, but is 0; see ./demo load --help
                    load --rate --yes | Expected parameter for option '--rate' but found '--yes'; see ./demo load --help
                    load --orchestrated 101 | Invalid value for option '--orchestrated': must be an integer from 0 to 100, but is 101; see ./demo load --help
                    --database jdbc:h2:mem:shop | Invalid value for option '--database': must contain {service}, because each service needs its own database; see ./demo --help
                    reset --database jdbc:postgresql:{service} | reset deletes the files in --data only; to reset a --database, drop its databases; see ./demo --help
                    load reset        | unknown argument reset; see ./demo load --help
                    scenario 7 @file  | unknown argument @file; see ./demo scenario --help
                    """)
    void rejectsInvalidArguments(String line, String message) {
        int code = run(line.split(" "));

        assertThat(text(err)).isEqualTo("demo: " + message + System.lineSeparator());
        assertThat(text(out)).isEmpty();
        assertThat(code).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--database URL",
                "--database=URL",
                "load --database URL",
                "--databse URL",
                "--databse=URL",
                "scenario --databse URL",
                "scenario URL",
                "reset --database {service}URL",
                "URL"
            })
    void doesNotShowPassword(String line) {
        int code = run(line.replace("URL", "jdbc:postgresql://localhost/shop?user=me&password=secret")
                .split(" "));

        assertThat(text(err)).startsWith("demo: ").doesNotContain("secret").hasLineCount(1);
        assertThat(code).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help"})
    void helpNamesEveryCommand(String argument) {
        int code = run(argument);

        assertThat(text(out))
                .contains(
                        "scenario",
                        "load",
                        "reset",
                        "--processes",
                        "--yes",
                        "--rate",
                        "--seconds",
                        "--data",
                        "--database",
                        "--clients",
                        "--orchestrated");
        assertThat(code).isZero();
    }

    private ParseResult parse(String... arguments) {
        return DemoCommandLine.create(new Demo(printStream(out)), printStream(out), printStream(err))
                .parseArgs(arguments);
    }

    private int run(String... arguments) {
        return Demo.run(printStream(out), printStream(err), arguments);
    }

    private static Object option(ParseResult parsed, String name) {
        return parsed.commandSpec().findOption(name).getValue();
    }

    private static PrintStream printStream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
