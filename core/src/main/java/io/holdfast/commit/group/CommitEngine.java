package io.holdfast.commit.group;

import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.CommitStore;
import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.failover.witness.LogWitness;
import io.holdfast.failover.witness.TailRecovery;
import io.holdfast.failover.witness.WitnessedEventLog;
import io.holdfast.view.ViewStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;

/**
 * The committer of one replica and what it decides on. All parts share one witness of what this replica has seen.
 *
 * @param tail checks that the log has not lost its tail
 * @param eventLog the log; every event that is read from it counts as seen
 * @param states the cached states of aggregates
 */
public record CommitEngine(TailRecovery tail, EventLog eventLog, AggregateStates states, GroupCommitter committer) {

    public static CommitEngine of(
            CommitterSettings settings,
            CommitStore commitStore,
            EventLog eventLog,
            ViewStore views,
            PayloadCodec codec,
            Clock clock,
            MeterRegistry metrics) {
        LogWitness witness = new LogWitness();
        TailRecovery tail = new TailRecovery(settings.service(), commitStore, witness);
        EventLog witnessed = new WitnessedEventLog(eventLog, witness);
        AggregateStates states = new AggregateStates(witnessed, codec);
        GroupCommitter committer =
                new GroupCommitter(settings, commitStore, tail, witnessed, states, views, codec, clock, metrics);
        return new CommitEngine(tail, witnessed, states, committer);
    }
}
