package io.holdfast.jdbc;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Collects the responses that successive processes got. Thread-safe. */
final class ProcessResponses {

    private final int[] next = new int[AppendingProcess.CALLERS];
    private final Set<UUID> acknowledgedEvents = new HashSet<>();
    private final Set<UUID> acknowledgedCommands = new HashSet<>();
    private final List<String> failures = new ArrayList<>();
    private int retries;

    synchronized void accept(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "ACK" -> {
                BankCommand command = new BankCommand(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                next[command.caller()] = command.number() + 1;
                acknowledgedCommands.add(command.id());
                for (int word = 3; word < words.length; word++) {
                    acknowledgedEvents.add(UUID.fromString(words[word]));
                }
            }
            case "COUNTED" -> acknowledgedEvents.add(UUID.fromString(words[1]));
            case "REJECTED" -> next[Integer.parseInt(words[1])] = Integer.parseInt(words[2]) + 1;
            case "RETRY" -> retries++;
            case "FAILED" -> failures.add(line);
            default -> {}
        }
    }

    /**
     * Returns the numbers at which the callers continue; the first command of each may have been committed without a
     * response.
     */
    synchronized String next() {
        return IntStream.of(next).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    synchronized Set<UUID> acknowledgedEvents() {
        return Set.copyOf(acknowledgedEvents);
    }

    synchronized Set<UUID> acknowledgedCommands() {
        return Set.copyOf(acknowledgedCommands);
    }

    /** Returns every command that was ever sent. */
    synchronized Set<UUID> sentCommands() {
        Set<UUID> sent = new HashSet<>();
        for (int caller = 0; caller < next.length; caller++) {
            for (int number = 0; number <= next[caller]; number++) {
                sent.add(new BankCommand(caller, number).id());
            }
        }
        return sent;
    }

    synchronized int count() {
        return acknowledgedEvents.size();
    }

    synchronized int retries() {
        return retries;
    }

    /** Returns the responses that were neither success, nor a rejection by the domain, nor retryable. */
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }
}
