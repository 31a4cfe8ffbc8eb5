package io.holdfast.tck.simulation;

import static io.holdfast.deadletter.QueueSettings.DEFAULT_CACHE_SIZE;

import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.simulation.Step.CommandKind;
import io.holdfast.tck.simulation.Step.LetterOperation;
import io.holdfast.tck.simulation.Step.Operation;
import io.holdfast.tck.simulation.Step.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Creates random runs: mostly work, with occasional operations and faults. */
final class Steps {

    /** Enough for a loss that hides, or loses, what an earlier one has left behind. */
    private static final int MAX_FAILOVERS = 3;

    /** Accounts whose hashes fall into all four initial segments, and into the halves that are split off. */
    static final List<String> ACCOUNTS = List.of("ann", "dee", "fay", "hal", "ned");

    static final int REPLICAS = 2;
    /** Longer than any lease and any backoff. */
    static final Duration BEYOND_LEASE = Duration.ofSeconds(40);

    /** Half a lease, and between any two backoff delays, so that runs are reproducible. */
    static final Duration MEDIUM = Duration.ofSeconds(5);

    /** As long as a sequence awaits another version before it becomes PENDING. */
    private static final Duration MAX_HOLD = ResilienceSettings.DEFAULT.maxHold();

    private static final Duration SHORT = Duration.ofMillis(10);
    private static final List<CommandKind> KINDS = List.of(CommandKind.values());
    private static final List<Step.ReplayMode> REPLAY_MODES = List.of(Step.ReplayMode.values());
    private static final List<ScriptedPolicy.Action> POLICY_ACTIONS = List.of(ScriptedPolicy.Action.values());
    private static final List<Moment> MOMENTS = Moment.of(CommitPoint.values());
    private static final List<StoreFaults.Kind> STORE_FAULTS = List.of(StoreFaults.Kind.values());
    private static final int REPEATED_COMMANDS = 6;
    /** More than the initial number, because some segments are split. */
    private static final int SEGMENTS = 8;

    private final SplittableRandom random;

    private Steps(SplittableRandom random) {
        this.random = random;
    }

    static List<Step> random(SplittableRandom random) {
        Steps steps = new Steps(random);
        int length = 40 + random.nextInt(200);
        List<Step> run = new ArrayList<>();
        boolean isFragile = random.nextBoolean();
        boolean isMixed = random.nextBoolean();
        if (isFragile) {
            run.add(steps.rollOut());
        }
        while (run.size() < length) {
            int kind = random.nextInt(100);
            if (isFragile && kind < 25) {
                run.addAll(steps.parkingSteps());
            } else if (isMixed && kind >= 94) {
                run.addAll(steps.versionSteps());
            } else {
                run.add(kind < 79 ? steps.work() : kind < 85 ? steps.operation() : steps.fault());
            }
        }
        for (int failovers = random.nextInt(MAX_FAILOVERS + 1); failovers > 0; failovers--) {
            steps.insertFailover(run);
        }
        if (isMixed && random.nextBoolean()) {
            run.add(new Step.Settle());
        }
        return run;
    }

    /** A failover that loses the commits of up to 30 steps. Then, mostly, replicas check their logs. */
    private void insertFailover(List<Step> run) {
        Side side = side();
        int index = random.nextInt(run.size());
        run.add(index, new Step.DetachStandby(side));
        index = Math.min(run.size(), index + 2 + random.nextInt(30));
        run.add(index, new Step.FailOver(side));
        for (int i = random.nextInt(3); i > 0; i--) {
            index = Math.min(run.size(), index + 1 + random.nextInt(10));
            run.add(index, new Step.CheckLog(side, replica()));
        }
        if (side == Side.SOURCE && random.nextBoolean()) {
            index = Math.min(run.size(), index + 1 + random.nextInt(20));
            run.add(index, new Step.AcceptRestores(replica()));
        }
    }

    /** Steps that park letters, and operators' actions on them. */
    private List<Step> parkingSteps() {
        return switch (random.nextInt(8)) {
            case 7 -> restoring();
            case 0 ->
                List.of(
                        new Step.Pause(replica(), false),
                        new Step.PassTime(oneOf(random, List.of(MEDIUM, BEYOND_LEASE))));
            case 1 -> failingEvents();
            case 2 -> failingReplay();
            default -> List.of(operatorAction());
        };
    }

