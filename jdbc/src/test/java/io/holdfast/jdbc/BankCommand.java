package io.holdfast.jdbc;

import io.holdfast.aggregate.Decision;
import io.holdfast.eventsourcing.Command;
import io.holdfast.tck.harness.Accounts;
import java.util.UUID;

/**
 * The n-th command of a caller. It is the same in every process and at every time. Every third command is a deposit of
 * {@link #DEPOSIT}; the others are transfers of smaller amounts.
 */
record BankCommand(int caller, int number) {

    static final long DEPOSIT = 100;
    /** The prefix of account names. */
    static final String ACCOUNT = "account-";

    private static final int ACCOUNTS = 5;

    Command command() {
        return Command.keyed("bank", caller + "/" + number);
    }

    UUID id() {
        return command().id();
    }

    Decision decision() {
        if (number % 3 == 0) {
            return Accounts.deposit(account(0), DEPOSIT);
        }
        return Accounts.transfer(account(0), account(1 + number % 3), 1 + number % 9);
    }

    private String account(int offset) {
        return ACCOUNT + (caller + number + offset) % ACCOUNTS;
    }
}
