package io.holdfast.tck;

import io.holdfast.tck.deadletter.DeadLetterCacheKit;
import io.holdfast.tck.deadletter.DeadLetterChangesKit;
import io.holdfast.tck.deadletter.DeadLetterCommitKit;
import io.holdfast.tck.deadletter.DeadLetterCountsKit;
import io.holdfast.tck.deadletter.DeadLetterHandlingKit;
import io.holdfast.tck.deadletter.DeadLetterLimitsKit;
import io.holdfast.tck.deadletter.DeadLetterListingKit;
import io.holdfast.tck.deadletter.DeadLetterOrderKit;
import io.holdfast.tck.deadletter.DeadLetterOwnersKit;
import io.holdfast.tck.deadletter.DeadLetterParkingKit;
import io.holdfast.tck.deadletter.DeadLetterPolicyKit;
import io.holdfast.tck.deadletter.DeadLetterProcessingKit;
import io.holdfast.tck.deadletter.DeadLetterQueueKit;
import io.holdfast.tck.deadletter.DeadLetterReadsKit;
import io.holdfast.tck.deadletter.DeadLetterResetKit;
import io.holdfast.tck.deadletter.DeadLetterRoundTripKit;
import io.holdfast.tck.deadletter.DeadLetterSagasKit;
import io.holdfast.tck.deadletter.DeadLetterStoreKit;
import io.holdfast.tck.deadletter.EntryStoreKit;
import io.holdfast.tck.deadletter.GuardedAttemptsKit;
import io.holdfast.tck.deadletter.KnownFailuresKit;
import io.holdfast.tck.deadletter.LetterActionsKit;
import io.holdfast.tck.deadletter.LetterOutcomesKit;
import io.holdfast.tck.deadletter.MixedVersionsKit;
import io.holdfast.tck.deadletter.RecoveryFailuresKit;
import io.holdfast.tck.deadletter.RecoveryKit;
import io.holdfast.tck.deadletter.ResolvedEntriesKit;
import io.holdfast.tck.saga.OrchestrationActionsKit;
import io.holdfast.tck.saga.OrchestrationCrashKit;
import io.holdfast.tck.saga.OrchestrationFlowKit;
import io.holdfast.tck.saga.OrchestrationVersionsKit;
import io.holdfast.tck.saga.SagaBatchesKit;
import io.holdfast.tck.saga.SagaCancellationKit;
import io.holdfast.tck.saga.SagaCrashKit;
import io.holdfast.tck.saga.SagaMetricsKit;
import io.holdfast.tck.saga.SagaRemovedLettersKit;
import io.holdfast.tck.saga.SagaSimulationKit;
import io.holdfast.tck.saga.SagaStatisticsKit;
import io.holdfast.tck.saga.SagaSuspensionKit;
import io.holdfast.tck.saga.SagaTimeoutKit;
import io.holdfast.tck.saga.SagaTrackingKit;
import io.holdfast.tck.segment.SegmentCrashKit;
import io.holdfast.tck.segment.SegmentDefinitionKit;
import io.holdfast.tck.segment.SegmentMergingKit;
import io.holdfast.tck.segment.SegmentPolicyKit;
import io.holdfast.tck.segment.SegmentResettingKit;
import io.holdfast.tck.segment.SegmentSettlementKit;
import io.holdfast.tck.segment.SegmentSplittingKit;
import io.holdfast.tck.segment.SegmentsKit;
import io.holdfast.tck.simulation.SimulationKit;
import io.holdfast.tck.store.ActionStoreKit;
import io.holdfast.tck.store.AggregateVersionsKit;
import io.holdfast.tck.store.CommitStoreKit;
import io.holdfast.tck.store.CommitterConflictKit;
import io.holdfast.tck.store.CommitterFailureKit;
import io.holdfast.tck.store.CommitterKit;
import io.holdfast.tck.store.CommitterRepeatKit;
import io.holdfast.tck.store.ConsumerGroupsKit;
import io.holdfast.tck.store.DeadConnectionsKit;
import io.holdfast.tck.store.DeadlineFailuresKit;
import io.holdfast.tck.store.DeadlinesKit;
import io.holdfast.tck.store.DecisionRowsKit;
import io.holdfast.tck.store.EventLogKit;
import io.holdfast.tck.store.FailoverKit;
import io.holdfast.tck.store.ForeignTransactionsKit;
import io.holdfast.tck.store.IdempotencyGuardKit;
import io.holdfast.tck.store.KnownServicesKit;
import io.holdfast.tck.store.OperationRunnerKit;
import io.holdfast.tck.store.OutboxStoreKit;
import io.holdfast.tck.store.RowVersionsKit;
import io.holdfast.tck.store.StoredTextKit;
import io.holdfast.tck.store.TokenStoreKit;
import io.holdfast.tck.store.UnitTransactionsKit;
import io.holdfast.tck.store.ViewIndexKit;
import io.holdfast.tck.store.ViewStoreKit;
import io.holdfast.tck.wire.WireKit;
import io.holdfast.tck.wire.WireOperationsFailureKit;
import io.holdfast.tck.wire.WireOperationsKit;
import java.util.List;

