package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.examples.shop.demo.DemoOptions.Command;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTests {

    @Test
    void startsTheShopByDefault() {
        DemoOptions options = DemoOptions.parse();

        assertThat(options.command()).isEqualTo(Command.RUN);
        assertThat(options.processes()).isFalse();
        assertThat(options.data()).isEqualTo(Path.of("data", "shop"));
    }

    @Test
    void parsesScenario() {
        DemoOptions options = DemoOptions.parse("scenario", "7", "--yes");

        assertThat(options.command()).isEqualTo(Command.SCENARIO);
        assertThat(options.scenario()).isEqualTo(7);
        assertThat(options.yes()).isTrue();
    }

    @Test
    void parsesLoad() {
        DemoOptions options = DemoOptions.parse("load", "--rate", "20", "--seconds", "5", "--processes");

        assertThat(options.command()).isEqualTo(Command.LOAD);
        assertThat(options.rate()).isEqualTo(20);
        assertThat(options.seconds()).isEqualTo(5);
        assertThat(options.processes()).isTrue();
    }

    @Test
    void parsesDatabaseUrl() {
        String url = "jdbc:postgresql://localhost/{service}";

        assertThat(DemoOptions.parse("--database", url).database()).contains(url);
        assertThat(DemoOptions.parse().database()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --loud            | unknown argument --loud; see ./demo --help
                    scenario          | scenario requires a number: 1 (happy path), 2 (cancellation), 5 (payment failure) or 7 (dead letters)
                    scenario 3        | scenario 3 is not available in this version; choose 1 (happy path), 2 (cancellation), 5 (payment failure) or 7 (dead letters)
                    load --rate       | --rate requires a value
                    load --rate fast  | --rate must be an integer from 1 to 100000, but is fast
                    load --rate 0     | --rate must be an integer from 1 to 100000, but is 0
                    --database jdbc:h2:mem:shop | --database must contain {service}, because each service needs its own database
                    reset --database jdbc:postgresql:{service} | reset deletes the files in --data only; to reset a --database, drop its databases
                    load reset        | only one command is allowed; see ./demo --help
                    """)
    void rejectsInvalidArguments(String line, String message) {
        assertThatThrownBy(() -> DemoOptions.parse(line.split(" ")))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessage(message);
    }

    @Test
    void helpNamesEveryCommand() {
        assertThat(DemoOptions.HELP)
                .contains(
                        "scenario",
                        "load",
                        "reset",
                        "--processes",
                        "--yes",
                        "--rate",
                        "--seconds",
                        "--data",
                        "--clients");
    }
}
