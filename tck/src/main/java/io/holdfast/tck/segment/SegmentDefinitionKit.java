package io.holdfast.tck.segment;

import static io.holdfast.tck.deadletter.ParkedLetters.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The definition of a consumer, which changes together with all its tokens. */
public abstract class SegmentDefinitionKit extends SegmentsScenario {

    private static final String ADDED = "kit/billing/added";

    private static ProcessorDefinition of(String component, String... types) {
        Map<String, String> versions = new TreeMap<>();
        List.of(types).forEach(type -> versions.put(type, "1.0"));
        return ProcessorDefinition.of(Map.of(component, new ComponentDefinition(versions, true, false)));
    }

    /** Returns the definition of a version whose component is limited to saga types. */
    private static ProcessorDefinition limitedTo(String version, String... sagaTypes) {
        Map<String, String> versions = new TreeMap<>();
        List.of(sagaTypes).forEach(type -> versions.put(type, version));
        return ProcessorDefinition.of(
                Map.of(COMPONENT, new ComponentDefinition(Map.of("A", version), versions, true, false)));
    }

    private ProcessorDefinition register(ProcessorDefinition replica) {
        return register(tokens(), replica);
    }

    private static ProcessorDefinition register(TokenStore tokens, ProcessorDefinition replica) {
        return tokens.define(CONSUMER, definition -> definition.merged(replica));
    }

    @Nested
    class Registering {

        @Test
        void returnsEmptyDefinitionIfNoneIsStored() {
            assertThat(tokens().findDefinition(CONSUMER)).isEqualTo(ProcessorDefinition.EMPTY);
        }

        @Test
        void storesEveryPropertyForAllReplicas() {
            ProcessorDefinition own = ProcessorDefinition.of(Map.of(
                    COMPONENT,
                    new ComponentDefinition(Map.of("OrderPlaced", "1.0", "Bestellt@2", "2.0-ü"), true, false),
                    ADDED,
                    new ComponentDefinition(Map.of(), Map.of("Fulfillment", "1.0", "Rückgabe", "2.0"), false, true)));

            ProcessorDefinition stored = register(own);

            assertThat(stored).isEqualTo(own.withVersion(1));
            assertThat(tokens().findDefinition(CONSUMER)).isEqualTo(stored);
            assertThat(replica().tokenStore().findDefinition(CONSUMER)).isEqualTo(stored);
        }

        @Test
        void mergesTypesAndKeepsTheVersionThatRegisteredThemFirst() {
            register(of(COMPONENT, "A", "B"));
            ProcessorDefinition newer = ProcessorDefinition.of(
                    Map.of(COMPONENT, new ComponentDefinition(Map.of("B", "2.0", "C", "2.0"), false, true)));

            ProcessorDefinition stored = register(replica().tokenStore(), newer);

            assertThat(stored.version()).isEqualTo(2);
            assertThat(stored.components())
                    .containsExactly(Map.entry(
                            COMPONENT,
                            new ComponentDefinition(Map.of("A", "1.0", "B", "1.0", "C", "2.0"), false, true)));
        }

        @Test
        void mergesSagaTypesAndKeepsTheVersionThatRegisteredThemFirst() {
            register(limitedTo("1.0", "X", "Y"));

            ProcessorDefinition narrowed = register(replica().tokenStore(), limitedTo("2.0", "X"));
            ProcessorDefinition widened = register(replica().tokenStore(), limitedTo("3.0", "Y", "Z"));
            ProcessorDefinition unlimited = register(of(COMPONENT, "A"));

            assertThat(narrowed.version()).isEqualTo(1);
            assertThat(widened.components())
                    .containsExactly(Map.entry(
                            COMPONENT,
                            new ComponentDefinition(
                                    Map.of("A", "1.0"), Map.of("X", "1.0", "Y", "1.0", "Z", "3.0"), true, false)));
            assertThat(unlimited.version()).isEqualTo(3);
            assertThat(unlimited.find(COMPONENT)).get().returns(false, ComponentDefinition::isLimited);
        }

        @Test
        void changesNothingIfEverythingIsRegistered() {
            initialized(3);
            register(of(COMPONENT, "A", "B"));
            List<ClaimedToken> before = tokens().findAll(CONSUMER);

            ProcessorDefinition stored = register(of(COMPONENT, "B"));

            assertThat(stored.version()).isEqualTo(1);
            assertThat(tokens().findAll(CONSUMER)).isEqualTo(before);
        }

