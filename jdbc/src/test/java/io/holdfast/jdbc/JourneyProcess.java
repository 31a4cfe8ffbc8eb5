package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.testsupport.JavaProcess;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A {@link JourneyReplica} of the first version in a separate process. It prints the journeys that it confirms.
 * Arguments: the database's url; when it kills itself; the journeys that it starts.
 */
final class JourneyProcess {

    static final String READY = "READY";
    private static final String CONFIRMED = "CONFIRMED=";
    private static final String AFTER_CALL = "call:";
    private static final String NEVER = AFTER_CALL + "-1";

    private JourneyProcess() {}

    /**
     * Starts a process that runs until it is killed.
     *
     * @param onConfirm gets the journeys that the process confirms
     */
    static JavaProcess start(String url, Consumer<String> onConfirm) {
        return JavaProcess.builder(JourneyProcess.class)
                .arguments(url, NEVER)
                .onLine(line -> {
                    if (line.startsWith(CONFIRMED)) {
                        onConfirm.accept(line.substring(CONFIRMED.length()));
                    }
                })
                .start();
    }

    /**
     * Starts a process that begins these journeys.
     *
     * @param death {@link #afterCall}, or {@link MomentTrap#option}; counted from the moment when the process is ready
     */
    static JavaProcess start(String url, String death, List<String> journeys) {
        return JavaProcess.builder(JourneyProcess.class)
                .arguments(
                        Stream.concat(Stream.of(url, death), journeys.stream()).toList())
                .start();
    }

    /** Returns the option that kills the process when the n-th call has taken effect. */
    static String afterCall(int n) {
        return AFTER_CALL + n;
    }

    public static void main(String[] args) {
        ArmedTrap trap = new ArmedTrap(args[1]);
        JourneyReplica replica = JourneyReplica.open(
                args[0],
                "killed",
                JourneyReplica.Version.FIRST,
                trap,
                trap::afterCall,
                journey -> AppendingProcess.printLine(CONFIRMED + journey));
        trap.armed = true;
        AppendingProcess.printLine(READY);
        List.of(args).subList(2, args.length).forEach(replica::begin);
        while (true) {
            LockSupport.park();
        }
    }

    /** Kills the process, but not while it starts. */
    private static final class ArmedTrap implements CommitPoint.Observer {

        private final CommitPoint.Observer points;
        private final AtomicInteger remainingCalls;
        private volatile boolean armed;

        ArmedTrap(String death) {
            boolean isCall = death.startsWith(AFTER_CALL);
            this.points = AppendingProcess.observer(isCall ? "none" : "die=" + death);
            this.remainingCalls =
                    new AtomicInteger(isCall ? Integer.parseInt(death.substring(AFTER_CALL.length())) : -1);
        }

        @Override
        public void before(CommitPoint point) {
            if (armed) {
                points.before(point);
            }
        }

        @Override
        public void after(CommitPoint point) {
            if (armed) {
                points.after(point);
            }
        }

        void afterCall() {
            if (remainingCalls.decrementAndGet() == 0) {
                AppendingProcess.killSelf();
            }
        }
    }
}
