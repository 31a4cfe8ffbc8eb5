package io.holdfast.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.wire.RecordSigning;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Configures a {@link HazelcastWire}. Not thread-safe. Each {@link #open} starts a new wire. */
public final class HazelcastWireBuilder {

    /** Number of records in the ringbuffer of each stream. */
    public static final int DEFAULT_RING_CAPACITY = 10_000;
    /** Number of copies on other members. */
    public static final int DEFAULT_BACKUPS = 1;

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);
    /** Port of an embedded member; with auto-increment, the first one to try. */
    public static final int DEFAULT_PORT = 5701;
    /** Hazelcast's own limit. */
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
    private MeterRegistry metrics = new CompositeMeterRegistry();

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

    /** Sets how many records of each stream the ringbuffer retains, unless the cluster has its own setting. */
    public HazelcastWireBuilder ringCapacity(int records) {
        this.ringCapacity = records;
        return this;
    }

    /** Sets on how many other members each record is backed up. */
    public HazelcastWireBuilder backups(int copies) {
        this.backups = copies;
        return this;
    }

    /** Sets how long to wait for the cluster, and for the response of another service. */
    public HazelcastWireBuilder timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    /** Sets the port of an embedded member. It searches for other members at this port and the next two. */
    public HazelcastWireBuilder port(int first) {
        this.port = first;
        return this;
    }

    /** Sets whether an embedded member uses the next free port if its own is in use; otherwise it fails to start. */
    public HazelcastWireBuilder portAutoIncrement(boolean autoIncrement) {
        this.portAutoIncrement = autoIncrement;
        return this;
    }

    /**
     * Sets whether each event is also published to a topic named after its type. For monitors; Holdfast never reads it.
     */
    public HazelcastWireBuilder mirrorToTopics(boolean mirror) {
        this.mirrored = mirror;
        return this;
    }

    /** Sets how published records are signed and received ones verified. */
    public HazelcastWireBuilder signing(RecordSigning records) {
        this.signing = records;
        return this;
    }

    /** Sets the registry of the wire's metrics. By default, they are not recorded. */
    public HazelcastWireBuilder metrics(MeterRegistry registry) {
        this.metrics = registry;
        return this;
    }

    /** Sets the observer that is called before and after every write. It may throw, to simulate a crash. */
    public HazelcastWireBuilder points(CommitPoint.Observer observer) {
        this.points = observer;
        return this;
    }

    /**
     * Starts the wire. A client connects in the background; an embedded member is up when this method returns.
     *
     * @throws PermanentException if Hazelcast does not support a setting
     */
    public HazelcastWire open() {
        boolean hasInvalidRings = ringCapacity < 1 || backups < 0 || backups > MAX_BACKUPS;
        if (hasInvalidRings || timeout.isNegative() || timeout.isZero()) {
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

    MeterRegistry metrics() {
        return metrics;
    }
}
