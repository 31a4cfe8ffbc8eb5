package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemoOptionsTests {

    @Test
    void areTheDefaultsWhenNothingIsSaid() {
        assertThat(DemoOptions.parse(List.of())).isEqualTo(new DemoOptions(1_000, 16, 42, false));
    }

    @Test
    void areWhatIsSaidInAnyOrder() {
        assertThat(DemoOptions.parse(List.of("--seed", "-5", "--callers", "3", "--orders", "20")))
                .isEqualTo(new DemoOptions(20, 3, -5, false));
        assertThat(DemoOptions.parse(List.of("--orders", "20", "--help")).help())
                .isTrue();
    }

    @Test
    void areRefusedWithAReason() {
        assertRefused("there is no option --order", "--order", "5");
        assertRefused("there is no option 5", "5");
        assertRefused("--orders needs a number", "--orders");
        assertRefused("--orders needs a whole number, but was given many", "--orders", "many");
        assertRefused("--orders must be a number from 1 to 100000, but was given 0", "--orders", "0");
        assertRefused("--callers must be a number from 1 to 1000, but was given 1001", "--callers", "1001");
    }

    private static void assertRefused(String message, String... arguments) {
        assertThatThrownBy(() -> DemoOptions.parse(List.of(arguments)))
                .isInstanceOf(WrongOptionException.class)
                .hasMessage(message);
    }
}
