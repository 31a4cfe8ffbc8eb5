package io.holdfast.tck;

import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.processing.Component;
import io.holdfast.processing.EventContext;
import java.util.function.BiConsumer;

/** A component that writes rows of its own, by what the adapter under test has. */
final class RowWriting {

    private RowWriting() {}

    static Component component(HandlerRows rows, BiConsumer<Noted, Rows> handler) {
        return Component.named(DeadLetterEngineKit.COPIES)
                .on(Noted.class, (event, context) -> handler.accept(event, new Rows(rows, context)))
                .rowsIn(rows.resource())
                .build();
    }

    /** The rows, in the transaction that an event is handled in. */
    record Rows(HandlerRows rows, EventContext context) {

        void write(String text) {
            rows.write(transaction(), text);
        }

        void fail() {
            rows.fail(transaction());
        }

        private UnitTransaction transaction() {
            return new Inside(context);
        }
    }

    /** What a handler sees of the transaction that it is called in. */
    private record Inside(EventContext context) implements UnitTransaction {

        @Override
        public <T> T resource(Class<T> type) {
            return context.resource(type);
        }

        @Override
        public void mark() {
            throw notAHandlersMatter();
        }

        @Override
        public void undo() {
            throw notAHandlersMatter();
        }

        @Override
        public CommitSession session() {
            throw notAHandlersMatter();
        }

        @Override
        public void close() {
            throw notAHandlersMatter();
        }

        private static UnsupportedOperationException notAHandlersMatter() {
            return new UnsupportedOperationException("a handler writes rows; the transaction is the engine's");
        }
    }
}
