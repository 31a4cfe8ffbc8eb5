package io.holdfast.tck.harness;

import io.holdfast.NonRetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;

/** A small domain for tests of the engine: accounts that must not be overdrawn. */
public final class Accounts {

    public static final String STREAM = "accounts";

    public static final AggregateType<Balance> ACCOUNT = AggregateType.of(STREAM, Balance.class, new Balance(0))
            .on(Deposited.class, (balance, event) -> new Balance(balance.amount() + event.amount()))
            .on(Withdrawn.class, (balance, event) -> new Balance(balance.amount() - event.amount()))
            .snapshotEvery(5)
            .build();

    private Accounts() {}

    public static Decision deposit(String account, long amount) {
        return context -> context.append(ACCOUNT, account, new Deposited(amount));
    }

    public static Decision withdraw(String account, long amount) {
        return context -> {
            if (context.state(ACCOUNT, account).amount() < amount) {
                throw new Overdrawn();
            }
            context.append(ACCOUNT, account, new Withdrawn(amount));
        };
    }

    /** Spans two keys and commits both or none. */
    public static Decision transfer(String from, String to, long amount) {
        return context -> {
            context.append(ACCOUNT, to, new Deposited(amount));
            if (context.state(ACCOUNT, from).amount() < amount) {
                throw new Overdrawn();
            }
            context.append(ACCOUNT, from, new Withdrawn(amount));
        };
    }

    /** The balance of an account. */
    public record Balance(long amount) {}

    /** Money was added. */
    public record Deposited(long amount) {}

    /** Money was removed. */
    public record Withdrawn(long amount) {}

    /** A business error: the account has insufficient funds. */
    public static final class Overdrawn extends RuntimeException implements NonRetryableException {
        public Overdrawn() {
            super("insufficient funds", null, false, false);
        }
    }
}
