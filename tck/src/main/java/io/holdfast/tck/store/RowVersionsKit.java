package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.deposit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.Metadata;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.tck.harness.Customers;
import io.holdfast.tck.harness.Customers.Address;
import io.holdfast.tck.harness.Customers.ChangedCustomer;
import io.holdfast.tck.harness.Customers.Customer;
import io.holdfast.tck.harness.Customers.Item;
import io.holdfast.tck.harness.Customers.NewAddress;
import io.holdfast.tck.harness.Customers.NewCustomer;
import io.holdfast.tck.harness.Customers.NewItem;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Two versions of a service update the same rows. Neither loses or misreads what only the other one knows. */
public abstract class RowVersionsKit extends EngineKit {

    private static final String ANN = "ann";

    @BeforeEach
    void writeRowWithNewVersion() {
        update(Customers.NEW, row -> NewCustomer.sample());
    }

    @Nested
    class UnknownProperties {

        @Test
        void surviveUpdateAtAnyDepth() {
            old(row -> row.renamed("Ann B.").at(new Address("Side St")));

            assertThat(found().name()).isEqualTo("Ann B.");
            assertThat(found().level()).isEqualTo("gold");
            assertThat(found().address()).isEqualTo(new NewAddress("Side St", "north"));
        }

        @Test
        void surviveSeveralUpdatesWithinPartUnitAndBatch() {
            CompletableFuture<UnitOutcome> unit = engine().submit(unit(List.of(oldPart("1", "2"), oldPart("3"))));
            CompletableFuture<UnitOutcome> next = engine().submit(CommitUnit.of(oldPart("4")));

            engine().commit();

            assertThat(List.of(unit.join(), next.join()))
                    .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(UnitOutcome.Committed.class));
            assertThat(found()).isEqualTo(sampleNamed("Ann1234"));
        }

        private Part oldPart(String... suffixes) {
            return part(Stream.of(suffixes)
                    .map(suffix -> oldUpdate(row -> row.renamed(row.name() + suffix)))
                    .toArray(RowUpdate<?>[]::new));
        }