        @Test
        void keepsTokensIfOnlyADeclarationChanges() {
            initialized(3);
            register(of(COMPONENT, "A"));
            List<ClaimedToken> before = tokens().findAll(CONSUMER);

            ProcessorDefinition stored = register(ProcessorDefinition.of(
                    Map.of(COMPONENT, new ComponentDefinition(Map.of("A", "2.0"), false, true))));

            assertThat(stored.components())
                    .containsExactly(Map.entry(COMPONENT, new ComponentDefinition(Map.of("A", "1.0"), false, true)));
            assertThat(tokens().findAll(CONSUMER)).isEqualTo(before);
        }

        @Test
        void needsNoSegment() {
            register(of(COMPONENT, "A"));

            assertThat(all()).isEmpty();
            assertThat(initialized(2)).hasSize(2);
        }

        @Test
        void separatesConsumers() {
            initialized(1);
            tokens().initialize("shipping", 1, START);
            List<ClaimedToken> before = tokens().findAll("shipping");

            register(of(COMPONENT, "A"));

            assertThat(tokens().findDefinition("shipping")).isEqualTo(ProcessorDefinition.EMPTY);
            assertThat(tokens().findAll("shipping")).isEqualTo(before);
        }

        @Test
        void losesNoneOfManyConcurrentChanges() {
            initialized(4);
            TokenStore other = replica().tokenStore();

            TestThreads.race(
                    8, worker -> register(worker % 2 == 0 ? tokens() : other, of("kit/billing/c" + worker, "A")));

            assertThat(tokens().findDefinition(CONSUMER).version()).isEqualTo(8);
            assertThat(tokens().findDefinition(CONSUMER).components()).hasSize(8);
            assertThat(all()).allSatisfy(token -> {
                assertThat(token.version()).isGreaterThanOrEqualTo(8);
                assertThat(token.setup().components()).hasSize(8);
            });
        }

        @Test
        void listsComponentsOfAnEarlierReleaseWithUnknownTypes() {
            initialized(2);
            tokens().setUp(claimed(0), 0, "by-key@2", COMPONENTS);

            ProcessorDefinition stored = register(of(COMPONENT, "A"));

            assertThat(stored.components())
                    .containsOnly(
                            Map.entry(COMPONENT, new ComponentDefinition(Map.of("A", "1.0"), true, false)),
                            Map.entry("kit/billing/reminders", ComponentDefinition.ofUnknownTypes()));
        }
    }

    @Nested
    class ChangingTokens {

        @Test
        void rejectsCommitsThatWereBuiltBefore() {
            initialized(2);
            TokenClaim claim = claimed(0);

            register(of(COMPONENT, "A"));

            assertStale(claim, 0);
            advance(claim, Map.of("notes", at(6)), Set.of());
            register(of(COMPONENT, "A", "B"));
            assertStale(claim, 2);
            advance(claim, Map.of("notes", at(7)), Set.of());
        }

        @Test
        void rejectsCommitsThatWereBuiltWithFewerSagaTypes() {
            initialized(2);
            register(limitedTo("1.0", "X"));
            TokenClaim claim = claimed(0);
            long before = version(0);

            register(limitedTo("2.0", "X", "Y"));

            assertStale(claim, before);
            long widened = version(0);
            register(limitedTo("1.0", "X")); // rolled back
            assertThat(version(0)).isEqualTo(widened);
            register(of(COMPONENT, "A")); // no longer limited
            assertStale(claim, widened);
        }

        @Test
        void removesRetiredSagaTypes() {
            initialized(2);
            register(limitedTo("1.0", "X", "Y"));
            register(of(ADDED, "A"));
            long before = version(0);

            ProcessorDefinition stored = tokens().define(
                            CONSUMER,
                            definition -> definition.withoutSagaTypes(
                                    Map.of(COMPONENT, Set.of("Y"), "kit/billing/unknown", Set.of("X"))));

            assertThat(stored.components().get(COMPONENT))
                    .isEqualTo(new ComponentDefinition(Map.of("A", "1.0"), Map.of("X", "1.0"), true, false));
            assertThat(stored.components()).containsOnlyKeys(COMPONENT, ADDED);
            assertThat(tokens().findDefinition(CONSUMER)).isEqualTo(stored);
            assertThat(version(0)).isGreaterThan(before);
        }

