package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.testsupport.JavaProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A {@link CopyingReplica} in a separate process, which prints how many segments it has claimed. SIGTERM closes it.
 * Arguments: the database's url; what happens at which moment, as for {@link AppendingProcess}; the options.
 */
final class CopyingProcess implements AutoCloseable {

    private static final String CLAIMED = "CLAIMED=";
    private static final String HEAD = "HEAD";

    private final AtomicInteger claimed = new AtomicInteger();
    private final AtomicInteger headLocks = new AtomicInteger();
    private final JavaProcess process;

    private CopyingProcess(String url, CopyingOptions options, String moment) {
        List<String> arguments = new ArrayList<>(List.of(url, moment));
        arguments.addAll(options.arguments());
        this.process = JavaProcess.builder(CopyingProcess.class)
                .arguments(arguments)
                .onLine(this::accept)
                .start();
    }

    static CopyingProcess start(String url, CopyingOptions options) {
        return start(url, options, "none");
    }

    static CopyingProcess start(String url, CopyingOptions options, String moment) {
        return new CopyingProcess(url, options, moment);
    }

    /** Returns the process itself, for signals. */
    JavaProcess process() {
        return process;
    }

    /** Waits until the process has claimed that many segments. */
    void awaitClaimed(int count) {
        process.awaitUntil(() -> claimed.get() == count);
    }

    /** Returns how often the process has locked the head so far. */
    int headLocks() {
        return headLocks.get();
    }

    private void accept(String line) {
        if (line.startsWith(CLAIMED)) {
            claimed.set(Integer.parseInt(line.substring(CLAIMED.length())));
        } else if (line.equals(HEAD)) {
            headLocks.incrementAndGet();
        }
    }

    @Override
    public void close() {
        process.close();
    }

    public static void main(String[] args) {
        CopyingReplica replica = CopyingReplica.open(
                args[0], CopyingOptions.parse(args, 2), reporting(AppendingProcess.observer(args[1])), () -> {});
        Runtime.getRuntime().addShutdownHook(new Thread(replica::close));
        int before = 0;
        while (true) {
            int now = replica.claimed();
            if (now != before) {
                AppendingProcess.printLine(CLAIMED + now);
                before = now;
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    private static CommitPoint.Observer reporting(CommitPoint.Observer observer) {
        return new CommitPoint.Observer() {
            @Override
            public void before(CommitPoint point) {
                observer.before(point);
            }

            @Override
            public void after(CommitPoint point) {
                if (point == CommitPoint.LOCK_HEAD) {
                    AppendingProcess.printLine(HEAD);
                }
                observer.after(point);
            }
        };
    }
}
