package io.holdfast.tck.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.StreamPosition;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StagedActions;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.wire.ConsumerGroup;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.LogStreamSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link ConsumerGroups}, and of the outbox entries that they retain. {@code orders} is an outbox
 * stream.
 */
public abstract class ConsumerGroupsKit extends StoreKit {

    private static final int ALL = 1_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int ROUNDS = 20;
    private static final String BILLING = "billing/invoices";
    private static final String SHIPPING = "shipping/parcels";

    private ConsumerGroups groups() {
        return store().consumerGroups();
    }

    private StreamPosition at(long position) {
        return new StreamPosition(store().eventLog().identity(), position, position == 0 ? null : id());
    }

    private UUID id() {
        return EventIds.random(harness().clock().instant());
    }

    private ConsumerGroup started(String group, String stream, long position) {
        groups().register(group, stream);
        return groups().storeStart(group, stream, at(position));
    }

    private ConsumerGroup found(String group, String stream) {
        return groups().findAll().stream()
                .filter(known -> known.name().equals(group) && known.stream().equals(stream))
                .findFirst()
                .orElseThrow();
    }

    @Nested
    class Registering {

        @Test
        void storesGroupWithoutStart() {
            assertThat(groups().findAll()).isEmpty();

            ConsumerGroup group = groups().register(BILLING, "orders");

            assertThat(group.name()).isEqualTo(BILLING);
            assertThat(group.stream()).isEqualTo("orders");
            assertThat(group.start()).isNull();
            assertThat(group.reached()).isNull();
            assertThat(groups().findAll()).containsExactly(group);
        }

        @Test
        void isIdempotent() {
            ConsumerGroup first = groups().register(BILLING, "orders");

            assertThat(groups().register(BILLING, "orders")).isEqualTo(first);
            assertThat(groups().findAll()).containsExactly(first);
        }

        @Test
        void keepsStartAndReachedPositionWhenRepeated() {
            started(BILLING, "orders", 3);
            groups().report(BILLING, "orders", at(5));
            ConsumerGroup before = found(BILLING, "orders");

            assertThat(groups().register(BILLING, "orders")).isEqualTo(before);
            assertThat(groups().findAll()).containsExactly(before);
        }

        @Test
        void storesStartAsReachedPosition() {
            StreamPosition start = at(3);
            groups().register(BILLING, "orders");

            ConsumerGroup group = groups().storeStart(BILLING, "orders", start);

            assertThat(group.start()).isEqualTo(start);
            assertThat(group.reached()).isEqualTo(start);
            assertThat(groups().findAll()).containsExactly(group);
        }

        @Test
        void acceptsStartBeforeFirstEvent() {
            StreamPosition beginning =
                    StreamPosition.beginning(store().eventLog().identity());
            groups().register(BILLING, "orders");

            assertThat(groups().storeStart(BILLING, "orders", beginning).start())
                    .isEqualTo(beginning);
            assertThat(groups().storeStart(BILLING, "orders", at(7)).start()).isEqualTo(beginning);
        }

        @Test
        void keepsFirstStartAndReachedPosition() {
            ConsumerGroup first = started(BILLING, "orders", 3);
            assertThat(groups().storeStart(BILLING, "orders", at(4))).isEqualTo(first);

            StreamPosition reached = at(9);
            groups().report(BILLING, "orders", reached);
            ConsumerGroup again = groups().storeStart(BILLING, "orders", at(1));

            assertThat(again.start()).isEqualTo(first.start());
            assertThat(again.reached()).isEqualTo(reached);
            assertThat(groups().findAll()).containsExactly(again);
        }

        @Test
        void isRequiredBeforeStart() {
            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> groups().storeStart(BILLING, "orders", at(1)))
                    .withMessageContaining(BILLING)
                    .withMessageContaining("orders");

            assertThat(groups().findAll()).isEmpty();
        }

        @Test
        void separatesGroupsAndStreamsAndListsThemInOrder() {
            started(SHIPPING, "orders", 1);
            started(BILLING, "returns", 2);
            started(BILLING, "orders", 3);
            started("Billing/invoices", "orders", 4);

            assertThat(groups().findAll())
                    .extracting(ConsumerGroup::name, ConsumerGroup::stream)
                    .map(Object::toString)
                    .containsExactly(
                            "(\"Billing/invoices\", \"orders\")",
                            "(\"billing/invoices\", \"orders\")",
                            "(\"billing/invoices\", \"returns\")",
                            "(\"shipping/parcels\", \"orders\")");
            assertThat(groups().findAll())
                    .extracting(
                            group -> group.consumedPosition(store().eventLog().epochs()))
                    .containsExactly(4L, 3L, 2L, 1L);
        }

