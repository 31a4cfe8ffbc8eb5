package io.holdfast.tck.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.group.PartId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiPredicate;

/** The invariants of the sink's rows in a world in which all faults have ended and all work is done. */
final class RowInvariants {

    private final World world;
    private final BiPredicate<String, EventMessage> mayBeAbandoned;
    private final PayloadCodec codec = new PayloadCodec();
    private final ViewRows rows;

    /** @param mayBeAbandoned whether an event may have no effect in a component */
    RowInvariants(World world, BiPredicate<String, EventMessage> mayBeAbandoned) {
        this.world = world;
        this.mayBeAbandoned = mayBeAbandoned;
        this.rows = new ViewRows(world.sink.store().viewStore(), codec);
    }

    void check() {
        List<String> copied = FinalInvariants.copied(world.sinkEvents(), "ledger");
        for (String account : Steps.ACCOUNTS) {
            List<EventMessage> history =
                    world.source.store().eventLog().readKey(Accounts.STREAM, account, 0, Integer.MAX_VALUE);
            checkTotal(
                    account,
                    history.stream()
                            .filter(event -> copied.contains(FinalInvariants.id(event)))
                            .toList());
            checkJournal(account, history);
        }
    }

    /**
     * The ledger, which has events and rows, has one row entry for each of its events. It was set once in the last
     * generation, which handled every event again, except those that were abandoned in it. Entries of events that the
     * source has lost stay.
     */
    private void checkTotal(String account, List<EventMessage> copied) {
        Map<String, Mirror.Posting> postings = new HashMap<>();
        rows.find(Mirror.TOTALS, account).stream()
                .flatMap(total -> total.postings().stream())
                .filter(posting -> !world.failovers.isLost(UUID.fromString(posting.event())) || isOf(posting, copied))
                .forEach(posting -> postings.put(posting.event(), posting));
        assertThat(postings.keySet())
                .as(account)
                .containsExactlyInAnyOrderElementsOf(
                        copied.stream().map(FinalInvariants::id).toList());
        Accounts.Balance balance = new Accounts.Balance(0);
        for (EventMessage event : copied) {
            balance = Accounts.ACCOUNT.evolve(balance, event.payload(), codec);
            checkPosting(event, Objects.requireNonNull(postings.get(FinalInvariants.id(event))));
        }
        assertThat(postings.values().stream().mapToLong(Mirror.Posting::amount).sum())
                .as(account)
                .isEqualTo(balance.amount());
    }

    private static boolean isOf(Mirror.Posting posting, List<EventMessage> events) {
        return events.stream().anyMatch(event -> FinalInvariants.id(event).equals(posting.event()));
    }

    private void checkPosting(EventMessage event, Mirror.Posting posting) {
        boolean mayRepeat = world.failovers.mayBeHandledAgain(event.id())
                || world.reparked.contains(new PartId(event.id(), SinkReplica.id("ledger")));
        if (posting.generation() == 1 || !mayRepeat) { // after a reset, a replay updates rows although events exist
            assertThat(posting.times()).as("updates of a row by %s", event).isEqualTo(1);
        }
        if (!mayBeAbandoned.test("ledger", event)) {
            assertThat(posting.generation())
                    .as("generation that updated a row by %s", event)
                    .isEqualTo(world.generation());
        }
    }

    /**
     * The journal, which exists only as rows, has each event once per generation of the processor and in order. In the
     * last generation it covers every event from the first to the newest, except abandoned ones. Events that the source
     * has lost are in it as well, and so are those that it has appended again.
     */
    private void checkJournal(String account, List<EventMessage> history) {
        Map<Integer, Long> reached = new TreeMap<>();
        List<String> handled = new ArrayList<>();
        int generation = 1;
        for (Mirror.Entry entry :
                rows.find(Mirror.JOURNAL, account).map(Mirror.Entries::all).orElse(List.of())) {
            assertThat(entry.generation()).as("%s: %s", account, entry).isGreaterThanOrEqualTo(generation);
            generation = entry.generation();
            if (generation == world.generation()) {
                handled.add(entry.event());
            }
            UUID event = UUID.fromString(entry.event());
            if (!world.failovers.mayBeHandledAgain(event)) {
                checkEntry(account, entry, history, reached.getOrDefault(generation, 0L));
                reached.put(generation, entry.version());
            }
            assertThat(!world.failovers.mayBeHandledAgain(event)
                            && world.abandoned.isCertain(SinkReplica.id("journal"), event, generation))
                    .as("%s: %s was abandoned, but took effect", account, entry)
                    .isFalse();
        }
        assertThat(history)
                .filteredOn(event -> !mayBeAbandoned.test("journal", event) && !world.failovers.maySkip(event.id()))
                .extracting(FinalInvariants::id)
                .as("%s: events in the journal", account)
                .isSubsetOf(handled);
    }

    private void checkEntry(String account, Mirror.Entry entry, List<EventMessage> history, long before) {
        assertThat(entry.version())
                .as("%s: version after %s in the journal", account, before)
                .isGreaterThan(before);
        assertThat(FinalInvariants.id(history.get((int) entry.version() - 1)))
                .as("%s: event at version %s", account, entry.version())
                .isEqualTo(entry.event());
        assertThat(history.subList((int) before, (int) entry.version() - 1))
                .allSatisfy(missed -> assertThat(mayBeAbandoned.test("journal", missed)
                                || world.failovers.mayBeHandledAgain(missed.id())
                                || world.failovers.maySkip(missed.id()))
                        .as("the journal lacks %s, which was not abandoned", missed)
                        .isTrue());
    }
}
