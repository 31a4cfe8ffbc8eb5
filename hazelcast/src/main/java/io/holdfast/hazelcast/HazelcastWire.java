package io.holdfast.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import io.holdfast.commit.CommitPoint;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireReader;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A wire on Hazelcast: a ring buffer per stream, topics for requests, announcements and signals. Against the cluster only
 * built-in operations and Compact records are used, so that a stock member or a managed cluster serves.
 *
 * <p>It may be opened while the cluster cannot be reached, and goes on by itself when it can. For any number of threads.
 */
public final class HazelcastWire implements Wire, AutoCloseable {

    private final Link link;
    private final CommitPoint.Observer points;
    private final RingPublisher publisher;
    private final RingReaders readers;
    private final Announcements announcements;
    private final RequestClient requests;
    private final RequestServer answers;
    private final Wakes wakes;
    private final EventRecords records;

    HazelcastWire(HazelcastInstance instance, boolean owned, HazelcastWireBuilder settings) {
        this.link = new Link(instance, owned, settings.rings(), settings.timeout());
        this.points = settings.points();
        this.records = new EventRecords(settings.signing());
        Subscriptions subscriptions = new Subscriptions(link);
        this.announcements = new Announcements(link, subscriptions, System::nanoTime);
        this.publisher = new RingPublisher(link, records, settings.mirrored());
        this.readers = new RingReaders(link, records, announcements::notifyArrival);
        this.requests = new RequestClient(link, subscriptions, records, announcements);
        this.answers = new RequestServer(link, subscriptions, records);
        this.wakes = new Wakes(link, subscriptions);
        link.start();
    }

    /** A member of its own in this process, which finds others on this machine only. */
    public static HazelcastWireBuilder embedded(String cluster) {
        return HazelcastWireBuilder.embedded(cluster);
    }

    /** A client of a shared cluster; it need not be there yet. */
    public static HazelcastWireBuilder client(String cluster, String... members) {
        return HazelcastWireBuilder.client(cluster, List.of(members));
    }

    /**
     * A member or client that exists, and stays when the wire is closed. Nothing need be registered with it. A client should
     * reconnect asynchronously and for ever, or calls block while it is offline, up to the timeout. It should not
     * be <em>started</em> asynchronously: such a client of Hazelcast 5.7 now and then never connects again. {@link #client} may.
     */
    public static HazelcastWireBuilder over(HazelcastInstance instance) {
        return HazelcastWireBuilder.over(instance);
    }

    /** Whether it is connected and ready. */
    public boolean isUp() {
        return link.isUp();
    }

    /** The member or client under it, for what a service does with it besides. */
    public HazelcastInstance instance() {
        return link.instance();
    }

    /** How many records were refused for their signature, or because they were not ours. */
    public long rejectedRecords() {
        return records.rejected();
    }

    @Override
    public void publish(List<EventMessage> events) {
        points.pass(CommitPoint.WIRE_PUBLISH, () -> publisher.publish(events));
    }

    @Override
    public WireReader reader(String stream) {
        return readers.open(stream);
    }

    @Override
    public void announce(Announcement announcement) {
        points.pass(CommitPoint.WIRE_ANNOUNCE, () -> announcements.announce(announcement));
    }

    @Override
    public Optional<StreamHead> head(String stream) {
        return announcements.head(stream);
    }

    @Override
    public List<Announcement> directory() {
        return announcements.directory();
    }

    @Override
    public Registration serve(Collection<String> streams, StreamServer server) {
        return answers.serve(streams, server);
    }

    @Override
    public CompletableFuture<StreamPage> request(PageRequest request) {
        return requests.page(request);
    }

    @Override
    public CompletableFuture<StreamPosition> register(GroupRegistration registration) {
        return requests.register(registration);
    }

    @Override
    public void report(GroupReport report) {
        requests.report(report);
    }

    @Override
    public Registration onArrival(Collection<String> streams, Runnable signal) {
        return announcements.onArrival(streams, signal);
    }

    @Override
    public void wake(String service) {
        wakes.wake(service);
    }

    @Override
    public Registration onWake(String service, Runnable signal) {
        return wakes.onWake(service, signal);
    }

    /** Ends everything that was registered, and the member or client unless it was there before. Again does nothing. */
    @Override
    public void close() {
        answers.close();
        link.close();
    }
}
