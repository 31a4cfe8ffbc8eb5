package io.holdfast.memory;

import io.holdfast.commit.UnitTransaction;
import io.holdfast.tck.harness.ApplicationRows;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Application rows in a list that changes when the transaction commits. */
final class InMemoryApplicationRows implements ApplicationRows {

    private final InMemoryTransactions transactions;
    private final List<String> rows = new CopyOnWriteArrayList<>();

    InMemoryApplicationRows(InMemoryTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Object resource() {
        return transactions;
    }

    @Override
    public Class<?> resourceType() {
        return InMemoryTransactions.class;
    }

    @Override
    public void write(UnitTransaction transaction, String text) {
        transaction.resource(InMemoryTransactions.class).atCommit(() -> rows.add(text));
    }

    @Override
    public void overwrite(UnitTransaction transaction, String text, String newText) {
        transaction
                .resource(InMemoryTransactions.class)
                .atCommit(() -> rows.replaceAll(row -> row.equals(text) ? newText : row));
    }

    @Override
    public void writeInvalid(UnitTransaction transaction) {
        throw new IllegalStateException("a value that a database would reject");
    }

    @Override
    public void lose(UnitTransaction transaction) {
        transaction.resource(InMemoryTransactions.class).loseCurrent();
    }

    @Override
    public List<String> read() {
        return List.copyOf(rows);
    }

    @Override
    public Map<String, Runnable> forbiddenCalls(UnitTransaction transaction) {
        InMemoryTransactions provided = transaction.resource(InMemoryTransactions.class);
        return Map.of("run another transaction", () -> provided.run(() -> {}));
    }
}
