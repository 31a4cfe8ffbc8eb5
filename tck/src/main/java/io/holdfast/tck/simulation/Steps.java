package io.holdfast.tck.simulation;

import io.holdfast.commit.CommitPoint;
import io.holdfast.tck.CrashPoints.Moment;
import io.holdfast.tck.simulation.Step.Kind;
import io.holdfast.tck.simulation.Step.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Makes random runs: mostly work, now and then a misfortune. */
final class Steps {

    static final List<String> ACCOUNTS = List.of("ann", "bob", "cem");
    static final int REPLICAS = 2;
    /** Longer than any lease and any back-off; the other time that passes is shorter than any, so that runs repeat. */
    static final Duration LONG = Duration.ofSeconds(40);

    private static final Duration SHORT = Duration.ofMillis(10);
    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final List<Moment> MOMENTS = Moment.of(CommitPoint.values());
    private static final int REPEATED_COMMANDS = 6;

    private final SplittableRandom random;

    private Steps(SplittableRandom random) {
        this.random = random;
    }

    static List<Step> random(SplittableRandom random) {
        Steps steps = new Steps(random);
        int length = 40 + random.nextInt(160);
        List<Step> run = new ArrayList<>();
        while (run.size() < length) {
            run.add(random.nextInt(100) < 85 ? steps.work() : steps.misfortune());
        }
        return run;
    }

    /** Only work: what goes wrong is put in by hand. */
    static List<Step> work(SplittableRandom random, int length) {
        return Stream.generate(new Steps(random)::work).limit(length).toList();
    }

    private Step work() {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> ask();
            case 3 -> new Step.Remark(account(), "remark " + random.nextInt(1_000_000), random.nextInt(4) > 0);
            case 4, 5 -> new Step.Commit(Side.SOURCE, replica());
            case 6, 7 -> new Step.Commit(Side.SINK, replica());
            case 8, 9 -> new Step.Publish(replica());
            default -> new Step.Handle(replica());
        };
    }

    private Step misfortune() {
        return switch (random.nextInt(9)) {
            case 0, 1, 2 -> new Step.CrashAt(side(), moment());
            case 3 -> new Step.Kill(side(), replica());
            case 4 -> new Step.ForgetWire();
            case 5 -> new Step.LoseTail(1 + random.nextInt(10));
            case 6 -> new Step.Connect(random.nextBoolean());
            case 7 -> new Step.FailHandlers(1 + random.nextInt(3));
            default -> new Step.Pass(random.nextInt(3) == 0 ? LONG : SHORT);
        };
    }

    /** A command that may be sent again always says the same. */
    private Step.Ask ask() {
        int key = random.nextInt(3) == 0 ? 1 + random.nextInt(REPEATED_COMMANDS) : 0;
        SplittableRandom content = key == 0 ? random : new SplittableRandom(key);
        Kind kind = oneOf(content, KINDS);
        String from = oneOf(content, ACCOUNTS);
        String to = oneOf(content, ACCOUNTS);
        return new Step.Ask(replica(), kind, from, to, 1 + content.nextInt(20), key);
    }

    private Moment moment() {
        return oneOf(random, MOMENTS);
    }

    private String account() {
        return oneOf(random, ACCOUNTS);
    }

    private static <T> T oneOf(SplittableRandom random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private int replica() {
        return random.nextInt(REPLICAS);
    }

    private Side side() {
        return random.nextBoolean() ? Side.SOURCE : Side.SINK;
    }
}
