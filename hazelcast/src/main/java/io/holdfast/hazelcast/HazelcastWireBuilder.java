package io.holdfast.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.wire.RecordSigning;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** How a {@link HazelcastWire} is to be. For one thread; each {@link #open} starts another one. */
public final class HazelcastWireBuilder {

    /** Records that are kept of each stream. */
    public static final int DEFAULT_RING_CAPACITY = 10_000;
    /** Copies on other members. */
    public static final int DEFAULT_BACKUPS = 1;

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);
    /** Where an embedded member listens, or above. */
    public static final int DEFAULT_PORT = 5701;
    /** Hazelcast keeps no more. */
    private static final int MAX_BACKUPS = 6;

    private final Function<HazelcastWireBuilder, HazelcastInstance> instance;
    private final boolean owned;
    private int ringCapacity = DEFAULT_RING_CAPACITY;
    private int backups = DEFAULT_BACKUPS;
    private Duration timeout = DEFAULT_TIMEOUT;
    private int port = DEFAULT_PORT;
    private boolean portAutoIncrement = true;
    private boolean mirrored;
    private CommitPoint.Observer points = CommitPoint.Observer.NONE;
    private RecordSigning signing = RecordSigning.OFF;

    private HazelcastWireBuilder(Function<HazelcastWireBuilder, HazelcastInstance> instance, boolean owned) {
        this.instance = instance;
        this.owned = owned;
    }

    static HazelcastWireBuilder embedded(String cluster) {
        return new HazelcastWireBuilder(
                settings -> HazelcastInstances.startMember(cluster, settings.port, settings.portAutoIncrement), true);
    }

    static HazelcastWireBuilder client(String cluster, List<String> members) {
        return new HazelcastWireBuilder(settings -> HazelcastInstances.client(cluster, members), true);
    }

    static HazelcastWireBuilder over(HazelcastInstance instance) {
        return new HazelcastWireBuilder(settings -> instance, false);
    }

    /** How many records of each stream are kept, unless the cluster has its own setting for it. */
    public HazelcastWireBuilder ringCapacity(int records) {
        this.ringCapacity = records;
        return this;
    }

    /** On how many other members each record is kept too. */
    public HazelcastWireBuilder backups(int copies) {
        this.backups = copies;
        return this;
    }

    /** How long to wait for the cluster, and for the answer of another service. */
    public HazelcastWireBuilder timeout(Duration longest) {
        this.timeout = longest;
        return this;
    }

    /** Where an embedded member listens; others of its cluster are looked for there and at the next two. */
    public HazelcastWireBuilder port(int first) {
        this.port = first;
        return this;
    }

    /** Whether an embedded member takes the next free port if its own is taken; else it fails to start. */
    public HazelcastWireBuilder portAutoIncrement(boolean next) {
        this.portAutoIncrement = next;
        return this;
    }

    /** Publishes each event to the topic named after its type too, for monitors. Nothing here reads it. */
    public HazelcastWireBuilder mirrorToTopics(boolean mirror) {
        this.mirrored = mirror;
        return this;
    }

    /** Signs what is published and looks at the signatures of what comes. */
    public HazelcastWireBuilder signing(RecordSigning records) {
        this.signing = records;
        return this;
    }

    /** Told before and after everything that is written; it may throw, to simulate a crash. */
    public HazelcastWireBuilder points(CommitPoint.Observer observer) {
        this.points = observer;
        return this;
    }

    /**
     * Starts it. A client connects in the background; a member is up when this returns.
     *
     * @throws PermanentException if a setting is none that Hazelcast takes
     */
    public HazelcastWire open() {
        boolean hasWrongRings = ringCapacity < 1 || backups < 0 || backups > MAX_BACKUPS;
        if (hasWrongRings || timeout.isNegative() || timeout.isZero()) {
            throw new PermanentException("the wire needs a ring capacity of 1 or more, backups from 0 to "
                    + MAX_BACKUPS + " and a timeout above 0, but has " + ringCapacity + ", " + backups
                    + " and " + timeout);
        }
        return new HazelcastWire(instance.apply(this), owned, this);
    }

    RingSettings rings() {
        return new RingSettings(ringCapacity, backups);
    }

    Duration timeout() {
        return timeout;
    }

    boolean mirrored() {
        return mirrored;
    }

    CommitPoint.Observer points() {
        return points;
    }

    RecordSigning signing() {
        return signing;
    }
}