        @Test
        void returnsSameStartToConcurrentReplicas() {
            List<Store> replicas = List.of(store(), replica());
            for (int round = 0; round < ROUNDS; round++) {
                String group = "group-" + round;

                List<ConsumerGroup> results = TestThreads.race(2, worker -> {
                    ConsumerGroups seen = replicas.get(worker).consumerGroups();
                    seen.register(group, "orders");
                    return seen.storeStart(group, "orders", at(1 + worker));
                });

                assertThat(results.get(0)).isEqualTo(results.get(1)).isEqualTo(found(group, "orders"));
            }
            assertThat(groups().findAll()).hasSize(ROUNDS);
        }
    }

    @Nested
    class Reporting {

        @Test
        void storesPositionForAllReplicas() {
            ConsumerGroup group = started(BILLING, "orders", 3);
            StreamPosition reached = at(8);

            assertThat(groups().report(BILLING, "orders", reached)).isTrue();

            assertThat(replica().consumerGroups().findAll()).singleElement().satisfies(known -> {
                assertThat(known.start()).isEqualTo(group.start());
                assertThat(known.reached()).isEqualTo(reached);
            });
        }

        @Test
        void acceptsLowerPosition() {
            started(BILLING, "orders", 3);
            groups().report(BILLING, "orders", at(8));
            StreamPosition reset = at(0);

            assertThat(groups().report(BILLING, "orders", reset)).isTrue();

            assertThat(found(BILLING, "orders").reached()).isEqualTo(reset);
        }

        @Test
        void doesNotAffectOtherStreamsAndGroups() {
            started(BILLING, "orders", 3);
            ConsumerGroup returns = started(BILLING, "returns", 3);
            ConsumerGroup shipping = started(SHIPPING, "orders", 3);

            groups().report(BILLING, "orders", at(8));

            assertThat(groups().findAll()).contains(returns, shipping);
        }

        @Test
        void storesTimeOfReport() {
            started(BILLING, "orders", 3);
            harness().passTime(HOUR);
            Instant before = found(BILLING, "orders").reportedAt();

            groups().report(BILLING, "orders", at(3));

            assertThat(found(BILLING, "orders").reportedAt()).isAfterOrEqualTo(before.plus(HOUR));
        }

        @Test
        void ignoresUnknownGroup() {
            ConsumerGroup other = started(SHIPPING, "orders", 1);

            assertThat(groups().report(BILLING, "orders", at(8))).isFalse();
            assertThat(groups().report(SHIPPING, "returns", at(8))).isFalse();

            assertThat(groups().findAll()).containsExactly(other);
        }

        @Test
        void ignoresRemovedGroup() {
            started(BILLING, "orders", 3);
            groups().remove(BILLING);

            assertThat(groups().report(BILLING, "orders", at(8))).isFalse();

            assertThat(groups().findAll()).isEmpty();
        }

        @Test
        void ignoresGroupWithoutStart() {
            ConsumerGroup registered = groups().register(BILLING, "orders");

            assertThat(groups().report(BILLING, "orders", at(8))).isFalse();

            assertThat(groups().findAll()).containsExactly(registered);
        }
    }

    @Nested
    class Removing {

        @Test
        void removesAllStreamsOfOneGroupOnly() {
            started(BILLING, "orders", 3);
            groups().register(BILLING, "returns");
            ConsumerGroup other = started(SHIPPING, "orders", 1);

            assertThat(groups().remove(BILLING)).isTrue();

            assertThat(groups().findAll()).containsExactly(other);
        }

        @Test
        void returnsFalseForUnknownGroup() {
            started(BILLING, "orders", 3);

            assertThat(groups().remove(SHIPPING)).isFalse();
            assertThat(groups().remove(BILLING)).isTrue();
            assertThat(groups().remove(BILLING)).isFalse();
        }

        @Test
        void commitsTheOutcomeOfAnOperation() {
            started(BILLING, "orders", 3);
            StagedActions operations = new StagedActions(store().actionStore());
            Settlement settlement = operations.operation(Kind.DELETE_GROUP, BILLING);

            assertThat(groups().remove(SHIPPING, settlement)).isFalse();
            assertThat(operations.isOpen(settlement)).isTrue();
            Crash.before(CommitPoint.GROUP_REMOVE, harness(), () -> groups().remove(BILLING, settlement));
            assertThat(operations.isOpen(settlement)).isTrue();

            Crash.after(CommitPoint.GROUP_REMOVE, harness(), () -> groups().remove(BILLING, settlement));
            operations.assertApplied(settlement);
            assertThat(groups().findAll()).isEmpty();
        }

        @Test
        void removesNothingForASettledOperation() {
            ConsumerGroup group = started(BILLING, "orders", 3);
            StagedActions operations = new StagedActions(store().actionStore());
            Settlement settlement = operations.operation(Kind.DELETE_GROUP, BILLING);
            operations.refuse(settlement);

            assertThatExceptionOfType(AlreadySettledException.class)
                    .isThrownBy(() -> groups().remove(BILLING, settlement));

            assertThat(groups().findAll()).containsExactly(group);
        }

        @Test
        void allowsGroupToRegisterAgain() {
            started(BILLING, "orders", 3);
            groups().remove(BILLING);

            assertThat(groups().register(BILLING, "orders").start()).isNull();
            StreamPosition start = at(9);
            assertThat(groups().storeStart(BILLING, "orders", start).reached()).isEqualTo(start);
        }
    }

    /** Entries that a group has not consumed are not evicted. */
    @Nested
    class Retention {

        @Test
        void retainsEverythingUntilStartIsKnown() {
            writePositioned("orders", 3);
            groups().register(BILLING, "orders");

            assertThat(evict("orders")).isZero();

            groups().storeStart(BILLING, "orders", at(2));
            assertThat(evict("orders")).isEqualTo(2);
            assertThat(retained("orders")).containsExactly(3L);
        }

        @Test
        void retainsFromLowestPositionOfAllGroups() {
            writePositioned("orders", 5);
            started(BILLING, "orders", 0);
            started(SHIPPING, "orders", 0);
            groups().report(BILLING, "orders", at(4));
            assertThat(evict("orders")).isZero();

            groups().report(SHIPPING, "orders", at(2));
            assertThat(evict("orders")).isEqualTo(2);

            groups().report(SHIPPING, "orders", at(5));
            assertThat(evict("orders")).isEqualTo(2);
            assertThat(retained("orders")).containsExactly(5L);
        }

        @Test
        void doesNotApplyToOtherStreams() {
            writePositioned("orders", 2);
            started(BILLING, "returns", 0);

            assertThat(evict("orders")).isEqualTo(2);
        }

        @Test
        void endsWhenGroupIsRemoved() {
            writePositioned("orders", 2);
            started(BILLING, "orders", 0);
            assertThat(evict("orders")).isZero();

            groups().remove(BILLING);

            assertThat(evict("orders")).isEqualTo(2);
        }

        @Test
        void doesNotEvictYoungEntries() {
            writePositioned("orders", 2);
            started(BILLING, "orders", 2);

            assertThat(store().outboxStore()
                            .evict("orders", ALL, harness().clock().instant().minus(HOUR)))
                    .isZero();
        }

        /**
         * The source was restored to position 2. The group had read five events, and three of them have been replaced
         * since.
         */
        @Test
        void retainsEntriesAboveStartOfLaterEpoch() {
            writePositioned("orders", 2);
            started(BILLING, "orders", 5);
            store().commitStore().raiseEpoch();
            writePositioned("orders", 3);

            assertThat(evict("orders")).isEqualTo(2);
            assertThat(retained("orders")).containsExactly(3L, 4L, 5L);

            groups().report(BILLING, "orders", at(4));
            assertThat(evict("orders")).isEqualTo(2);
        }

        @Test
        void ignoresReportedPositionOfAnotherLog() {
            writePositioned("orders", 3);
            started(BILLING, "orders", 1);

            groups().report(BILLING, "orders", new StreamPosition(new LogIdentity(id(), 1), 3, id()));

            assertThat(evict("orders")).isEqualTo(1);
            assertThat(retained("orders")).containsExactly(2L, 3L);
        }

        @Test
        void losesNoEventWhenGroupStartsDuringEviction() {
            for (int round = 0; round < ROUNDS; round++) {
                writePositioned("orders", 3);
                LogStreamSource reader = new LogStreamSource(store().eventLog(), groups(), "group-" + round);

                List<StreamPosition> starts = TestThreads.race(2, worker -> {
                    if (worker == 0) {
                        evict("orders");
                        return at(0);
                    }
                    return reader.start("orders", StartAt.BEGINNING).orElseThrow();
                });

                List<EventMessage> read = reader.read("orders", starts.get(1), ALL);
                assertThat(read).isEqualTo(store().eventLog().readStream("orders", 0, ALL));
                groups().remove("group-" + round);
            }
        }
    }

    private void writePositioned(String stream, int entries) {
        OutboxStore outbox = store().outboxStore();
        harness().inTransaction(() -> IntStream.range(0, entries)
                .forEach(number -> outbox.write(
                        stream, "key-" + number, new NewEvent(codec.encode(new Noted(stream)), Metadata.none()))));
        assertThat(outbox.assignPositions(ALL)).isEqualTo(entries);
        harness().passTime(HOUR);
    }

    private int evict(String stream) {
        return store().outboxStore().evict(stream, ALL, harness().clock().instant());
    }

    private List<Long> retained(String stream) {
        return store().eventLog().readStream(stream, 0, ALL).stream()
                .map(EventMessage::position)
                .toList();
    }

    @Nested
    class Crashing {

        @Test
        void leavesNoGroupBeforeRegistration() {
            Crash.before(CommitPoint.GROUP_REGISTER, harness(), () -> groups().register(BILLING, "orders"));

            assertThat(groups().findAll()).isEmpty();
            assertThat(started(BILLING, "orders", 3).start()).isNotNull();
        }

        @Test
        void leavesRetainingGroupAfterRegistration() {
            writePositioned("orders", 2);
            Crash.after(CommitPoint.GROUP_REGISTER, harness(), () -> groups().register(BILLING, "orders"));

            assertThat(found(BILLING, "orders").start()).isNull();
            assertThat(evict("orders")).isZero();
            assertThat(started(BILLING, "orders", 1).start()).isNotNull();
        }

        @Test
        void leavesStartOpenBeforeItIsStored() {
            ConsumerGroup registered = groups().register(BILLING, "orders");
            Crash.before(CommitPoint.GROUP_START, harness(), () -> groups().storeStart(BILLING, "orders", at(3)));

            assertThat(groups().findAll()).containsExactly(registered);
            StreamPosition start = at(4);
            assertThat(groups().storeStart(BILLING, "orders", start).start()).isEqualTo(start);
        }

        @Test
        void leavesStartAfterItIsStored() {
            StreamPosition start = at(3);
            groups().register(BILLING, "orders");
            Crash.after(CommitPoint.GROUP_START, harness(), () -> groups().storeStart(BILLING, "orders", start));

            assertThat(found(BILLING, "orders").start()).isEqualTo(start);
            assertThat(found(BILLING, "orders").reached()).isEqualTo(start);
            assertThat(groups().storeStart(BILLING, "orders", at(4)).start()).isEqualTo(start);
        }

        @Test
        void leavesPreviousReportBeforeReportIsStored() {
            ConsumerGroup started = started(BILLING, "orders", 3);
            Crash.before(CommitPoint.GROUP_REPORT, harness(), () -> groups().report(BILLING, "orders", at(5)));

            assertThat(groups().findAll()).containsExactly(started);
        }

        @Test
        void leavesReportAfterItIsStored() {
            ConsumerGroup started = started(BILLING, "orders", 3);
            StreamPosition reached = at(5);
            Crash.after(CommitPoint.GROUP_REPORT, harness(), () -> groups().report(BILLING, "orders", reached));

            assertThat(found(BILLING, "orders").start()).isEqualTo(started.start());
            assertThat(found(BILLING, "orders").reached()).isEqualTo(reached);
        }

        @Test
        void leavesAllStreamsBeforeRemoval() {
            ConsumerGroup orders = started(BILLING, "orders", 3);
            ConsumerGroup returns = started(BILLING, "returns", 4);
            Crash.before(CommitPoint.GROUP_REMOVE, harness(), () -> groups().remove(BILLING));

            assertThat(groups().findAll()).containsExactly(orders, returns);
            assertThat(groups().remove(BILLING)).isTrue();
        }

        @Test
        void leavesNoStreamAfterRemoval() {
            started(BILLING, "orders", 3);
            started(BILLING, "returns", 4);
            Crash.after(CommitPoint.GROUP_REMOVE, harness(), () -> groups().remove(BILLING));

            assertThat(groups().findAll()).isEmpty();
            assertThat(groups().remove(BILLING)).isFalse();
        }
    }
}
