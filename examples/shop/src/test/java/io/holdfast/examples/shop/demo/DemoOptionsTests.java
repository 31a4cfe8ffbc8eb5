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
    void runsTheShopUnlessAskedForSomethingElse() {
        DemoOptions options = DemoOptions.parse();

        assertThat(options.command()).isEqualTo(Command.RUN);
        assertThat(options.processes()).isFalse();
        assertThat(options.data()).isEqualTo(Path.of("data", "shop"));
    }

    @Test
    void understandsScenarios() {
        DemoOptions options = DemoOptions.parse("scenario", "7", "--yes");

        assertThat(options.command()).isEqualTo(Command.SCENARIO);
        assertThat(options.scenario()).isEqualTo(7);
        assertThat(options.yes()).isTrue();
    }

    @Test
    void understandsLoads() {
        DemoOptions options = DemoOptions.parse("load", "--rate", "20", "--seconds", "5", "--processes");

        assertThat(options.command()).isEqualTo(Command.LOAD);
        assertThat(options.rate()).isEqualTo(20);
        assertThat(options.seconds()).isEqualTo(5);
        assertThat(options.processes()).isTrue();
    }

    @Test
    void understandsWhereTheDatabasesAre() {
        String url = "jdbc:postgresql://localhost/{service}";

        assertThat(DemoOptions.parse("--database", url).database()).contains(url);
        assertThat(DemoOptions.parse().database()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --loud            | there is no --loud. ./demo --help shows what there is
                    scenario          | which scenario? There are 1 (happy path), 2 (cancellation), 5 (payment failure) and 7 (dead letters)
                    scenario 3        | there is no scenario 3 in this version; there are 1 (happy path), 2 (cancellation), 5 (payment failure) and 7 (dead letters)
                    load --rate       | --rate needs a value
                    load --rate fast  | --rate must be a number from 1 to 100000, but is fast
                    load --rate 0     | --rate must be a number from 1 to 100000, but is 0
                    --database jdbc:h2:mem:shop | --database must have {service} in it, since each service needs a database of its own, but is jdbc:h2:mem:shop
                    reset --database jdbc:postgresql:{service} | reset removes the files of --data, and nothing in a --database; drop the databases there
                    load reset        | one thing at a time, please; ./demo --help shows what there is
                    """)
    void saysWhatItDoesNotUnderstand(String line, String message) {
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