/** All contract kits. An adapter runs the kits of the ports that it implements; {@link KitGuard} enforces that. */
public final class Kits {

    /** The kits of the ports, and those of the engine that runs on them. */
    public static final List<Class<?>> ALL = List.of(
            // one class per line, in alphabetical order
            ActionStoreKit.class,
            EntryStoreKit.class,
            ResolvedEntriesKit.class,
            AggregateVersionsKit.class,
            CommitStoreKit.class,
            CommitterConflictKit.class,
            CommitterFailureKit.class,
            CommitterKit.class,
            CommitterRepeatKit.class,
            ConsumerGroupsKit.class,
            DeadConnectionsKit.class,
            DeadLetterCacheKit.class,
            DeadLetterChangesKit.class,
            DeadLetterCommitKit.class,
            DeadLetterCountsKit.class,
            DeadLetterHandlingKit.class,
            DeadLetterLimitsKit.class,
            DeadLetterListingKit.class,
            DeadLetterOrderKit.class,
            DeadLetterOwnersKit.class,
            DeadLetterParkingKit.class,
            DeadLetterPolicyKit.class,
            DeadLetterProcessingKit.class,
            DeadLetterQueueKit.class,
            DeadLetterReadsKit.class,
            DeadLetterResetKit.class,
            DeadLetterRoundTripKit.class,
            DeadLetterSagasKit.class,
            DeadLetterStoreKit.class,
            DeadlineFailuresKit.class,
            DeadlinesKit.class,
            DecisionRowsKit.class,
            EventLogKit.class,
            FailoverKit.class,
            ForeignTransactionsKit.class,
            GuardedAttemptsKit.class,
            IdempotencyGuardKit.class,
            KnownFailuresKit.class,
            KnownServicesKit.class,
            LetterActionsKit.class,
            LetterOutcomesKit.class,
            MixedVersionsKit.class,
            OrchestrationActionsKit.class,
            OrchestrationCrashKit.class,
            OrchestrationFlowKit.class,
            OrchestrationVersionsKit.class,
            OperationRunnerKit.class,
            OutboxStoreKit.class,
            RecoveryFailuresKit.class,
            RecoveryKit.class,
            RowVersionsKit.class,
            SagaBatchesKit.class,
            SagaCancellationKit.class,
            SagaCrashKit.class,
            SagaMetricsKit.class,
            SagaRemovedLettersKit.class,
            SagaSimulationKit.class,
            SagaStatisticsKit.class,
            SagaSuspensionKit.class,
            SagaTimeoutKit.class,
            SagaTrackingKit.class,
            SegmentCrashKit.class,
            SegmentDefinitionKit.class,
            SegmentMergingKit.class,
            SegmentPolicyKit.class,
            SegmentResettingKit.class,
            SegmentSettlementKit.class,
            SegmentSplittingKit.class,
            SegmentsKit.class,
            SimulationKit.class,
            StoredTextKit.class,
            TokenStoreKit.class,
            UnitTransactionsKit.class,
            ViewIndexKit.class,
            ViewStoreKit.class,
            WireKit.class,
            WireOperationsFailureKit.class,
            WireOperationsKit.class);

    /** The kits of the wire, which no store runs. */
    public static final List<Class<?>> WIRE =
            List.of(WireKit.class, WireOperationsFailureKit.class, WireOperationsKit.class);

    /** The kits of sagas, which use the views, tokens and letters of a store, and add no port. */
    public static final List<Class<?>> SAGAS = List.of(
            OrchestrationActionsKit.class,
            OrchestrationCrashKit.class,
            OrchestrationFlowKit.class,
            OrchestrationVersionsKit.class,
            SagaBatchesKit.class,
            SagaCancellationKit.class,
            SagaCrashKit.class,
            SagaMetricsKit.class,
            SagaRemovedLettersKit.class,
            SagaSimulationKit.class,
            SagaStatisticsKit.class,
            SagaSuspensionKit.class,
            SagaTimeoutKit.class,
            SagaTrackingKit.class);

    private Kits() {}
}