    /** A discard, and a restore before the letters behind it are handled: that is refused as soon as one was. */
    private List<Step> restoring() {
        List<Step> steps = new ArrayList<>();
        if (random.nextBoolean()) {
            steps.add(new Step.Pause(replica(), true));
        } else {
            steps.add(new Step.FailHandlers(6, true));
        }
        String component = component();
        for (LetterOperation operation : List.of(LetterOperation.DISCARD, LetterOperation.RESTORE)) {
            steps.add(new Step.PassTime(MEDIUM));
            onBoth(steps, Step.Handle::new);
            onBoth(steps, replica -> new Step.Commit(Side.SINK, replica));
            int which = operation == LetterOperation.RESTORE ? 0 : random.nextInt(20);
            steps.add(new Step.ChangeLetter(replica(), operation, component, which));
        }
        onBoth(steps, Step.Handle::new);
        onBoth(steps, replica -> new Step.Commit(Side.SINK, replica));
        return steps;
    }

    /** One or two deployments, often of the same version, and events of one account that arrive after each. */
    private List<Step> versionSteps() {
        List<Step> steps = new ArrayList<>();
        String account = account();
        SinkVersion version = version();
        for (int deployment = random.nextInt(2); deployment >= 0; deployment--) {
            steps.addAll(deployment(random.nextInt(3) == 0 ? version() : version));
            steps.add(new Step.SendCommand(0, CommandKind.TRANSFER, account, account, 1 + random.nextInt(20), 0));
            steps.add(new Step.Commit(Side.SOURCE, 0));
            onBoth(steps, Step.Publish::new);
            for (int i = random.nextInt(5); i > 0; i--) {
                onBoth(steps, Step.Handle::new);
                onBoth(steps, replica -> new Step.Commit(Side.SINK, replica));
            }
        }
        return steps;
    }

    /** Another version on one replica or on both. Then, mostly, the leases of the replicas before expire. */
    private List<Step> deployment(SinkVersion version) {
        List<Step> steps = new ArrayList<>();
        int first = replica();
        int replicas = 1 + random.nextInt(REPLICAS);
        for (int i = 0; i < replicas; i++) {
            steps.add(new Step.Replace((first + i) % REPLICAS, version, random.nextBoolean()));
        }
        if (random.nextInt(4) > 0) {
            steps.add(new Step.PassTime(oneOf(random, List.of(MEDIUM, BEYOND_LEASE, BEYOND_LEASE, MAX_HOLD))));
        }
        return steps;
    }

    /** Events that arrive while handlers fail. */
    private List<Step> failingEvents() {
        List<Step> steps = new ArrayList<>();
        steps.add(failure());
        for (int event = random.nextInt(4); event >= 0; event--) {
            steps.add(new Step.SendCommand(0, CommandKind.DEPOSIT, account(), account(), 1 + random.nextInt(20), 0));
        }
        steps.add(new Step.Commit(Side.SOURCE, 0));
        steps.add(new Step.Publish(0));
        onBoth(steps, Step.Handle::new);
        onBoth(steps, replica -> new Step.Commit(Side.SINK, replica));
        return steps;
    }

    /** Only work. The caller inserts the faults. */
    static List<Step> work(SplittableRandom random, int length) {
        return Stream.generate(new Steps(random)::work).limit(length).toList();
    }

