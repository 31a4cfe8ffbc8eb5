package io.holdfast.tck.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamPosition;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.Accounts;
import io.holdfast.tck.Accounts.Balance;
import io.holdfast.tck.Noted;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What must be true of a world in which nothing goes wrong any more and everybody has done everything. */
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
        checkTotals();
        checkJournal();
        checkSegments();
        checkClaims();
        checkNothingIsParked();
        checkReplays();
    }

    private static void checkGapless(List<EventMessage> events, EventLog log) {
        assertThat(events)
                .extracting(EventMessage::position)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, events.size()).boxed().toList());
        Map<String, Long> sequences = new HashMap<>();
        Map<String, StreamPosition> reached = new HashMap<>();
        for (EventMessage event : events) {
            long before = sequences.getOrDefault(event.stream() + "/" + event.key(), 0L);
            assertThat(event.version()).as("sequence of %s", event).isEqualTo(before + 1);
            sequences.put(event.stream() + "/" + event.key(), event.version());
            StreamPosition last = reached.getOrDefault(event.stream(), StreamPosition.beginning(log.identity()));
            assertThat(last.isFollowedBy(event))
                    .as("%s follows %s", event, last)
                    .isTrue();
            reached.put(event.stream(), event.streamPosition());
        }
    }

    /** Nobody was answered for what is not there. */
    private void checkCommandResults() {
        for (World.SentCommand asked : world.sentCommands) {
            if (asked.result().isDone() && !asked.result().isCompletedExceptionally()) {
                CommandResult result = asked.result().join();
                assertThat(result.events())
                        .as("events of %s", asked.command())
                        .hasSize(expectedEvents(asked.command()));
                assertThat(source).containsAll(result.events());
            }
        }
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

    /** Whoever was told that a remark is there finds it, once. */
    private void checkRemarks() {
        List<String> stored = source.stream()
                .filter(event -> event.stream().equals(Mirror.REMARKS))
                .map(event -> codec.decode(event.payload(), Noted.class).text())
                .toList();
        assertThat(stored).containsAll(world.remarked);
        for (String text : world.remarked) {
            long told = world.remarked.stream().filter(text::equals).count();
            assertThat(stored.stream().filter(text::equals).count()).as(text).isGreaterThanOrEqualTo(told);
        }
    }

    /** Every event that was not given up took effect once in each component, in the order of its key. */
    private void checkCopies() {
        checkCopies("ledger", event -> event.stream().equals(Accounts.STREAM));
        checkCopies("audit", event -> !event.type().equals("Withdrawn"));
        Map<String, Long> last = new HashMap<>();
        for (EventMessage event : sink) {
            Mirror.Copied copied = codec.decode(event.payload(), Mirror.Copied.class);
            if (!isFromLaterGeneration(event.stream(), UUID.fromString(copied.eventId()))) {
                Long before = last.put(event.stream() + "/" + event.key(), copied.version());
                assertThat(copied.version()).as("order in %s", event).isGreaterThan(before == null ? 0 : before);
            }
        }
    }

    private void checkCopies(String component, Predicate<EventMessage> which) {
        List<String> copied = copied(sink, component);
        assertThat(copied).as("what the %s has seen", component).doesNotHaveDuplicates();
        List<String> expected = source.stream()
                .filter(which)
                .filter(event -> !mayBeAbandoned(component, event) || copied.contains(id(event)))
                .filter(event -> !isAbandoned(component, event))
                .map(FinalInvariants::id)
                .toList();
        assertThat(copied).as("what the %s has seen", component).containsExactlyInAnyOrderElementsOf(expected);
    }

    private boolean mayBeAbandoned(String component, EventMessage event) {
        return world.abandoned.isPossible(SinkReplica.id(component), event.id());
    }

    /** For certain, in the only generation that there was. */
    private boolean isAbandoned(String component, EventMessage event) {
        return world.generation() == 1 && world.abandoned.isCertain(SinkReplica.id(component), event.id(), 1);
    }

    /** Whether it may have been given up in one generation, and handled in a later one. */
    private boolean isFromLaterGeneration(String component, UUID event) {
        return world.generation() > 1 && world.abandoned.isPossible(SinkReplica.id(component), event);
    }

    /** The ids of the events that a component has seen, in order. */
    static List<String> copied(List<EventMessage> sink, String component) {
        PayloadCodec codec = new PayloadCodec();
        return sink.stream()
                .filter(event -> event.stream().equals(component))
                .map(event -> codec.decode(event.payload(), Mirror.Copied.class).eventId())
                .toList();
    }

    /** The ledger's rows say what its events do. */
    private void checkTotals() {
        ViewRows rows = new ViewRows(world.sink.store().viewStore(), codec);
        List<String> copied = copied(sink, "ledger");
        for (String account : Steps.ACCOUNTS) {
            List<EventMessage> history = history(account).stream()
                    .filter(event -> copied.contains(id(event)))
                    .toList();
            Balance balance = new Balance(0);
            for (EventMessage event : history) {
                balance = Accounts.ACCOUNT.evolve(balance, event.payload(), codec);
            }
            Mirror.Total total = rows.find(Mirror.TOTALS, account).orElse(new Mirror.Total(0, 0));
            assertThat(total).as(account).isEqualTo(new Mirror.Total(balance.amount(), history.size()));
        }
    }

    private List<EventMessage> history(String account) {
        return world.source.store().eventLog().readKey(Accounts.STREAM, account, 0, Integer.MAX_VALUE);
    }

    /**
     * What is kept as rows alone was handled once in each generation of the processor, in order, and in the last one from
     * the first event to the newest, without what was given up.
     */
    private void checkJournal() {
        ViewRows rows = new ViewRows(world.sink.store().viewStore(), codec);
        int newest = world.generation();
        for (String account : Steps.ACCOUNTS) {
            List<EventMessage> history = history(account);
            Map<Integer, Long> reached = new TreeMap<>();
            int generation = 1;
            for (Mirror.Entry entry :
                    rows.find(Mirror.JOURNAL, account).map(Mirror.Entries::all).orElse(List.of())) {
                assertThat(entry.generation()).as("%s: %s", account, entry).isGreaterThanOrEqualTo(generation);
                generation = entry.generation();
                checkGap(history, reached.getOrDefault(generation, 0L), entry.version());
                reached.put(generation, entry.version());
                UUID event = history.get((int) entry.version() - 1).id();
                assertThat(world.abandoned.isCertain(SinkReplica.id("journal"), event, generation))
                        .as("%s: %s was given up, but took effect", account, entry)
                        .isFalse();
            }
            checkGap(history, reached.getOrDefault(newest, 0L), history.size() + 1);
        }
    }

    /** Whatever the journal does not have between these two may have been given up. */
    private void checkGap(List<EventMessage> history, long last, long next) {
        assertThat(next).as("what follows %s in the journal", last).isGreaterThan(last);
        assertThat(history.subList((int) last, (int) next - 1))
                .allSatisfy(missed -> assertThat(mayBeAbandoned("journal", missed))
                        .as("the journal lacks %s, which nobody gave up", missed)
                        .isTrue());
    }

    /** The shares of the segments cover every hash once, all stand at the same place, and none has anything open. */
    private void checkSegments() {
        List<Token> segments = world.segments();
        int widest =
                segments.stream().mapToInt(token -> token.setup().mask()).max().orElseThrow();
        for (int hash = 0; hash <= widest; hash++) {
            int wanted = hash;
            assertThat(segments)
                    .filteredOn(token -> Segments.covers(
                            wanted, token.segment().number(), token.setup().mask()))
                    .as("segments of hash %s", wanted)
                    .hasSize(1);
        }
        assertThat(segments).allSatisfy(token -> assertThat(token.marks()).isEmpty());
        assertThat(segments)
                .extracting(token -> token.setup().generation())
                .containsOnly(segments.get(0).setup().generation());
        assertThat(segments)
                .extracting(Token::positions)
                .containsOnly(segments.get(0).positions());
    }

    /** A segment that somebody has is worked on by that replica, and by no other. */
    private void checkClaims() {
        Map<Integer, String> owners = new TreeMap<>();
        for (ClaimedToken held : world.sink.store().tokenStore().findAll(SinkReplica.PROCESSOR)) {
            if (held.owner() != null) {
                owners.put(held.token().segment().number(), held.owner());
            }
        }
        Map<Integer, String> believed = new TreeMap<>();
        for (SinkReplica replica : world.sinks()) {
            for (int number : replica.claimed()) {
                assertThat(believed.put(number, replica.owner()))
                        .as("another that works on segment %s", number)
                        .isNull();
            }
        }
        assertThat(believed).as("who works on which segment").isEqualTo(owners);
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

    /** Whoever asked for letters to be processed has an answer that adds up. */
    private void checkReplays() {
        for (SinkReplica replica : world.sinks()) {
            assertThat(replica.isReplaying())
                    .as("%s has open replays", replica.owner())
                    .isFalse();
            assertThat(replica.progress()).allSatisfy(progress -> {
                boolean isWhole = progress.status() != BulkProgress.Status.RUNNING; // else it was refused while paused
                assertThat(progress.drained() + progress.failed())
                        .as("what came of %s", progress)
                        .isBetween(isWhole ? progress.started() : 0, progress.started());
            });
        }
    }

    private Set<String> sequences() {
        return source.stream().map(event -> event.stream() + "/" + event.key()).collect(Collectors.toSet());
    }

    private static String id(EventMessage event) {
        return event.id().toString();
    }

    private static int expectedEvents(Step.SendCommand ask) {
        return ask.kind() == Step.CommandKind.TRANSFER ? 2 : 1;
    }
}
