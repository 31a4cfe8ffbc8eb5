package io.holdfast.tck;

import java.util.List;

/** All contract kits. An adapter runs those of the ports that it implements, and {@link KitGuard} sees to it. */
public final class Kits {

    /** One per port, and those of the engine above them. */
    public static final List<Class<?>> ALL = List.of(
            // One class per line, in the order of their names.
            CommitStoreKit.class,
            CommitterFailureKit.class,
            CommitterKit.class,
            ConsumerGroupsKit.class,
            DeadLetterCacheKit.class,
            DeadLetterChangesKit.class,
            DeadLetterCommitKit.class,
            DeadLetterCountsKit.class,
            DeadLetterPolicyKit.class,
            DeadLetterHandlingKit.class,
            DeadLetterLimitsKit.class,
            DeadLetterListingKit.class,
            DeadLetterOwnersKit.class,
            DeadLetterParkingKit.class,
            DeadLetterProcessingKit.class,
            DeadLetterQueueKit.class,
            DeadLetterReadsKit.class,
            DeadLetterResetKit.class,
            DeadLetterRoundTripKit.class,
            DeadLetterStoreKit.class,
            DeadLetterOrderKit.class,
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