    /** Every operation with its own kind of write, one after another, each carried to completion. */
    static List<Step> everyOperation() {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step.FailHandlers(3, true));
        for (String account : ACCOUNTS) {
            steps.add(new Step.SendCommand(0, CommandKind.DEPOSIT, account, account, 1, 0));
        }
        steps.add(new Step.Remark("ann", "a remark before the operations", true));
        onBoth(steps, replica -> new Step.Commit(Side.SOURCE, replica));
        settle(steps);
        steps.add(new Step.PassTime(MEDIUM));
        settle(steps);
        for (String component : SinkReplica.COMPONENTS) {
            onBoth(steps, replica -> new Step.ChangeLetter(replica, LetterOperation.REQUEUE, component, 0));
            onBoth(steps, replica -> new Step.ChangeLetter(replica, LetterOperation.DISCARD, component, 1));
            onBoth(steps, replica -> new Step.ChangeLetter(replica, LetterOperation.REPLAY_TOO_LATE, component, 0));
            onBoth(steps, replica -> new Step.Replay(replica, Step.ReplayMode.ALL, component));
        }
        steps.add(new Step.PassTime(MEDIUM));
        settle(steps);
        onBoth(steps, replica -> new Step.ChangeLetter(replica, LetterOperation.REPLAY_SEVERAL, "ledger", replica));
        onBoth(steps, replica -> new Step.StopAction(replica, 1_000 - 1 - replica));
        for (Operation operation : Operation.values()) {
            onBoth(steps, replica -> new Step.Operate(replica, operation, 1));
            settle(steps);
            steps.add(new Step.PassTime(MEDIUM));
            settle(steps);
        }
        for (SinkVersion version : List.of(SinkVersion.NEXT, SinkVersion.FIRST)) {
            steps.add(new Step.Replace(0, version, true));
            steps.add(new Step.SendCommand(0, CommandKind.DEPOSIT, "ann", "ann", 1, 0));
            steps.add(new Step.Commit(Side.SOURCE, 0));
            settle(steps);
        }
        for (Side side : Side.values()) {
            steps.addAll(failover(side));
        }
        steps.add(new Step.Pause(0, true));
        settle(steps);
        steps.add(new Step.Pause(1, false));
        steps.add(new Step.PassTime(BEYOND_LEASE));
        settle(steps);
        return steps;
    }

    /** A failover that loses the newest event of each log. The sink continues after its operator has accepted it. */
    private static List<Step> failover(Side side) {
        List<Step> steps = new ArrayList<>();
        for (Step next : List.of(new Step.DetachStandby(side), new Step.FailOver(side))) {
            steps.add(next);
            onBoth(steps, replica -> new Step.CheckLog(side, replica));
            steps.add(new Step.SendCommand(0, CommandKind.DEPOSIT, "ann", "ann", 1, 0));
            steps.add(new Step.Commit(Side.SOURCE, 0));
            steps.add(new Step.PassTime(BEYOND_LEASE));
            settle(steps);
        }
        onBoth(steps, Step.AcceptRestores::new);
        settle(steps);
        return steps;
    }

    private static void settle(List<Step> steps) {
        onBoth(steps, Step.Publish::new);
        for (int i = 0; i < 4; i++) {
            steps.add(new Step.CompleteAsync(0, false));
            steps.add(new Step.CompleteAsync(0, false));
            onBoth(steps, Step.Handle::new);
            onBoth(steps, replica -> new Step.Commit(Side.SINK, replica));
        }
    }

    private static void onBoth(List<Step> steps, IntFunction<Step> step) {
        for (int replica = 0; replica < REPLICAS; replica++) {
            steps.add(step.apply(replica));
        }
    }

    private Step work() {
        return switch (random.nextInt(18)) {
            case 0, 1, 2 -> command();
            case 3 -> new Step.Remark(account(), "remark " + random.nextInt(1_000_000), random.nextInt(4) > 0);
            case 4, 5 -> new Step.Commit(Side.SOURCE, replica());
            case 6, 7 -> new Step.Publish(replica());
            case 8, 9, 10 -> new Step.Commit(Side.SINK, replica());
            case 11, 12, 13 -> new Step.CompleteAsync(random.nextInt(20), false);
            default -> new Step.Handle(replica());
        };
    }

    private Step operation() {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> operate(Operation.SPLIT);
            case 3, 4 -> operate(Operation.MERGE);
            case 5 -> operate(Operation.RELEASE);
            case 6 -> operate(Operation.RESET);
            case 7 -> new Step.Pause(replica(), true);
            case 8 -> new Step.Pause(replica(), false);
            default -> rollOut();
        };
    }

    private Step failure() {
        return new Step.FailHandlers(1 + random.nextInt(random.nextBoolean() ? 3 : 12), random.nextInt(3) > 0);
    }

    /**
     * Letters that fail again, with the policy's decision on them. As independent random steps, these would seldom
     * coincide.
     */
    private List<Step> failingReplay() {
        int replica = replica();
        return List.of(
                new Step.FailHandlers(1 + random.nextInt(3), true),
                new Step.ScriptPolicy(oneOf(random, POLICY_ACTIONS), 1 + random.nextInt(3)),
                new Step.Replay(replica, oneOf(random, REPLAY_MODES), component()),
                new Step.Handle(replica),
                new Step.Commit(Side.SINK, replica));
    }

    /** An operator's action on parked letters. */
    private Step operatorAction() {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> new Step.Replay(replica(), oneOf(random, REPLAY_MODES), component());
            case 4 -> new Step.StopReplays(replica());
            case 5 -> change(LetterOperation.EVICT);
            case 6 -> change(LetterOperation.REQUEUE);
            case 7 -> change(LetterOperation.ENQUEUE_AGAIN);
            case 8 -> change(LetterOperation.REPLAY);
            case 9 -> change(LetterOperation.DISCARD);
            case 10 -> change(LetterOperation.REPLAY_TOO_LATE);
            case 11 -> change(LetterOperation.REPLAY_SEVERAL);
            case 12 -> change(LetterOperation.DISCARD_SEVERAL);
            case 13 -> change(LetterOperation.RESTORE);
            case 14, 15 -> new Step.StopAction(replica(), random.nextInt(20));
            default -> new Step.ScriptPolicy(oneOf(random, POLICY_ACTIONS), 1 + random.nextInt(3));
        };
    }

    /**
     * Creates a change of a letter. It never parks a handled event again for the journal, where the event would take
     * effect twice, because only the position deduplicates there.
     */
    private Step change(LetterOperation operation) {
        String component =
                operation == LetterOperation.ENQUEUE_AGAIN ? oneOf(random, List.of("ledger", "audit")) : component();
        return new Step.ChangeLetter(replica(), operation, component, random.nextInt(20));
    }

    private Step rollOut() {
        QueueLimits limits = new QueueLimits(1 + random.nextInt(3), 2 + random.nextInt(3), 1 + random.nextInt(4));
        return new Step.RollOut(
                random.nextInt(3) == 0 ? component() : "", limits, oneOf(random, List.of(0, 1, DEFAULT_CACHE_SIZE)));
    }

    private SinkVersion version() {
        return oneOf(random, oneOf(random, SinkVersion.BY_KIND));
    }

    private String component() {
        return oneOf(random, SinkReplica.COMPONENTS);
    }

    private Step operate(Operation operation) {
        return new Step.Operate(replica(), operation, random.nextInt(SEGMENTS));
    }

    private Step fault() {
        return switch (random.nextInt(20)) {
            case 0, 1, 2 -> new Step.CrashAt(side(), moment());
            case 3 -> new Step.Kill(side(), replica());
            case 4 -> new Step.RestartWireEmpty();
            case 5 -> new Step.LoseTail(1 + random.nextInt(10));
            case 6 -> new Step.ConnectWire(random.nextBoolean());
            case 7, 8 -> failure();
            case 9 -> new Step.FailDecisions(1 + random.nextInt(2));
            case 10 -> new Step.CompleteAsync(random.nextInt(20), true);
            case 11 -> new Step.SetBreaker(random.nextInt(3) > 0);
            case 12 -> new Step.OutlastLease(replica());
            case 13, 14 -> new Step.FailStore(oneOf(random, STORE_FAULTS), 1 + random.nextInt(5));
            case 15, 16 -> new Step.SetClock(side(), replica(), clockDifference());
            case 17 -> new Step.SetStoreClock(side(), clockDifference());
            default -> new Step.PassTime(oneOf(random, List.of(SHORT, MEDIUM, MEDIUM, BEYOND_LEASE)));
        };
    }

    /** From less than a lease to more than all rounds of a run together. */
    private Duration clockDifference() {
        Duration difference = oneOf(random, List.of(MEDIUM, Duration.ofHours(1), Duration.ofHours(5)));
        return random.nextBoolean() ? difference : difference.negated();
    }

    /** Creates a command. One that may be repeated always has the same content. */
    private Step.SendCommand command() {
        int key = random.nextInt(3) == 0 ? 1 + random.nextInt(REPEATED_COMMANDS) : 0;
        SplittableRandom content = key == 0 ? random : new SplittableRandom(key);
        CommandKind kind = oneOf(content, KINDS);
        String from = oneOf(content, ACCOUNTS);
        String to = oneOf(content, ACCOUNTS);
        return new Step.SendCommand(replica(), kind, from, to, 1 + content.nextInt(20), key);
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
