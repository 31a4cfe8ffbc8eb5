package io.holdfast.wire.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AppendSignalsTests {

    private final AppendSignals signals = AppendSignals.tracked();
    private final List<String> notified = new ArrayList<>();

    @Test
    void notifiesListenersOfAppendedStreams() {
        registerListeners();

        signals.appended(Set.of("orders", "payments"));

        assertThat(notified).containsExactly("orders", "all", "others");
    }

    @Test
    void notifiesAllListenersWhenStreamsAreUnspecified() {
        registerListeners();

        signals.appended();

        assertThat(notified).containsExactly("orders", "products", "all", "others");
    }

    @Test
    void doesNotNotifyLocalListenersOfAppendsElsewhere() {
        registerListeners();

        signals.appendedElsewhere();

        assertThat(notified).containsExactly("orders", "products", "all");
    }

    @Test
    void signalCountsChangeWithTheirStreams() {
        long orders = signals.signalCount("orders");
        long products = signals.signalCount("products");
        long all = signals.signalCount();
        assertThat(signals.signalCount("orders")).isEqualTo(orders);
        assertThat(signals.signalCount()).isEqualTo(all);

        signals.appended(Set.of("orders"));
        assertThat(signals.signalCount("orders")).isNotEqualTo(orders);
        assertThat(signals.signalCount("products")).isEqualTo(products);
        assertThat(signals.signalCount()).isNotEqualTo(all);

        signals.appendedElsewhere();
        assertThat(signals.signalCount("products")).isNotEqualTo(products);
    }

    @Test
    void signalCountsAlwaysChangeWhenUntracked() {
        AppendSignals untracked = AppendSignals.untracked();

        assertThat(untracked.signalCount()).isNotEqualTo(untracked.signalCount());
        assertThat(untracked.signalCount("orders")).isNotEqualTo(untracked.signalCount("orders"));
    }

    private void registerListeners() {
        signals.onAppend(List.of("orders"), () -> notified.add("orders"));
        signals.onAppend(List.of("products"), () -> notified.add("products"));
        signals.onAppend(() -> notified.add("all"));
        signals.onLocalAppend(() -> notified.add("others"));
    }
}