        @Test
        void surviveSecondDecision() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 10));

            failing.failCommits(1);
            old(row -> row.renamed("Ann B."));

            assertThat(found()).isEqualTo(sampleNamed("Ann B."));
        }

        @Test
        void surviveUpdatesByBothVersionsInTurn() {
            old(row -> row.renamed("Ann B."));
            update(Customers.NEW, row -> new NewCustomer("Ann C.", "silver", null, row.items(), row.favourites()));

            old(row -> row.at(new Address("Side St")));

            assertThat(found().level()).isEqualTo("silver");
            assertThat(found().address()).isEqualTo(new NewAddress("Side St", null));
        }

        @Test
        void surviveInValuesOfMapByKey() {
            old(row -> row.preferring(Map.of("best", new Item("ink"), "second", new Item("pen"))));

            assertThat(found().favourites()).isEqualTo(Map.of("best", new NewItem("ink", 5), "second", pen(null)));
        }

        @Test
        void disappearWithObjectThatIsSetToNull() {
            old(row -> row.at(null));

            assertThat(found().address()).isNull();
            assertThat(found().level()).isEqualTo("gold");
        }

        @Test
        void disappearWithRow() {
            old(row -> null);
            old(row -> new Customer("Bob", new Address("Side St"), List.of(), Map.of()));

            assertThat(found()).isEqualTo(new NewCustomer("Bob", null, address(), List.of(), Map.of()));
        }

        @Test
        void disappearWithRowThatIsRemovedAndWrittenAgainInSameUnit() {
            commit(part(
                    new RowUpdate<>(Customers.OLD, ANN, row -> null),
                    new RowUpdate<>(
                            Customers.OLD,
                            ANN,
                            row -> new Customer("Bob", new Address("Side St"), List.of(), Map.of()))));

            assertThat(found()).isEqualTo(new NewCustomer("Bob", null, address(), List.of(), Map.of()));
        }

        @Test
        void disappearWithObjectThatIsRemovedAndWrittenAgainInSameUnit() {
            commit(part(oldUpdate(row -> row.at(null)), oldUpdate(row -> row.at(new Address("Side St")))));

            assertThat(found().address()).isEqualTo(address());
            assertThat(found().level()).isEqualTo("gold");
        }

        private NewAddress address() {
            return new NewAddress("Side St", null);
        }

        @Test
        void doNotTurnUpdateWithoutChangeIntoWrite() {
            long before = stored().version();

            old(row -> row.renamed("Ann"));

            assertThat(stored().version()).isEqualTo(before);
        }
    }

    @Nested
    class Elements {

        @Test
        void keepUnknownPropertiesWhenOthersAreAdded() {
            old(row -> row.with(List.of(new Item("cup"), new Item("pen"), new Item("ink"))));

            assertThat(found().items()).containsExactly(new NewItem("cup", null), pen(5), ink(7));
        }

        @Test
        void keepUnknownPropertiesWhenOthersAreRemovedOrMoved() {
            update(Customers.NEW, row -> withItems(List.of(pen(5), ink(7), new NewItem("cup", 9))));

            old(row -> row.with(List.of(new Item("cup"), new Item("pen"))));

            assertThat(found().items()).containsExactly(new NewItem("cup", 9), pen(5));
        }

        @Test
        void keepTheirOwnWhenTheyLookTheSame() {
            update(Customers.NEW, row -> withItems(List.of(pen(1), pen(2), pen(3))));

            old(row -> row.with(List.of(new Item("pen"), new Item("pen"), new Item("pen"), new Item("ink"))));

            assertThat(found().items()).containsExactly(pen(1), pen(2), pen(3), ink(null));
        }

        /** It is unknown whether an element was changed or replaced by another one. */
        @Test
        void refuseUpdateThatMayHaveChangedThem() {
            CompletableFuture<UnitOutcome> refused = engine().submit(
                            CommitUnit.of(part(oldUpdate(row -> row.with(List.of(new Item("pen"), new Item("cup")))))));
            engine().commit();

            assertThat(onlyFailure(refused))
                    .isInstanceOf(UnsupportedHereException.class)
                    .hasMessageContaining("customers/ann")
                    .hasMessageContaining("/items")
                    .hasMessageContaining("another version of the service may handle it");
            assertThat(found()).isEqualTo(NewCustomer.sample());
        }

        private NewCustomer withItems(List<NewItem> items) {
            return new NewCustomer("Ann", "gold", null, items, Map.of());
        }
    }

    @Nested
    class HigherRevisions {

        @BeforeEach
        void writeRowWithHigherRevision() {
            update(Customers.CHANGED, row -> changed());
        }

        @Test
        void refuseUpdateAndLeaveRestOfBatch() {
            CompletableFuture<UnitOutcome> refused =
                    engine().submit(CommitUnit.of(part(oldUpdate(row -> row.renamed("misread")))));
            CompletableFuture<?> fine = engine().submit(deposit("a", 1));

            engine().commit();

            assertThat(onlyFailure(refused))
                    .isInstanceOf(UnsupportedHereException.class)
                    .hasMessage("row customers/ann has revision 2 of Customer, but " + Customer.class.getName()
                            + " has revision 1; another version of the service may handle it."
                            + " Start that version, or add an upcaster and raise the revision of the class");
            assertThat(fine).isCompleted();
            assertThat(rows().find(Customers.CHANGED, ANN)).contains(changed());
        }

        @Test
        void areNotMisreadByQueries() {
            assertThatThrownBy(() -> rows().find(Customers.OLD, ANN)).isInstanceOf(UnsupportedHereException.class);
            assertThatThrownBy(() -> rows().page(Customers.OLD, "", 10)).isInstanceOf(UnsupportedHereException.class);
        }

        @Test
        void areWrittenByTheVersionThatKnowsThem() {
            update(Customers.CHANGED, row -> new ChangedCustomer("Eve", null, row.items(), row.favourites()));

            assertThat(rows().find(Customers.CHANGED, ANN).orElseThrow().name()).isEqualTo("Eve");
        }

        private ChangedCustomer changed() {
            return new ChangedCustomer("Ann", null, List.of(), Map.of());
        }
    }

    private static NewItem pen(@Nullable Integer discount) {
        return new NewItem("pen", discount);
    }

    private static NewItem ink(@Nullable Integer discount) {
        return new NewItem("ink", discount);
    }

    private static NewCustomer sampleNamed(String name) {
        NewCustomer sample = NewCustomer.sample();
        return new NewCustomer(name, sample.level(), sample.address(), sample.items(), sample.favourites());
    }

    private static RowUpdate<Customer> oldUpdate(UnaryOperator<Customer> change) {
        return new RowUpdate<>(Customers.OLD, ANN, change);
    }

    private static Part part(RowUpdate<?>... updates) {
        return new Part(newPartId(), Metadata.none(), List.of(), List.of(updates), false);
    }

    private void old(UnaryOperator<Customer> change) {
        update(Customers.OLD, change);
    }

    private <R> void update(View<R> view, UnaryOperator<R> change) {
        commit(part(new RowUpdate<>(view, ANN, change)));
    }

    private void commit(Part part) {
        CompletableFuture<UnitOutcome> outcome = engine().submit(CommitUnit.of(part));
        engine().commit();
        assertThat(outcome.join()).isInstanceOf(UnitOutcome.Committed.class);
    }

    private static Throwable onlyFailure(CompletableFuture<UnitOutcome> outcome) {
        assertThat(outcome.join()).isInstanceOf(UnitOutcome.PartsFailed.class);
        Map<?, Throwable> failures = ((UnitOutcome.PartsFailed) outcome.join()).failures();
        assertThat(failures).hasSize(1);
        return failures.values().iterator().next();
    }

    private ViewRows rows() {
        return new ViewRows(store().viewStore(), codec);
    }

    private NewCustomer found() {
        return rows().find(Customers.NEW, ANN).orElseThrow();
    }

    private Row stored() {
        return Objects.requireNonNull(
                store().viewStore().find(List.of(new RowKey("customers", ANN))).get(0));
    }
}
