package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.Accounts.withdraw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.failover.TailLostException;
import io.holdfast.failover.Witnessed;
import io.holdfast.tck.harness.Accounts.Balance;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A database that fails over to a standby without the newest commits, under running replicas: the loss is detected by
 * event id before anything is appended, a new epoch starts, and nothing that is derived from a lost event survives.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class FailoverKit extends EngineKit {

    @Test
    void dropsCachedStatesOfLostEvents() {
        deposited(engine(), 10, 10, 10);
        Runnable failover = harness().backUp();
        deposited(engine(), 100);

        failover.run();

        assertThat(balance(engine())).isEqualTo(30);
        assertOverdrawn(engine(), 31);
    }

    @Test
    void decidesOnCommittedStateThoughAnotherReplicaReusedTheVersion() {
        EngineUnderTest other = otherReplica();
        deposited(engine(), 10, 10, 10);
        balance(other);
        Runnable failover = harness().backUp();
        deposited(engine(), 100);
        failover.run();

        deposited(other, 1);
        deposited(engine(), 1);

        assertThat(balance(engine())).isEqualTo(32);
        assertThat(new AggregateStates(store().eventLog(), codec)
                        .newest(ACCOUNT, "ann")
                        .state())
                .as("from the snapshot at version 5")
                .isEqualTo(new Balance(32));
        assertOverdrawn(engine(), 33);
    }

    @Test
    void startsAnEpochBeforeTheFirstAppend() {
        deposited(engine(), 10, 10, 10);
        Runnable failover = harness().backUp();
        deposited(engine(), 100, 100);
        failover.run();

        deposited(engine(), 1);

        assertThat(store().eventLog().epochs()).containsExactly(new Epoch(1, 0), new Epoch(2, 3));
        List<EventMessage> events = store().eventLog().readAll(3, 10);
        assertThat(events).hasSize(1);
        assertThat(events.get(0).logPosition().log().epoch()).isEqualTo(2);
    }

    @Test
    void startsOneEpochForALossThatAllReplicasDetect() {
        EngineUnderTest other = otherReplica();
        deposited(engine(), 10, 10, 10);
        Runnable failover = harness().backUp();
        deposited(engine(), 100);
        assertThat(balance(other)).isEqualTo(130);
        failover.run();

        engine().tail().step();
        other.tail().step();
        deposited(other, 1);
        deposited(engine(), 1);

        assertThat(store().eventLog().epochs()).containsExactly(new Epoch(1, 0), new Epoch(2, 3));
        assertThat(balance(other)).isEqualTo(32);
    }

    @Test
    void startsTheEpochAtTheLastCommonPositionAlthoughAnotherReplicaHasAppended() {
        EngineUnderTest unaware = otherReplica();
        deposited(engine(), 10, 10, 10);
        Runnable failover = harness().backUp();
        deposited(engine(), 100, 100);
        failover.run();
        deposited(unaware, 1, 1, 1);

        engine().tail().step();

        assertThat(store().eventLog().epochs()).containsExactly(new Epoch(1, 0), new Epoch(2, 3));
        assertThat(balance(engine())).isEqualTo(33);
    }

    @Test
    void detectsALossThatOnlyAReaderHasSeen() {
        EngineUnderTest reader = otherReplica();
        deposited(engine(), 10, 10, 10);
        Runnable failover = harness().backUp();
        deposited(engine(), 100);
        assertThat(balance(reader)).isEqualTo(130);
        failover.run();

        deposited(reader, 1);

        assertThat(replica().eventLog().epochs()).hasSize(2);
        assertThat(balance(reader)).isEqualTo(31);
    }

    @Test
    void detectsALossAlthoughNewerEventsOfAnotherReplicaWereRead() {
        EngineUnderTest other = otherReplica();
        deposited(engine(), 10, 10, 10);
        balance(other);
        Runnable failover = harness().backUp();
        deposited(engine(), 100);
        assertThat(balance(other)).isEqualTo(130);
        failover.run();
        EngineUnderTest unaware = newEngine();
        deposited(unaware, 1);
        unaware.submit(deposit("bob", 7));
        unaware.commit();
        assertThat(other.controller().state(ACCOUNT, "bob").amount()).isEqualTo(7);

        deposited(other, 1);

        assertThat(balance(unaware)).isEqualTo(32);
        assertOverdrawn(other, 33);
    }

    @Test
    void detectsALossOfEventsThatOnlyARejectedCommandHasRead() {
        EngineUnderTest other = otherReplica();
        deposited(engine(), 10, 10, 10);
        Runnable failover = harness().backUp();
        deposited(engine(), 100);
        assertOverdrawn(other, 131);
        failover.run();
        deposited(newEngine(), 1);

        deposited(other, 1);

        assertThat(balance(newEngine())).isEqualTo(32);
    }

    @Test
    void detectsAShorterLogAlthoughItHasAsManyCommits() {
        deposited(engine(), 10);
        var advance = advance();
        Runnable failover = harness().backUp();
        deposited(engine(), 100);
        failover.run();
        EngineUnderTest unaware = newEngine();
        unaware.submit(CommitUnit.of(List.of(), advance));
        unaware.commit();

        engine().tail().step();

        assertThat(store().eventLog().epochs()).hasSize(2);
    }

    @Test
    void startsTheEpochAtOrBelowTheLossAlthoughItHasSeenOnlyLostEvents() {
        deposited(engine(), 10);
        Runnable failover = harness().backUp();
        deposited(engine(), 100);
        EngineUnderTest late = otherReplica();
        commit(late, "late", deposit("bob", 7));
        failover.run();
        commit(newEngine(), "other", deposit("eve", 1));

        late.tail().step();

        assertThat(newestEpoch())
                .as("the detecting replica knows nothing below position 2, which has another event now")
                .isEqualTo(new Epoch(2, 0));
    }

    @Test
    void startsTheEpochBelowAnEventThatWasAppendedSinceTheLoss() {
        deposited(engine(), 10);
        EngineUnderTest reader = otherReplica();
        reader.tail().step();
        Runnable failover = harness().backUp();
        deposited(engine(), 100, 100);
        reader.eventLog().readAll(1, 10);
        failover.run();
        commit(reader, "other", deposit("bob", 1));

        reader.tail().step();

        assertThat(newestEpoch()).isEqualTo(new Epoch(2, 1));
    }

    @Test
    void recoversIfARepeatedCommandGetsAnotherPosition() {
        deposited(engine(), 10);
        Runnable failover = harness().backUp();
        commit(engine(), "repeated", deposit("ann", 100));
        failover.run();
        EngineUnderTest unaware = newEngine();
        commit(unaware, "other", deposit("bob", 1));
        commit(unaware, "repeated", deposit("ann", 100));

        deposited(engine(), 1);

        assertThat(balance(engine())).isEqualTo(111);
        assertThat(newestEpoch()).isEqualTo(new Epoch(2, 1));
    }

    /** @param others the commits of another replica before this one notices anything: fewer than were lost, as many, more */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void rejectsAUnitThatWasBuiltOnALostTokenHoweverManyCommitsOthersMake(int others) {
        TokenClaim claim = advance().claim();
        Runnable failover = harness().backUp();
        advanced(claim, 2);
        Token lost = token();
        failover.run();
        for (int i = 0; i < others; i++) {
            changedByOthers(i);
        }

        var late = engine().submit(
                        CommitUnit.of(List.of(part(deposit("ann", 5))), lost.advance(claim, Map.of(), Set.of())));
        engine().commit();

        assertThat(failure(late)).isInstanceOf(StaleTokenException.class);
        assertThat(store().eventLog().position()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void acceptsAUnitThatWasBuiltOnATokenThatWasReadSinceTheLoss(int others) {
        TokenClaim claim = advance().claim();
        Runnable failover = harness().backUp();
        advanced(claim, 2);
        failover.run();
        for (int i = 0; i < others; i++) {
            changedByOthers(i);
        }

        var unit = engine().submit(
                        CommitUnit.of(List.of(part(deposit("ann", 5))), token().advance(claim, Map.of(), Set.of())));
        engine().commit();

        assertThat(unit).isCompleted();
        assertThat(store().eventLog().position()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void updatesTheCommittedRowHoweverManyCommitsOthersMake(int others) {
        EngineUnderTest other = otherReplica();
        appended(engine(), "kept ");
        Runnable failover = harness().backUp();
        appended(engine(), "lost ");
        appended(engine(), "lost ");
        failover.run();
        for (int i = 0; i < others; i++) {
            appended(other, "other ");
        }

        appended(engine(), "late");

        assertThat(row("a")).isEqualTo("kept " + "other ".repeat(others) + "late");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void updatesTheCommittedRowAlthoughALostOneIsCached(int others) {
        EngineUnderTest other = otherReplica();
        appendedToCached(engine(), "kept ");
        Runnable failover = harness().backUp();
        appendedToCached(engine(), "lost ");
        appendedToCached(engine(), "lost ");
        failover.run();
        for (int i = 0; i < others; i++) {
            appendedToCached(other, "other ");
        }

        appendedToCached(engine(), "late");

        assertThat(row("a")).isEqualTo("kept " + "other ".repeat(others) + "late");
    }

    @Test
    void aLostClaimIsNeitherRenewedNorUsedAlthoughItsFencingTokenIsUsedAgain() {
        advance();
        store().tokenStore().release(claimed("kit"));
        Runnable failover = harness().backUp();
        TokenClaim lost = claimed("one");
        Token read = token();
        failover.run();
        TokenClaim current = claimed("two");
        assertThat(current.fence()).as("used again").isEqualTo(lost.fence());

        var late = engine().submit(CommitUnit.of(List.of(), read.advance(lost, Map.of(), Set.of())));
        engine().commit();

        assertThat(failure(late)).isInstanceOf(StaleTokenException.class);
        assertThat(store().tokenStore().renew(List.of(lost, current), Duration.ofMinutes(10)))
                .containsExactly(current);
    }

    @Test
    void everyChangeOfATokenGetsAVersionOfItsOwn() {
        TokenClaim claim = advance().claim();
        Token before = token();
        List<Runnable> changes = List.of(() -> changedByOthers(0), () -> advanced(claim, 1), () -> store().tokenStore()
                .reset(SEGMENT.consumer(), before.setup().generation(), before.positions()));

        List<Long> versions = Stream.concat(changes.stream(), changes.stream())
                .map(this::versionOfLost)
                .toList();

        assertThat(versions).doesNotHaveDuplicates().allSatisfy(version -> assertThat(version)
                .isGreaterThan(before.version()));
    }

    private long versionOfLost(Runnable change) {
        Runnable failover = harness().backUp();
        change.run();
        long version = token().version();
        failover.run();
        return version;
    }

    @Test
    void startsALaterEpochThanOneThatWasLost() {
        deposited(engine(), 10);
        Runnable failover = harness().backUp();
        store().commitStore().raiseEpoch();
        deposited(engine(), 100);
        failover.run();

        deposited(engine(), 1);

        assertThat(store().eventLog().epochs()).containsExactly(new Epoch(1, 0), new Epoch(3, 1));
    }

    @Test
    void detectsASecondLoss() {
        deposited(engine(), 10);
        Runnable first = harness().backUp();
        deposited(engine(), 100);
        first.run();
        deposited(engine(), 1);
        Runnable second = harness().backUp();
        deposited(engine(), 100);
        second.run();

        deposited(engine(), 1);

        assertThat(balance(engine())).isEqualTo(12);
        assertThat(store().eventLog().epochs()).containsExactly(new Epoch(1, 0), new Epoch(2, 1), new Epoch(3, 2));
    }

    @Test
    void startsNoEpochIfOnlyCommitsWithoutEventsAreLost() {
        deposited(engine(), 10);
        var advance = advance();
        Runnable failover = harness().backUp();
        boolean[] dropped = new boolean[1];
        engine().tail().onLoss(() -> dropped[0] = true);
        engine().submit(CommitUnit.of(List.of(), advance));
        engine().commit();
        assertThat(token().version()).isEqualTo(advance.fromVersion() + 1);
        failover.run();

        engine().tail().step();

        assertThat(dropped).containsExactly(true);
        assertThat(store().eventLog().epochs()).hasSize(1);
    }

    @Test
    void changesNothingIfNothingIsLost() {
        EngineUnderTest other = otherReplica();
        deposited(engine(), 10, 10);
        deposited(other, 10);
        engine().tail().onLoss(() -> {
            throw new AssertionError("nothing was lost");
        });

        engine().tail().step();
        engine().tail().recover();
        deposited(engine(), 1);

        assertThat(balance(engine())).isEqualTo(31);
        engine().tail().step();
        assertThat(store().eventLog().epochs()).hasSize(1);
        assertThat(engine().tail().witness().witnessed().unverified())
                .as("to be checked again")
                .isEmpty();
    }

    @Test
    void assignsNoPositionToOutboxEntriesOfALogThatLostItsTail() {
        written("a", "1");
        store().outboxStore().assignPositions(10);
        deposited(engine(), 10);
        Runnable failover = harness().backUp();
        deposited(engine(), 100);
        failover.run();
        written("a", "2");

        assertThatExceptionOfType(TailLostException.class).isThrownBy(() -> store().outboxStore()
                .assignPositions(10, engine().tail().witness().witnessed()));
        assertThat(store().outboxStore().countUnpositioned()).isEqualTo(1);
        engine().tail().recover();

        assertThat(store().outboxStore()
                        .assignPositions(10, engine().tail().witness().witnessed()))
                .isEqualTo(1);
    }

    @Test
    void evictedEntriesAreNotLost() {
        written("a", "1");
        store().outboxStore().assignPositions(10);
        engine().tail().witness().read(store().eventLog().readAll(0, 10));
        engine().tail().step();
        harness().passTime(Duration.ofDays(2));
        assertThat(store().outboxStore().evict("remarks", 1, harness().clock().instant()))
                .isEqualTo(1);

        engine().tail().step();
        deposited(engine(), 10);

        assertThat(store().eventLog().epochs()).hasSize(1);
    }

    @Test
    void entriesThatWereReadAndEvictedBeforeTheCheckAreNotLost() {
        written("a", "1");
        store().outboxStore().assignPositions(10);
        harness().passTime(Duration.ofDays(2));
        engine().tail().witness().read(store().eventLog().readAll(0, 10));
        store().outboxStore().evict("remarks", 1, harness().clock().instant());

        engine().tail().step();

        assertThat(store().eventLog().epochs()).hasSize(1);
    }

    @Test
    void switchesAReplicaToAnEpochThatAnotherOneStarted() {
        EngineUnderTest other = otherReplica();
        deposited(engine(), 10);
        balance(other);

        store().commitStore().raiseEpoch();
        other.tail().step();

        assertThat(replica().eventLog().identity().epoch()).isEqualTo(2);
    }

    private void advanced(TokenClaim claim, int times) {
        for (int i = 0; i < times; i++) {
            engine().submit(CommitUnit.of(List.of(), token().advance(claim, Map.of(), Set.of())));
            engine().commit();
        }
    }

    /** Another replica makes a commit, and changes the token as well. */
    private void changedByOthers(int number) {
        appended(newEngine(), "other ");
        ComponentDefinition component = new ComponentDefinition(Map.of("Deposited", "2"), true, false);
        store().tokenStore()
                .define(
                        SEGMENT.consumer(),
                        definition ->
                                definition.merged(ProcessorDefinition.of(Map.of("kit/part" + number, component))));
    }

    private void appended(EngineUnderTest engine, String text) {
        updated(engine, append("a", text));
    }

    private void appendedToCached(EngineUnderTest engine, String text) {
        RowUpdate<Noted> update = append("a", text);
        updated(engine, new RowUpdate<>(update.view().withCache(), "a", update.change()));
    }

    private void updated(EngineUnderTest engine, RowUpdate<Noted> update) {
        engine.submit(CommitUnit.of(new Part(newPartId(), Metadata.none(), List.of(), List.of(update), false)));
        engine.commit();
    }

    private TokenClaim claimed(String owner) {
        return store().tokenStore()
                .claim(SEGMENT, owner, Duration.ofMinutes(10))
                .orElseThrow();
    }

    private Epoch newestEpoch() {
        store().commitStore().readHead(Witnessed.NOTHING); // another replica may have started it
        List<Epoch> epochs = store().eventLog().epochs();
        return epochs.get(epochs.size() - 1);
    }

    private static void commit(EngineUnderTest engine, String idempotencyKey, Decision decision) {
        engine.submit(idempotencyKey, decision);
        engine.commit();
    }

    private void written(String key, String text) {
        harness().inTransaction(() -> store().outboxStore()
                .write("remarks", key, new NewEvent(codec.encode(new Noted(text)), Metadata.none())));
    }

    private static void deposited(EngineUnderTest engine, long... amounts) {
        for (long amount : amounts) {
            engine.submit(UUID.randomUUID().toString(), deposit("ann", amount));
            engine.commit();
        }
    }

    private static long balance(EngineUnderTest engine) {
        return engine.controller().state(ACCOUNT, "ann").amount();
    }

    private static void assertOverdrawn(EngineUnderTest engine, long amount) {
        var withdrawn = engine.submit(withdraw("ann", amount));
        engine.commit();
        assertThat(failure(withdrawn)).isInstanceOf(Overdrawn.class);
    }
}
