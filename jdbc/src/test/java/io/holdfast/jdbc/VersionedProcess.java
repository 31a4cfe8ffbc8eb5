package io.holdfast.jdbc;

import io.holdfast.testsupport.JavaProcess;
import io.holdfast.testsupport.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A {@link VersionedReplica} in a separate process. It prints how many segments it has claimed, how many letters its
 * gauge shows as PENDING, and what it logs from WARN up. SIGTERM closes it. Arguments: the database's url; the options.
 */
final class VersionedProcess implements AutoCloseable {

    private static final String READY = "READY";
    private static final String CLAIMED = "CLAIMED=";
    private static final String PENDING = "PENDING=";
    private static final Duration REPORT_INTERVAL = Duration.ofMillis(100);

    private final VersionedOptions options;
    private final AtomicInteger claimed = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicInteger logged = new AtomicInteger();
    private final JavaProcess process;

    private VersionedProcess(String url, VersionedOptions options) {
        this.options = options;
        List<String> arguments = new ArrayList<>(List.of(url));
        arguments.addAll(options.arguments());
        this.process = JavaProcess.builder(VersionedProcess.class)
                .name(options.replica() + "-" + options.version())
                .jvmOptions(
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dorg.slf4j.simpleLogger.logFile=System.out")
                .arguments(arguments)
                .onLine(this::accept)
                .start();
    }

    static VersionedProcess start(String url, VersionedOptions options) {
        return new VersionedProcess(url, options);
    }

    String version() {
        return options.version();
    }

    VersionedProcess awaitReady() {
        process.awaitLine(READY::equals);
        return this;
    }

    VersionedProcess awaitClaimed(int count) {
        process.awaitUntil(() -> claimed.get() == count);
        return this;
    }

    /** Returns the PENDING letters that the gauge of the process shows. */
    int pending() {
        return pending.get();
    }

    /** Returns how many lines the process has logged, from WARN up. */
    int logged() {
        return logged.get();
    }

    void end(Signal signal) {
        process.signal(signal);
        process.awaitEndedBy(signal);
        process.close();
    }

    private void accept(String line) {
        if (line.startsWith(CLAIMED)) {
            claimed.set(Integer.parseInt(line.substring(CLAIMED.length())));
        } else if (line.startsWith(PENDING)) {
            pending.set(Integer.parseInt(line.substring(PENDING.length())));
        } else if (line.contains(" WARN ") || line.contains(" ERROR ")) {
            logged.incrementAndGet();
        }
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public String toString() {
        return process.toString();
    }

    public static void main(String[] args) {
        VersionedReplica replica = VersionedReplica.open(args[0], VersionedOptions.parse(args, 1));
        Runtime.getRuntime().addShutdownHook(new Thread(replica::close));
        AppendingProcess.printLine(READY);
        int claimed = 0;
        int pending = 0;
        while (true) {
            claimed = reported(CLAIMED, claimed, replica.claimed());
            pending = reported(PENDING, pending, replica.pending());
            LockSupport.parkNanos(REPORT_INTERVAL.toNanos());
        }
    }

    private static int reported(String what, int before, int now) {
        if (now != before) {
            AppendingProcess.printLine(what + now);
        }
        return now;
    }
}
