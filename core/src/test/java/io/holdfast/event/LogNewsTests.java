package io.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogNewsTests {

    private final LogNews news = LogNews.told();
    private final List<String> told = new ArrayList<>();

    @Test
    void tellsThoseWhoReadTheStreamAndOthers() {
        listen();

        news.appended(Set.of("orders", "payments"));

        assertThat(told).containsExactly("orders", "all", "others");
    }

    @Test
    void tellsEverybodyIfTheStreamsAreNotKnown() {
        listen();

        news.appended();

        assertThat(told).containsExactly("orders", "products", "all", "others");
    }

    @Test
    void doesNotPassOnWhatItHasHeard() {
        listen();

        news.heard();

        assertThat(told).containsExactly("orders", "products", "all");
    }

    @Test
    void versionsChangeWithWhatMayHaveChanged() {
        long orders = news.version("orders");
        long products = news.version("products");
        long all = news.version();
        assertThat(news.version("orders")).isEqualTo(orders);
        assertThat(news.version()).isEqualTo(all);

        news.appended(Set.of("orders"));
        assertThat(news.version("orders")).isNotEqualTo(orders);
        assertThat(news.version("products")).isEqualTo(products);
        assertThat(news.version()).isNotEqualTo(all);

        news.heard();
        assertThat(news.version("products")).isNotEqualTo(products);
    }

    @Test
    void ofALogThatNobodyTellsOfMayComeAtAnyTime() {
        LogNews unknown = LogNews.unknown();

        assertThat(unknown.version()).isNotEqualTo(unknown.version());
        assertThat(unknown.version("orders")).isNotEqualTo(unknown.version("orders"));
    }

    private void listen() {
        news.listen(List.of("orders"), () -> told.add("orders"));
        news.listen(List.of("products"), () -> told.add("products"));
        news.listen(() -> told.add("all"));
        news.pass(() -> told.add("others"));
    }
}
