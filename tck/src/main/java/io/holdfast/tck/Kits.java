package io.holdfast.tck;

import java.util.List;

/** All contract kits. An adapter runs the kits of the ports that it implements; {@link KitGuard} enforces that. */
public final class Kits {

    /** The kits of the ports, and those of the engine that runs on them. */
    public static final List<Class<?>> ALL = List.of(
            // one class per line, in alphabetical order
            CommitStoreKit.class,
            CommitterFailureKit.class,
            CommitterKit.class,
            ConsumerGroupsKit.class,
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
            DeadLetterStoreKit.class,
            EventLogKit.class,
            IdempotencyGuardKit.class,
            KnownFailuresKit.class,
            OutboxStoreKit.class,
            SegmentCrashKit.class,
            SegmentMergingKit.class,
            SegmentPolicyKit.class,
            SegmentResettingKit.class,
            SegmentSplittingKit.class,
            SegmentsKit.class,
            SimulationKit.class,
            TokenStoreKit.class,
            UnitTransactionsKit.class,
            ViewStoreKit.class,
            WireKit.class);

    private Kits() {}
}
