package io.holdfast.tck.deadletter;

import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.tck.harness.Noted;
import java.util.function.BiConsumer;

/** Creates a component that writes application rows through the adapter under test. */
final class RowWritingComponent {

    private RowWritingComponent() {}

    static Component component(ApplicationRows rows, BiConsumer<Noted, RowWriter> handler) {
        return Component.named(DeadLetterEngineKit.COPIES)
                .on(Noted.class, (event, context) -> handler.accept(event, new RowWriter(rows, context)))
                .rowsIn(rows.resource())
                .build();
    }

    /** Returns the transaction in which an event is handled. */
    static UnitTransaction transaction(EventContext context) {
        return new HandlerTransaction(context);
    }

    /** Writes application rows in the transaction in which an event is handled. */
    record RowWriter(ApplicationRows rows, EventContext context) {

        void write(String text) {
            rows.write(transaction(), text);
        }

        void fail() {
            rows.writeInvalid(transaction());
        }

        void lose() {
            rows.lose(transaction());
        }

        private UnitTransaction transaction() {
            return RowWritingComponent.transaction(context);
        }
    }

    /** The transaction as a handler sees it. */
    private record HandlerTransaction(EventContext context) implements UnitTransaction {

        @Override
        public <T> T resource(Class<T> type) {
            return context.resource(type);
        }

        @Override
        public void savepoint() {
            throw unsupportedInHandler();
        }

        @Override
        public void rollbackToSavepoint() {
            throw unsupportedInHandler();
        }

        @Override
        public CommitSession session() {
            throw unsupportedInHandler();
        }

        @Override
        public void close() {
            throw unsupportedInHandler();
        }

        private static UnsupportedOperationException unsupportedInHandler() {
            return new UnsupportedOperationException("A handler only writes rows; the engine owns the transaction");
        }
    }
}
