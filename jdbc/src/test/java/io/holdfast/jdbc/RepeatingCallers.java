package io.holdfast.jdbc;

import io.holdfast.RetryableException;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.eventsourcing.Command;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.token.Segment;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Eight threads that repeatedly deposit 1 until they are closed. Half of them repeat a keyed command until it succeeds.
 * The others send each command once, and also use the store without the committer.
 */
final class RepeatingCallers implements AutoCloseable {

    static final String REPEATED = "repeated";
    static final String SENT_ONCE = "sent-once";
    private static final int CALLERS = 8;
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final Bank bank;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicInteger sentOnce = new AtomicInteger();
    private final AtomicInteger retries = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicInteger used = new AtomicInteger();
    private final AtomicInteger interruptions = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private volatile boolean abandoned;

    private RepeatingCallers(Bank bank) {
        this.bank = bank;
    }

    static RepeatingCallers start(Bank bank) {
        RepeatingCallers callers = new RepeatingCallers(bank);
        for (int caller = 0; caller < CALLERS; caller++) {
            String name = "caller-" + caller;
            Thread thread = new Thread(caller % 2 == 0 ? () -> callers.repeat(name) : callers::sendOnce, name);
            callers.threads.add(thread);
            thread.start();
        }
        return callers;
    }

    private void repeat(String name) {
        int number = 0;
        while (!closed) {
            Command command = Command.keyed(name, Integer.toString(number++));
            while (!succeeds(command, REPEATED)) {
                if (abandoned || !failures.isEmpty()) {
                    return;
                }
            }
            repeated.incrementAndGet();
        }
    }

    private void sendOnce() {
        while (!closed && failures.isEmpty()) {
            if (succeeds(Command.once(Clock.systemUTC()), SENT_ONCE)) {
                sentOnce.incrementAndGet();
            }
            useTheStore();
        }
    }

    /** Reads and writes that do not go through the committer. */
    private void useTheStore() {
        try {
            bank.controller().state(Accounts.ACCOUNT, SENT_ONCE);
            bank.store().tokenStore().initialize(new Segment("used", used.incrementAndGet()), Map.of());
        } catch (RetryableException e) {
            retries.incrementAndGet();
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private boolean succeeds(Command command, String account) {
        try {
            bank.controller().execute(command, Accounts.deposit(account, 1));
            return true;
        } catch (OutcomeUnknownException e) {
            unknown.incrementAndGet();
        } catch (RetryableException e) {
            retries.incrementAndGet();
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
        return false;
    }

    /**
     * Interrupts every caller, whatever it is doing.
     *
     * @return the total number of interrupts
     */
    int interrupt() {
        threads.forEach(Thread::interrupt);
        return interruptions.addAndGet(threads.size());
    }

    /** @return whether any call did not succeed */
    boolean troubled() {
        return !failures.isEmpty() || retries() + unknown() > 0;
    }

    int successes() {
        return repeated() + sentOnce();
    }

    int repeated() {
        return repeated.get();
    }

    int sentOnce() {
        return sentOnce.get();
    }

    int retries() {
        return retries.get();
    }

    int unknown() {
        return unknown.get();
    }

    /** Returns the errors that are not retryable. */
    List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** Lets the callers finish their current command, and waits for them. */
    void stop() {
        closed = true;
        Awaitility.await().atMost(BOUND).until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Override
    public void close() {
        abandoned = true;
        stop();
    }
}
