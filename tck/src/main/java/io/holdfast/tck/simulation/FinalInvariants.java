package io.holdfast.tck.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.action.Action.Kind;
import io.holdfast.action.Receipt;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamPosition;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Accounts.Balance;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StagedActions;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The invariants of a world in which all faults have ended and all work is done. */
final class FinalInvariants {

    private final World world;
    private final PayloadCodec codec = new PayloadCodec();
    private final List<EventMessage> source;
    private final List<EventMessage> sink;

    FinalInvariants(World world) {
        this.world = world;
        this.source = world.sourceEvents();
        this.sink = world.sinkEvents();
    }

    void check() {
        checkGapless(source, world.source.store().eventLog());
        checkGapless(sink, world.sink.store().eventLog());
        checkCommandResults();
        checkCommandsAtomicAndOnce();
        checkNeverOverdrawn();
        checkRemarks();
        checkCopies();
        new RowInvariants(world, this::mayBeAbandoned).check();
        checkSegments();
        checkClaims();
        checkNothingIsParked();
        checkReplays();
        checkReceipts();
        checkBreakerCalls();
    }

    /** What the receipts state has happened. A failover may have lost that, or the receipt. */
    private void checkReceipts() {
        List<String> ids = IntStream.rangeClosed(1, world.actions)
                .mapToObj(number -> "action-" + number)
                .toList();
        List<Receipt> receipts = world.sink.store().actionStore().find(ids);
        checkResets(receipts);
        for (Receipt receipt : receipts) {
            checkTotals(receipt);
            List<LetterOutcome> letters =
                    StagedActions.outcomes(world.sink.store().actionStore(), receipt.action());
            letters.stream().filter(letter -> world.abandoned.failovers() == 0).forEach(this::checkOutcome);
        }
    }

    private void checkTotals(Receipt receipt) {
        assertThat(receipt.isDone()).as("%s", receipt).isTrue();
        List<Receipt.Item> items = world.sink.store().actionStore().findItems(receipt.action(), 0, Integer.MAX_VALUE);
        assertThat(items).as("%s", receipt).hasSize((int) receipt.selected());
        Map<Outcome, Long> outcomes = items.stream()
                .collect(Collectors.groupingBy(
                        item -> Objects.requireNonNull(item.result()).outcome(), Collectors.counting()));
        assertThat(receipt.totals().outcomes()).as("%s", receipt).isEqualTo(outcomes);
    }

    /** Each reset that a receipt states has started one generation, and none has that no receipt states. */
    private void checkResets(List<Receipt> receipts) {
        if (world.abandoned.failovers() == 0) {
            assertThat(receipts)
                    .filteredOn(receipt -> receipt.kind() == Kind.RESET && receipt.count(Outcome.APPLIED) == 1)
                    .as("resets that were applied")
                    .hasSize(world.generation() - 1);
        }
    }

    private void checkOutcome(LetterOutcome letter) {
        if (letter.outcome() == Outcome.DISCARDED) {
            checkHasNoEffect(letter);
        }
        boolean isApplied = letter.outcome() == Outcome.APPLIED || letter.outcome() == Outcome.ALREADY_APPLIED;
        String component = letter.component().substring(letter.component().lastIndexOf('/') + 1);
        if (isApplied && List.of("ledger", "audit").contains(component)) {
            assertThat(copied(sink, component))
                    .as("the effect that %s states", letter)
                    .contains(letter.event().toString());
        }
    }

    /** A later generation handles the event again, and one that was parked again had taken effect before. */
    private void checkHasNoEffect(LetterOutcome letter) {
        String component = SinkReplica.name(letter.component());
        PartId part = new PartId(letter.event(), letter.component());
        if (world.generation() == 1
                && !world.reparked.contains(part)
                && !world.restored.contains(part)
                && !world.failovers.mayBeHandledAgain(letter.event())
                && List.of("ledger", "audit").contains(component)) {
            assertThat(copied(sink, component))
                    .as("the effect that %s denies", letter)
                    .doesNotContain(letter.event().toString());
        }
    }

