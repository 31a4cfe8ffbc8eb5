package io.holdfast.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.wire.KnownService;
import io.holdfast.wire.KnownServices;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link KnownServices}. */
public abstract class KnownServicesKit extends StoreKit {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int ROUNDS = 20;

    private KnownServices services() {
        return store().knownServices();
    }

    private KnownService found(String name) {
        return services().findAll().stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<String> names() {
        return services().findAll().stream().map(KnownService::name).toList();
    }

    @Nested
    class Recording {

        @Test
        void knowsNothingAtFirst() {
            assertThat(services().findAll()).isEmpty();

            services().recordLive(List.of());

            assertThat(services().findAll()).isEmpty();
        }

        @Test
        void addsServicesInTheOrderOfTheirNames() {
            services().recordLive(List.of("stock", "Stock", "billing"));
            services().recordLive(List.of("orders"));

            assertThat(names()).containsExactly("Stock", "billing", "orders", "stock");
            assertThat(replica().knownServices().findAll()).isEqualTo(services().findAll());
        }

        @Test
        void keepsWhenAServiceWasFirstSeen() {
            services().recordLive(List.of("stock"));
            KnownService first = found("stock");
            assertThat(first.lastSeen()).isEqualTo(first.firstSeen());
            harness().passTime(HOUR);
            KnownService before = found("stock");

            services().recordLive(List.of("stock"));

            assertThat(found("stock").firstSeen()).isEqualTo(before.firstSeen());
            assertThat(found("stock").lastSeen())
                    .isAfterOrEqualTo(before.lastSeen().plus(HOUR));
        }

        @Test
        void doesNotAffectOtherServices() {
            services().recordLive(List.of("stock", "orders"));
            harness().passTime(HOUR);
            KnownService before = found("stock");

            services().recordLive(List.of("orders"));

            assertThat(found("stock")).isEqualTo(before);
        }

        @Test
        void recordsAServiceOnceForConcurrentReplicas() {
            List<Store> replicas = List.of(store(), replica());
            for (int round = 0; round < ROUNDS; round++) {
                List<List<String>> orders =
                        List.of(List.of("a-" + round, "b-" + round), List.of("b-" + round, "a-" + round));

                TestThreads.race(2, worker -> {
                    replicas.get(worker).knownServices().recordLive(orders.get(worker));
                    return worker;
                });
            }
            assertThat(names()).hasSize(2 * ROUNDS).doesNotHaveDuplicates();
        }
    }

    @Nested
    class Forgetting {

        @Test
        void removesOneService() {
            services().recordLive(List.of("stock", "orders"));

            assertThat(services().forget("stock")).isTrue();

            assertThat(names()).containsExactly("orders");
            assertThat(services().forget("stock")).isFalse();
            assertThat(services().forget("nowhere")).isFalse();
        }

        @Test
        void endsWhenTheServiceIsSeenAgain() {
            services().recordLive(List.of("stock"));
            harness().passTime(HOUR);
            KnownService before = found("stock");
            services().forget("stock");

            services().recordLive(List.of("stock"));

            assertThat(found("stock").firstSeen()).isAfter(before.firstSeen());
        }

        @Test
        void removesOnlyServicesThatWereSilentForLonger() {
            services().recordLive(List.of("stock", "orders"));
            harness().passTime(HOUR);
            services().recordLive(List.of("orders"));

            assertThat(services().forgetSilent(HOUR.multipliedBy(2))).isZero();
            assertThat(services().forgetSilent(HOUR.dividedBy(2))).isEqualTo(1);

            assertThat(names()).containsExactly("orders");
        }
    }

    @Nested
    class Crashing {

        @Test
        void recordsNoServiceBefore() {
            Crash.before(
                    CommitPoint.SERVICES_RECORD, harness(), () -> services().recordLive(List.of("stock")));

            assertThat(services().findAll()).isEmpty();
        }

        @Test
        void recordsAllServicesAfter() {
            Crash.after(
                    CommitPoint.SERVICES_RECORD, harness(), () -> services().recordLive(List.of("stock", "orders")));

            assertThat(names()).containsExactly("orders", "stock");
        }

        @Test
        void keepsServicesBeforeTheyAreForgotten() {
            services().recordLive(List.of("stock"));
            Crash.before(
                    CommitPoint.SERVICES_FORGET, harness(), () -> services().forget("stock"));
            Crash.before(
                    CommitPoint.SERVICES_FORGET, harness(), () -> services().forgetSilent(Duration.ZERO));

            assertThat(names()).containsExactly("stock");
        }

        @Test
        void lacksServicesAfterTheyAreForgotten() {
            services().recordLive(List.of("stock"));
            Crash.after(CommitPoint.SERVICES_FORGET, harness(), () -> services().forget("stock"));

            assertThat(services().findAll()).isEmpty();
        }
    }
}
