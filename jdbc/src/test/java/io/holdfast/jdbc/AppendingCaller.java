package io.holdfast.jdbc;

import io.holdfast.RetryableException;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import java.util.stream.Collectors;

/** Sends one command after another, and repeats each until it gets a response. */
record AppendingCaller(Bank bank, int caller, int from) implements Runnable {

    @Override
    public void run() {
        int number = from;
        while (send(new BankCommand(caller, number))) {
            number++;
        }
    }

    /** @return whether to continue with the next command */
    private boolean send(BankCommand command) {
        String name = " " + caller + " " + command.number() + " ";
        while (true) {
            try {
                CommandResult result = bank.controller().execute(command.command(), command.decision());
                AppendingProcess.printLine("ACK" + name
                        + result.events().stream()
                                .map(event -> event.id().toString())
                                .collect(Collectors.joining(" ")));
                return true;
            } catch (Overdrawn e) {
                AppendingProcess.printLine("REJECTED" + name);
                return true;
            } catch (RetryableException e) {
                AppendingProcess.printLine("RETRY" + name + e);
            } catch (RuntimeException e) {
                AppendingProcess.printLine("FAILED" + name + e);
                return false;
            }
        }
    }
}