    private static void checkGapless(List<EventMessage> events, EventLog log) {
        assertThat(events)
                .extracting(EventMessage::position)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, events.size()).boxed().toList());
        Map<String, Long> versions = new HashMap<>();
        Map<String, StreamPosition> reached = new HashMap<>();
        for (EventMessage event : events) {
            long before = versions.getOrDefault(event.stream() + "/" + event.key(), 0L);
            assertThat(event.version()).as("version of %s", event).isEqualTo(before + 1);
            versions.put(event.stream() + "/" + event.key(), event.version());
            StreamPosition last = reached.getOrDefault(event.stream(), StreamPosition.beginning(log.identity()));
            assertThat(last.isFollowedBy(event))
                    .as("%s follows %s", event, last)
                    .isTrue();
            reached.put(event.stream(), event.streamPosition());
        }
    }

    /** A command that succeeded has all its events in the log. */
    private void checkCommandResults() {
        for (World.SentCommand sent : world.sentCommands) {
            if (sent.hasSucceeded()) {
                CommandResult result = sent.result().join();
                assertThat(result.events()).as("events of %s", sent.command()).hasSize(expectedEvents(sent.command()));
                assertThat(source.stream().map(FinalInvariants::withoutEpoch))
                        .as("the log")
                        .containsAll(result.events().stream()
                                .map(FinalInvariants::withoutEpoch)
                                .toList());
            }
        }
    }

    /** A failover raises the epoch of all events. */
    private static List<Object> withoutEpoch(EventMessage event) {
        return List.of(event.id(), event.position(), event.stream(), event.key(), event.version(), event.payload());
    }

    private void checkCommandsAtomicAndOnce() {
        Map<String, List<String>> byCommand = new HashMap<>();
        for (EventMessage event : source) {
            if (event.stream().equals(Accounts.STREAM)) {
                byCommand
                        .computeIfAbsent(event.metadata().causationId().orElseThrow(), unknown -> new ArrayList<>())
                        .add(event.type());
            }
        }
        assertThat(byCommand.values()).allSatisfy(types -> assertThat(types)
                .as("a command's events")
                .isIn(List.of("Deposited"), List.of("Withdrawn"), List.of("Deposited", "Withdrawn")));
    }

    private void checkNeverOverdrawn() {
        Map<String, Balance> balances = new HashMap<>();
        for (EventMessage event : source) {
            if (event.stream().equals(Accounts.STREAM)) {
                Balance before = balances.getOrDefault(event.key(), new Balance(0));
                Balance after = Accounts.ACCOUNT.evolve(before, event.payload(), codec);
                assertThat(after.amount()).as("balance after %s", event).isNotNegative();
                balances.put(event.key(), after);
            }
        }
    }

    /** A remark is in the log at least as often as a transaction that wrote it has returned. */
    private void checkRemarks() {
        List<String> stored = source.stream()
                .filter(event -> event.stream().equals(Mirror.REMARKS))
                .map(event -> codec.decode(event.payload(), Noted.class).text())
                .toList();
        assertThat(stored).containsAll(world.remarked);
        for (String text : world.remarked) {
            long committed = world.remarked.stream().filter(text::equals).count();
            assertThat(stored.stream().filter(text::equals).count()).as(text).isGreaterThanOrEqualTo(committed);
        }
    }

    /** Every event that was not abandoned took effect exactly once in each component, in the order of its key. */
    private void checkCopies() {
        List.of("ledger", "audit", "archive").forEach(this::checkCopies);
        Map<UUID, EventMessage> byId = source.stream().collect(Collectors.toMap(EventMessage::id, Function.identity()));
        Map<String, Long> last = new HashMap<>();
        for (EventMessage event : sink) {
            Mirror.Copied copied = codec.decode(event.payload(), Mirror.Copied.class);
            UUID id = UUID.fromString(copied.eventId());
            if (world.failovers.mayBeHandledAgain(id)) {
                continue; // the effects of a lost event stay, and what the source has appended since repeats its
                // version
            }
            EventMessage original = Objects.requireNonNull(byId.get(id));
            if (!isFromLaterGeneration(event.stream(), original)
                    && !world.addedHandlers.mayComeLate(event.stream(), original)) {
                Long before = last.put(event.stream() + "/" + event.key(), copied.version());
                assertThat(copied.version()).as("order in %s", event).isGreaterThan(before == null ? 0 : before);
            }
        }
    }

    private void checkCopies(String component) {
        List<String> copied = copied(sink, component);
        assertThat(copied).as("events handled by %s", component).doesNotHaveDuplicates();
        List<String> existing = source.stream().map(FinalInvariants::id).toList();
        List<String> expected = source.stream()
                .filter(event -> mustHandle(component, event)
                        || (world.failovers.mayBeHandledAgain(event.id()) && copied.contains(id(event))))
                .filter(event -> !(mayBeAbandoned(component, event) || world.failovers.maySkip(event.id()))
                        || copied.contains(id(event)))
                .filter(event -> !isAbandoned(component, event))
                .map(FinalInvariants::id)
                .toList();
        assertThat(copied)
                .as("events handled by %s", component)
                .filteredOn(id -> existing.contains(id) || !world.failovers.isLost(UUID.fromString(id)))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private boolean mustHandle(String component, EventMessage event) {
        return SinkVersion.FIRST.handles(component, event.type()) || world.addedHandlers.mustHandle(component, event);
    }

    private boolean mayBeAbandoned(String component, EventMessage event) {
        return world.abandoned.isPossible(SinkReplica.id(component), event.id());
    }

    /** Returns whether the event was certainly abandoned and the processor was never reset. */
    private boolean isAbandoned(String component, EventMessage event) {
        return world.generation() == 1
                && !world.failovers.mayBeHandledAgain(event.id())
                && world.abandoned.isCertain(SinkReplica.id(component), event.id(), 1);
    }

    /** Returns whether the event may have been abandoned in one generation and handled in a later one. */
    private boolean isFromLaterGeneration(String component, EventMessage event) {
        return world.generation() > 1 && mayBeAbandoned(component, event);
    }

    /** Returns the ids of the events that a component has handled, in order. */
    static List<String> copied(List<EventMessage> sink, String component) {
        PayloadCodec codec = new PayloadCodec();
        return sink.stream()
                .filter(event -> event.stream().equals(component))
                .map(event -> codec.decode(event.payload(), Mirror.Copied.class).eventId())
                .toList();
    }

    /** The segments cover every hash once, are all at the same position, and have no marks. */
    private void checkSegments() {
        List<Token> segments = world.segments();
        int widest =
                segments.stream().mapToInt(token -> token.setup().mask()).max().orElseThrow();
        for (int hash = 0; hash <= widest; hash++) {
            int masked = hash;
            assertThat(segments)
                    .filteredOn(token -> Segments.covers(
                            masked, token.segment().number(), token.setup().mask()))
                    .as("segments of hash %s", masked)
                    .hasSize(1);
        }
        assertThat(segments).allSatisfy(token -> assertThat(token.marks())
                .filteredOn(mark -> !world.failovers.isLost(mark.event()))
                .isEmpty());
        assertThat(segments)
                .extracting(token -> token.setup().generation())
                .containsOnly(segments.get(0).setup().generation());
        assertThat(segments).extracting(this::reached).containsOnly(reached(segments.get(0)));
    }

    /** Without the epoch: after a failover, a reader moves to the newest one when it reads the next event. */
    private Map<String, Long> reached(Token token) {
        return token.positions().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> world.reached(entry.getKey(), entry.getValue())));
    }

    /** Exactly one replica, the owner, works on a claimed segment. */
    private void checkClaims() {
        Map<Integer, String> owners = new TreeMap<>();
        for (ClaimedToken claimedToken : world.sink.store().tokenStore().findAll(SinkReplica.PROCESSOR)) {
            if (claimedToken.owner() != null) {
                owners.put(claimedToken.token().segment().number(), claimedToken.owner());
            }
        }
        Map<Integer, String> believed = new TreeMap<>();
        for (SinkReplica replica : world.sinks()) {
            for (int number : replica.claimed()) {
                assertThat(believed.put(number, replica.owner()))
                        .as("second replica that works on segment %s", number)
                        .isNull();
            }
        }
        assertThat(believed).as("owner of each segment").isEqualTo(owners);
    }

    /** No breaker waits for the outcome of a call, although replicas lost segments and stores failed. */
    private void checkBreakerCalls() {
        assertThat(world.sinks()).allSatisfy(replica -> assertThat(replica.openCalls())
                .as("calls of %s without an outcome", replica.owner())
                .isZero());
    }

    private void checkNothingIsParked() {
        for (String component : SinkReplica.COMPONENTS) {
            String id = SinkReplica.id(component);
            assertThat(world.sink.store().deadLetterStore().counts(id))
                    .as("counts of %s", id)
                    .isEqualTo(QueueCounts.EMPTY);
            for (String sequence : sequences()) {
                assertThat(world.sink.store().deadLetterStore().findLetters(new SequenceId(id, sequence), 0, 1))
                        .as("letters of %s in %s", sequence, id)
                        .isEmpty();
            }
        }
    }

    /** Every replay has completed, and its result adds up. */
    private void checkReplays() {
        for (SinkReplica replica : world.sinks()) {
            assertThat(replica.isReplaying())
                    .as("%s has open replays", replica.owner())
                    .isFalse();
            assertThat(replica.progress()).allSatisfy(progress -> {
                boolean isComplete =
                        progress.status() != BulkProgress.Status.RUNNING; // otherwise it was rejected while paused
                assertThat(progress.drained() + progress.failed())
                        .as("outcomes of %s", progress)
                        .isBetween(isComplete ? progress.started() : 0, progress.started());
            });
        }
    }

    private Set<String> sequences() {
        return source.stream().map(event -> event.stream() + "/" + event.key()).collect(Collectors.toSet());
    }

    static String id(EventMessage event) {
        return event.id().toString();
    }

    private static int expectedEvents(Step.SendCommand command) {
        return command.kind() == Step.CommandKind.TRANSFER ? 2 : 1;
    }
}