        @Test
        void keepsClaimsPositionsAndMarks() {
            initialized(2);
            TokenClaim claim = claimed(0);
            advance(claim, Map.of("notes", at(6)), MARKS);
            ClaimedToken before = tokens().findAll(CONSUMER).get(0);

            register(of(COMPONENT, "A"));

            ClaimedToken after = tokens().findAll(CONSUMER).get(0);
            assertThat(after.owner()).isEqualTo(before.owner());
            assertThat(after.fence()).isEqualTo(before.fence());
            assertThat(after.token().positions()).isEqualTo(before.token().positions());
            assertThat(after.token().marks()).isEqualTo(before.token().marks());
            assertThat(after.token().version()).isGreaterThan(before.token().version());
        }

        @Test
        void newComponentsStartAtThePositionsOfEverySegment() {
            initialized(2);
            register(of(COMPONENT, "A"));
            advance(claimed(0), Map.of("notes", at(6)), Set.of());
            Map<String, StreamPosition> reached = found(0).positions();

            register(of(ADDED, "A"));

            assertThat(found(0).setup().components()).isEqualTo(Map.of(COMPONENT, START, ADDED, reached));
            assertThat(found(1).setup().components()).isEqualTo(Map.of(COMPONENT, START, ADDED, START));
        }

        @Test
        void removesRetiredComponentsAndTypes() {
            initialized(2);
            register(of(COMPONENT, "A", "B", "B@1"));
            register(of(ADDED, "A"));
            List<Token> before = all();

            ProcessorDefinition stored = tokens().define(
                            CONSUMER, definition -> definition.without(Set.of(ADDED), Map.of(COMPONENT, Set.of("B"))));

            assertThat(stored.components())
                    .containsExactly(Map.entry(COMPONENT, new ComponentDefinition(Map.of("A", "1.0"), true, false)));
            assertThat(all())
                    .extracting(token -> token.setup().components().keySet())
                    .containsOnly(Set.of(COMPONENT));
            assertThat(all()).zipSatisfy(before, (after, earlier) -> assertThat(after.version())
                    .isGreaterThan(earlier.version()));
        }

        @Test
        void segmentsThatWereSplitOrMergedKeepTheComponents() {
            initialized(1);
            register(of(COMPONENT, "A"));
            TokenClaim claim = claimed(0);
            split(claim);
            register(of(ADDED, "A"));

            TokenClaim other = claimed(1);
            assertThat(tokens().merge(claim, version(0), other, version(1))).isTrue();

            assertThat(found(0).setup().components()).containsOnlyKeys(COMPONENT, ADDED);
        }
    }

    @Nested
    class Crashing {

        @Test
        void changesDefinitionAndTokensOrNeither() {
            initialized(3);
            List<Object> before = storedState();

            Crash.before(CommitPoint.TOKEN_DEFINE, harness(), () -> register(of(COMPONENT, "A")));
            assertThat(storedState()).isEqualTo(before);
            assertThat(tokens().findDefinition(CONSUMER)).isEqualTo(ProcessorDefinition.EMPTY);

            Crash.after(CommitPoint.TOKEN_DEFINE, harness(), () -> register(of(COMPONENT, "A")));
            assertThat(tokens().findDefinition(CONSUMER).version()).isEqualTo(1);
            assertThat(all()).allSatisfy(token -> {
                assertThat(token.version()).isPositive();
                assertThat(token.setup().components()).containsOnlyKeys(COMPONENT);
            });
        }
    }

    @Nested
    class RegisteringReplicas {

        @Test
        void returnsWhatEachLiveReplicaHandles() {
            ProcessorDefinition older = of(COMPONENT, "A");
            ProcessorDefinition newer = of(COMPONENT, "A", "B");

            tokens().renewReplica(CONSUMER, "one", LEASE, older);
            tokens().renewReplica("limited", "one", LEASE, limitedTo("1.0", "X"));

            assertThat(replica().tokenStore().renewReplica(CONSUMER, "two", LEASE, newer))
                    .containsOnly(Map.entry("one", older), Map.entry("two", newer));
            assertThat(tokens().renewReplica(CONSUMER, "one", LEASE, newer))
                    .containsOnly(Map.entry("one", newer), Map.entry("two", newer));
            assertThat(tokens().renewReplica("limited", "two", LEASE, older))
                    .containsOnly(Map.entry("one", limitedTo("1.0", "X")), Map.entry("two", older));
            harness().passTime(LEASE.plusSeconds(1));
            assertThat(tokens().renewReplica(CONSUMER, "one", LEASE, newer)).containsOnlyKeys("one");
        }
    }
}
