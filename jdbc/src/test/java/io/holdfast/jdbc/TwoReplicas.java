package io.holdfast.jdbc;

import io.holdfast.testsupport.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Two processes of one service, each in one of two versions. Starts with two of the old version. */
final class TwoReplicas implements AutoCloseable {

    /** Short, so that a restart takes longer: sequences become PENDING and still drain. */
    private static final Duration MAX_HOLD = Duration.ofSeconds(2);

    private final String url;
    private final VersionChange change;
    private final Random random;
    private final List<VersionedProcess> running = new ArrayList<>();
    private int started;
    private int kills;

    TwoReplicas(String url, VersionChange change, Random random) {
        this.url = url;
        this.change = change;
        this.random = random;
        running.add(start(VersionChange.OLD));
        running.add(start(VersionChange.OLD));
        running.forEach(VersionedProcess::awaitReady);
    }

    private VersionedProcess start(String version) {
        started++;
        return VersionedProcess.start(url, new VersionedOptions("replica-" + started, version, change, MAX_HOLD));
    }

    /** Replaces a replica by one of another version, and waits until that one is ready. The old one may be killed. */
    void replace(int index, String version) {
        end(index, random.nextBoolean() ? Signal.KILL : Signal.TERM);
        running.set(index, start(version));
        running.get(index).awaitReady();
    }

    /** Replaces both replicas, one by one. */
    void replaceAll(String version) {
        replace(1, version);
        replace(0, version);
    }

    void killAndRestart(int index) {
        String version = running.get(index).version();
        end(index, Signal.KILL);
        running.set(index, start(version));
        running.get(index).awaitReady();
    }

    private void end(int index, Signal signal) {
        kills += signal == Signal.KILL ? 1 : 0;
        running.get(index).end(signal);
    }

    @Override
    public void close() {
        running.forEach(VersionedProcess::close);
    }

    @Override
    public String toString() {
        return started + " processes, " + kills + " killed";
    }
}
