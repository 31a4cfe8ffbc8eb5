package io.holdfast.tck.simulation;

import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.simulation.Step.CommandKind;
import io.holdfast.tck.simulation.Step.Operation;
import io.holdfast.tck.simulation.Step.Side;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs that once failed: failovers whose lost commits contained no events, one whose lost events stayed on the wire,
 * one whose lost event was appended again at the same position, two in a row of which the first went unnoticed, two in a
 * row for which one position was named, two in a row that lost a command at different positions, two in a row that lost
 * everything, two in a row that were accepted through a replica that had read nothing, one that lost a split, one whose
 * lost events were read and not stored, one that lost the registration of a reader, whose tokens were lost, too, and one
 * that lost letters which a replica had read.
 */
final class KnownFailovers {

    private KnownFailovers() {}

    static final Map<String, List<Step>> RUNS = Map.ofEntries(
            Map.entry(
                    "a lost reset, and a replica that waits",
                    List.of(
                            new Step.FailHandlers(7, false),
                            deposit(0, "hal", 9),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.Operate(0, Operation.RELEASE, 6),
                            new Step.DetachStandby(Side.SINK),
                            new Step.Operate(0, Operation.RESET, 0),
                            new Step.Handle(0),
                            new Step.Handle(0),
                            new Step.Handle(0),
                            new Step.OutlastLease(0),
                            new Step.FailOver(Side.SINK),
                            new Step.FailStore(StoreFaults.Kind.POOL_EXHAUSTED, 3),
                            new Step.Handle(0))),
            Map.entry(
                    "lost positions, and as many commits of another replica",
                    List.of(
                            new Step.Handle(1),
                            new Step.FailHandlers(3, true),
                            deposit(0, "dee", 11),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Operate(0, Operation.RESET, 0),
                            deposit(1, "hal", 11),
                            new Step.Publish(1),
                            new Step.Commit(Side.SOURCE, 1),
                            new Step.LoseTail(1),
                            new Step.PassTime(Duration.ofSeconds(5)),
                            new Step.Handle(0),
                            new Step.Handle(0),
                            new Step.Handle(1),
                            new Step.DetachStandby(Side.SINK),
                            new Step.Commit(Side.SINK, 0),
                            new Step.FailOver(Side.SINK),
                            new Step.Commit(Side.SINK, 1))),
            Map.entry(
                    "lost letters, and as many commits of another replica",
                    List.of(
                            new Step.Operate(1, Operation.RELEASE, 1),
                            new Step.Handle(1),
                            new Step.Handle(0),
                            new Step.DetachStandby(Side.SINK),
                            new Step.FailHandlers(10, false),
                            deposit(0, "hal", 7),
                            deposit(0, "dee", 11),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.Handle(0),
                            new Step.Handle(1),
                            new Step.Commit(Side.SINK, 0),
                            new Step.FailOver(Side.SINK),
                            new Step.Commit(Side.SINK, 1))),
            Map.entry(
                    "a repeated command that hides what precedes it",
                    List.of(
                            command(1, CommandKind.DEPOSIT, "hal", 11, 6),
                            command(1, CommandKind.DEPOSIT, "fay", 1, 0),
                            command(1, CommandKind.DEPOSIT, "ann", 13, 0),
                            command(1, CommandKind.DEPOSIT, "fay", 11, 5),
                            command(0, CommandKind.DEPOSIT, "dee", 9, 2),
                            command(0, CommandKind.TRANSFER, "ann", 9, 3),
                            new Step.DetachStandby(Side.SOURCE),
                            command(0, CommandKind.DEPOSIT, "fay", 11, 5),
                            new Step.Commit(Side.SOURCE, 1),
                            new Step.Publish(1),
                            new Step.FailOver(Side.SOURCE),
                            command(0, CommandKind.TRANSFER, "ann", 5, 0),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(1),
                            new Step.Handle(1),
                            new Step.Commit(Side.SINK, 1))),
            Map.entry(
                    "an outbox entry that gets its position for the third time",
                    List.of(
                            new Step.Remark("fay", "a remark", true),
                            command(1, CommandKind.TRANSFER, "dee", 11, 0),
                            new Step.FailHandlers(3, true),
                            new Step.DetachStandby(Side.SOURCE),
                            command(0, CommandKind.TRANSFER, "ann", 9, 3),
                            command(0, CommandKind.TRANSFER, "ann", 13, 0),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.Handle(1),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Commit(Side.SINK, 1),
                            new Step.Replace(1, version("next without ledger"), true),
                            command(0, CommandKind.TRANSFER, "ann", 7, 0),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.DetachStandby(Side.SOURCE),
                            new Step.Publish(0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Handle(1),
                            new Step.Commit(Side.SOURCE, 1),
                            new Step.Publish(0))),
            Map.entry(
                    "two losses, the first of which no replica has seen",
                    List.of(
                            deposit(0, "hal", 8),
                            new Step.DetachStandby(Side.SOURCE),
                            deposit(0, "ned", 1),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Kill(Side.SOURCE, 0),
                            deposit(0, "dee", 5),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.DetachStandby(Side.SOURCE),
                            deposit(0, "fay", 4),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Handle(1),
                            new Step.FailOver(Side.SOURCE))),
            Map.entry(
                    "marks of the new history, and the lost one on the wire",
                    List.of(
                            new Step.DetachStandby(Side.SOURCE),
                            new Step.Replace(0, version("next without audit/Deposited"), false),
                            new Step.SendCommand(0, CommandKind.TRANSFER, "fay", "fay", 20, 0),
                            deposit(1, "ned", 16),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 0),
                            new Step.Commit(Side.SOURCE, 1),
                            new Step.Replace(0, version("first without journal"), true),
                            new Step.Handle(0),
                            new Step.Handle(1),
                            new Step.Commit(Side.SINK, 0),
                            new Step.Replace(0, version("next"), true),
                            new Step.Replace(1, version("next"), false),
                            new Step.Handle(0),
                            new Step.Handle(1),
                            new Step.Commit(Side.SINK, 1))),
            Map.entry(
                    "two losses, and one position that an operator names for both",
                    List.of(
                            deposit(0, "ann", 16),
                            new Step.Commit(Side.SOURCE, 0),
                            deposit(0, "ned", 17),
                            new Step.DetachStandby(Side.SOURCE),
                            new Step.Remark("fay", "a remark", true),
                            new Step.SendCommand(0, CommandKind.TRANSFER, "ned", "hal", 5, 4),
                            new Step.Publish(0),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 0),
                            new Step.CompleteAsync(0, false),
                            deposit(0, "ned", 8),
                            new Step.CompleteAsync(14, false),
                            new Step.Handle(0),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.SendCommand(0, CommandKind.TRANSFER, "ann", "ned", 16, 0),
                            new Step.CompleteAsync(8, false),
                            new Step.CrashAt(Side.SOURCE, new Moment(CommitPoint.WIRE_PUBLISH, false)),
                            new Step.Commit(Side.SINK, 0),
                            new Step.DetachStandby(Side.SOURCE),
                            new Step.PassTime(Duration.ofSeconds(40)),
                            new Step.Handle(1),
                            new Step.CompleteAsync(3, true),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.Commit(Side.SINK, 1),
                            new Step.Handle(1),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 1))),
            Map.entry(
                    "a lost split, repeated while the replica works on both halves",
                    List.of(
                            deposit(0, "ned", 1),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Operate(1, Operation.SPLIT, 2),
                            new Step.Publish(0),
                            new Step.DetachStandby(Side.SINK),
                            new Step.Handle(1),
                            new Step.FailOver(Side.SINK),
                            new Step.Operate(1, Operation.SPLIT, 2),
                            new Step.Handle(1))),
            Map.entry(
                    "lost events that were read and not stored, because a queue was full",
                    List.of(
                            new Step.Handle(1),
                            new Step.SetBreaker(true),
                            command(1, CommandKind.DEPOSIT, "dee", 9, 2),
                            new Step.RollOut("", new QueueLimits(1, 4, 2), 1),
                            new Step.PassTime(Duration.ofSeconds(5)),
                            deposit(0, "ned", 4),
                            new Step.Publish(0),
                            new Step.Handle(0),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Handle(1),
                            new Step.RollOut("", new QueueLimits(2, 2, 1), 1024),
                            new Step.Commit(Side.SOURCE, 1),
                            new Step.CrashAt(Side.SINK, new Moment(CommitPoint.WRITE_SNAPSHOTS, false)),
                            new Step.PassTime(Duration.ofSeconds(5)),
                            new Step.Handle(1),
                            new Step.RollOut("", new QueueLimits(1, 2, 2), 1),
                            new Step.Publish(1),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 0),
                            new Step.Handle(0),
                            new Step.DetachStandby(Side.SOURCE),
                            new Step.Remark("ned", "a remark", true),
                            new Step.FailHandlers(3, true),
                            deposit(0, "ann", 4),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.Handle(0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 0))),
            Map.entry(
                    "a command that is lost twice, at other positions, and a handler that is added then",
                    List.of(
                            new Step.DetachStandby(Side.SOURCE),
                            command(0, CommandKind.TRANSFER, "ann", 9, 3),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Replace(0, version("next without audit"), false),
                            command(0, CommandKind.TRANSFER, "hal", 4, 0),
                            new Step.Commit(Side.SOURCE, 0),
                            command(0, CommandKind.TRANSFER, "ann", 9, 3),
                            new Step.DetachStandby(Side.SOURCE),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.FailStore(StoreFaults.Kind.POOL_EXHAUSTED, 3),
                            new Step.Handle(1))),
            Map.entry(
                    "two losses of all events, the epoch of the first one included",
                    List.of(
                            command(1, CommandKind.DEPOSIT, "hal", 11, 6),
                            new Step.Publish(1),
                            new Step.DetachStandby(Side.SOURCE),
                            command(0, CommandKind.DEPOSIT, "dee", 11, 5),
                            new Step.Commit(Side.SOURCE, 1),
                            new Step.Publish(0),
                            new Step.CrashAt(Side.SOURCE, new Moment(CommitPoint.TOKEN_INITIALIZE, true)),
                            new Step.PassTime(Duration.ofSeconds(5)),
                            new Step.FailOver(Side.SOURCE),
                            new Step.DetachStandby(Side.SOURCE),
                            new Step.SetBreaker(true),
                            deposit(0, "fay", 19),
                            new Step.Publish(1),
                            command(0, CommandKind.DEPOSIT, "dee", 9, 2),
                            new Step.FailHandlers(1, true),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Handle(1),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Publish(0),
                            new Step.Commit(Side.SINK, 1))),
            Map.entry(
                    "two losses, and a replica that has read neither and accepts the restore",
                    List.of(
                            new Step.DetachStandby(Side.SOURCE),
                            deposit(1, "fay", 11),
                            deposit(0, "ann", 14),
                            deposit(0, "ann", 19),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Kill(Side.SOURCE, 0),
                            new Step.Handle(1),
                            new Step.Commit(Side.SOURCE, 1),
                            new Step.PassTime(Duration.ofSeconds(5)),
                            new Step.DetachStandby(Side.SOURCE),
                            deposit(0, "ann", 2),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Handle(1),
                            new Step.Commit(Side.SINK, 1),
                            new Step.FailOver(Side.SOURCE))),
            Map.entry(
                    "letters that a replica read late, and that were lost then",
                    List.of(
                            new Step.Replace(0, version("first without audit"), false),
                            command(0, CommandKind.TRANSFER, "fay", 6, 0),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(1),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 0),
                            command(0, CommandKind.TRANSFER, "fay", 17, 0),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.Publish(0),
                            new Step.Replace(0, version("next"), true),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 0),
                            new Step.CompleteAsync(6, false),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 0),
                            new Step.FailStore(StoreFaults.Kind.HANGS, 4),
                            new Step.DetachStandby(Side.SINK),
                            new Step.Handle(0),
                            new Step.FailOver(Side.SINK))),
            Map.entry(
                    "a lost registration, and the lost start of its reader",
                    List.of(
                            deposit(0, "ann", 16),
                            new Step.Commit(Side.SOURCE, 0),
                            new Step.DetachStandby(Side.SOURCE),
                            new Step.DetachStandby(Side.SINK),
                            new Step.Publish(0),
                            new Step.Handle(0),
                            new Step.Handle(0),
                            new Step.CompleteAsync(0, false),
                            new Step.Handle(0),
                            new Step.PassTime(Duration.ofSeconds(5)),
                            new Step.Commit(Side.SINK, 0),
                            new Step.Handle(0),
                            new Step.Commit(Side.SINK, 0),
                            new Step.FailOver(Side.SOURCE),
                            new Step.Handle(1),
                            new Step.FailOver(Side.SINK))));

    private static Step deposit(int replica, String account, int amount) {
        return command(replica, CommandKind.DEPOSIT, account, amount, 0);
    }

    private static Step command(int replica, CommandKind kind, String account, int amount, int idempotencyKey) {
        return new Step.SendCommand(replica, kind, account, account, amount, idempotencyKey);
    }

    private static SinkVersion version(String name) {
        return SinkVersion.BY_KIND.stream()
                .flatMap(List::stream)
                .filter(version -> version.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
