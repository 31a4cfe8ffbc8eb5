package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.Names;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import io.holdfast.tck.harness.Noted;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Durable deadlines: events that decisions schedule for later, on the store under test. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class DeadlinesKit extends DeadlineScenario {

    @Nested
    class Scheduling {

        @Test
        void appendsTheEventWhenItIsDueAndOnlyOnce() {
            engine().run(scheduling("o-1", HOUR, "late"));

            passTime(HOUR.minusSeconds(1));
            replica.fire();
            assertThat(fired()).isEmpty();

            passTime(Duration.ofSeconds(1));
            replica.fire();
            replica.fire();
            assertThat(fired()).containsExactly("late");
        }

        @Test
        void appendsTheEventToTheServicesDeadlinesUnderItsKey() {
            engine().run(scheduling("o-1", Duration.ZERO, "late"));
            passTime(HOUR);

            replica.fire();

            EventMessage event = events().get(0);
            assertThat(event.stream()).isEqualTo("kit.deadlines");
            assertThat(event.key()).isEqualTo("o-1");
            assertThat(event.version()).isEqualTo(1);
            assertThat(event.type()).isEqualTo("Noted");
            assertThat(event.source()).isEqualTo("kit");
            assertThat(event.occurredAt()).isEqualTo(now());
        }

        @Test
        void acceptsATimeInsteadOfADelay() {
            Instant dueAt = now().plus(HOUR);
            engine().run(context -> context.schedule(NAME, "o-1", dueAt, new Noted("late")));

            assertThat(replica.fire()).contains(dueAt);
            passTime(HOUR);
            replica.fire();

            assertThat(fired()).containsExactly("late");
        }

        @Test
        void firesAtOnceWhatIsInThePast() {
            engine().run(scheduling("o-1", HOUR.negated(), "late"));

            replica.fire();

            assertThat(fired()).containsExactly("late");
        }

        @Test
        void replacesADeadlineOfTheSameNameAndKey() {
            engine().run(scheduling("o-1", HOUR, "first"));
            engine().run(scheduling("o-1", HOUR.multipliedBy(2), "second"));

            passTime(HOUR);
            replica.fire();
            assertThat(fired()).isEmpty();

            passTime(HOUR);
            replica.fire();
            assertThat(fired()).containsExactly("second");
        }

        @Test
        void replacesADeadlineInTheSameDecision() {
            engine().run(context -> {
                context.schedule(NAME, "o-1", HOUR, new Noted("first"));
                context.cancel(NAME, "o-1");
                context.schedule(NAME, "o-1", HOUR, new Noted("second"));
            });
            passTime(HOUR);

            replica.fire();

            assertThat(fired()).containsExactly("second");
        }

        @Test
        void keepsDeadlinesOfOtherNamesAndKeys() {
            engine().run(context -> {
                context.schedule("reminder", "o-1", HOUR, new Noted("1"));
                context.schedule("reminder", "o-2", HOUR, new Noted("2"));
                context.schedule("expiry", "o-1", HOUR, new Noted("3"));
            });
            passTime(HOUR);

            replica.fire();

            assertThat(fired()).containsExactlyInAnyOrder("1", "2", "3");
        }

        @Test
        void commitsWithTheDecision() {
            CompletableFuture<CommandResult> rejected = engine().submit(context -> {
                context.schedule(NAME, "o-1", HOUR, new Noted("late"));
                throw new Overdrawn();
            });
            engine().commit();
            passTime(HOUR);

            replica.fire();

            assertThat(failure(rejected)).isInstanceOf(Overdrawn.class);
            assertThat(fired()).isEmpty();
            assertThat(store().viewStore().findNextDue("deadlines")).isEmpty();
        }

        @Test
        void happensOnceIfACommandIsRepeated() {
            Decision decision = scheduling("o-1", HOUR, "late");
            engine().submit("key", decision);
            engine().submit("key", decision);
            engine().commit();
            passTime(HOUR);
            replica.fire();

            engine().submit("key", decision);
            engine().commit();
            passTime(HOUR);
            replica.fire();

            assertThat(fired()).containsExactly("late");
        }
    }

    @Nested
    class RepeatedCommands {

        private final Decision decision = scheduling("o-1", HOUR, "late");

        private void repeat() {
            engine().submit("key", decision);
            engine().commit();
        }

        @Test
        void doNotPostponeTheDeadline() {
            repeat();
            passTime(HOUR.minusSeconds(1));
            repeat();

            passTime(Duration.ofSeconds(1));
            replica.fire();

            assertThat(fired()).containsExactly("late");
        }

        @Test
        void doNotReviveACancelledDeadline() {
            repeat();
            engine().run(context -> context.cancel(NAME, "o-1"));
            repeat();

            passTime(HOUR);
            replica.fire();

            assertThat(fired()).isEmpty();
        }
    }

    @Nested
    class Limits {

        @Test
        void acceptsTheLongestNamesAndKeys() {
            String name = "n".repeat(127);
            String key = "k".repeat(Names.MAX_LENGTH - 128);
            String component = "c".repeat(Names.MAX_LENGTH);
            PartId id = new PartId(EventIds.random(now()), component);
            engine().submit(CommitUnit.of(
                    Part.of(id, Metadata.none(), context -> context.schedule(name, key, HOUR, new Noted("late")))));
            engine().commit();
            passTime(HOUR);

            replica.fire();

            assertThat(fired()).containsExactly("late");
        }

        @Test
        void rejectsLongerOnesByName() {
            String key = "k".repeat(Names.MAX_LENGTH - NAME.length());

            assertThat(rejection(scheduling(key, HOUR, "late")))
                    .hasMessage("name and key of deadline reminder must together have at most 254 characters,"
                            + " but have 255");
        }

        @Test
        void rejectsASlashInTheName() {
            assertThat(rejection(context -> context.schedule("a/b", "o-1", HOUR, new Noted("late"))))
                    .hasMessage("name of deadline must not contain a slash, but is a/b");
        }

        @Test
        void acceptsLargeEvents() {
            String text = "x".repeat(PayloadCodec.DEFAULT_MAX_SIZE - 2_000);
            engine().run(scheduling("o-1", HOUR, text));
            passTime(HOUR);

            replica.fire();

            assertThat(fired()).containsExactly(text);
        }

        @Test
        void rejectsAnEventThatDoesNotFitIntoTheRow() {
            String quotes = "\"".repeat(PayloadCodec.DEFAULT_MAX_SIZE / 3);

            assertThat(rejection(scheduling("o-1", HOUR, quotes)))
                    .hasMessageStartingWith("deadline reminder/o-1 cannot be scheduled: payload of Deadline has");
        }

        @Test
        void rejectsTimesThatNoStoreRepresents() {
            assertThat(rejection(context -> context.schedule(NAME, "o-1", Instant.MAX, new Noted("late"))))
                    .hasMessageStartingWith("deadline reminder/o-1 cannot be scheduled: it must be due between");
            assertThat(rejection(scheduling("o-1", Duration.ofSeconds(Long.MAX_VALUE), "late")))
                    .hasMessageStartingWith("deadline reminder/o-1 cannot be scheduled: the delay");
        }

        private Throwable rejection(Decision decision) {
            CompletableFuture<CommandResult> result = engine().submit(decision);
            engine().commit();
            Throwable failure = failure(result);
            assertThat(failure).isInstanceOf(PermanentException.class);
            return failure;
        }
    }

    @Nested
    class Cancelling {

        @Test
        void preventsTheEvent() {
            engine().run(scheduling("o-1", HOUR, "late"));
            engine().run(context -> context.cancel(NAME, "o-1"));
            passTime(HOUR);

            replica.fire();

            assertThat(fired()).isEmpty();
        }

        @Test
        void doesNothingIfNoneIsScheduled() {
            engine().run(context -> {
                context.cancel(NAME, "o-1");
                context.append(ACCOUNT, "a", new Deposited(1));
            });

            assertThat(engine().balance("a")).isEqualTo(1);
            assertThat(store().viewStore().findNextDue("deadlines")).isEmpty();
        }

        @Test
        void doesNothingAfterTheDeadlineFired() {
            engine().run(scheduling("o-1", HOUR, "late"));
            passTime(HOUR);
            Instant purge = replica.fire().orElseThrow();

            engine().run(context -> context.cancel(NAME, "o-1"));

            assertThat(fired()).containsExactly("late");
            assertThat(store().viewStore().findNextDue("deadlines")).contains(purge);
        }
    }

    @Nested
    class EndedRows {

        @Test
        void arePurgedAfterAnHour() {
            engine().run(scheduling("fired", HOUR, "late"));
            engine().run(scheduling("cancelled", HOUR, "never"));
            engine().run(context -> context.cancel(NAME, "cancelled"));
            passTime(HOUR.minusSeconds(1));
            replica.fire();
            assertThat(rows()).containsExactly("reminder/cancelled", "reminder/fired");

            passTime(Duration.ofSeconds(1));
            replica.fire();
            assertThat(rows()).containsExactly("reminder/fired");

            passTime(HOUR);
            replica.fire();
            assertThat(rows()).isEmpty();
            assertThat(fired()).containsExactly("late");
        }

        @Test
        void canBeScheduledAgainBeforeAndAfterThePurge() {
            engine().run(scheduling("o-1", Duration.ZERO, "1"));
            replica.fire();
            engine().run(scheduling("o-1", Duration.ZERO, "2"));
            replica.fire();
            passTime(HOUR);
            replica.fire();
            assertThat(rows()).isEmpty();
            engine().run(scheduling("o-1", Duration.ZERO, "3"));
            replica.fire();

            assertThat(fired()).containsExactly("1", "2", "3");
        }

        @Test
        void doNotContainTheEvent() {
            engine().run(scheduling("o-1", Duration.ZERO, "a secret"));

            replica.fire();

            assertThat(store().viewStore().page("deadlines", "", 10))
                    .singleElement()
                    .satisfies(row -> assertThat(
                                    Objects.requireNonNull(row.value()).json())
                            .doesNotContain("a secret"));
        }

        /** As after a reset of the processor: the event exists, and the row does not. */
        @Test
        void areWrittenAgainWithoutASecondEvent() {
            UUID cause = EventIds.random(now());
            for (int run = 0; run < 2; run++) {
                engine().submit(CommitUnit.of(Part.of(
                        new PartId(cause, "kit/part"), Metadata.none(), scheduling("o-1", Duration.ZERO, "late"))));
                engine().commit();
                replica.fire();
                passTime(HOUR);
                replica.fire();
            }

            assertThat(fired()).containsExactly("late");
            assertThat(rows()).isEmpty();
        }
    }

    @Nested
    class TheMetadata {

        @Test
        void isInheritedFromTheDecision() {
            Metadata inherited = Metadata.none()
                    .withCorrelationId("c")
                    .withCausationId("e")
                    .withSaga("OrderFulfillment", "s-1")
                    .withTraceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                    .with("tenant", "t");
            engine().submit(CommitUnit.of(Part.of(newPartId(), inherited, scheduling("o-1", HOUR, "late"))));
            engine().commit();
            passTime(HOUR);

            replica.fire();

            assertThat(events())
                    .singleElement()
                    .extracting(EventMessage::metadata)
                    .isEqualTo(inherited);
        }

        @Test
        void describesEventTypesThatThisVersionDoesNotKnow() {
            engine().run(context -> context.schedule(NAME, "o-1", HOUR, new OfAnotherVersion(7)));
            passTime(HOUR);

            replica.fire();
            engine().run(scheduling("o-1", Duration.ZERO, "known"));
            replica.fire();

            assertThat(events()).extracting(EventMessage::type).containsExactly("OfAnotherVersion", "Noted");
        }
    }

    /** An event type that no aggregate folds. */
    record OfAnotherVersion(int number) {}
}
