package io.holdfast.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import io.holdfast.commit.CommitPoint;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationServer;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireReader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link Wire} on Hazelcast: one ringbuffer per stream, and topics for requests, announcements and signals. It uses
 * only built-in operations and Compact records, so a stock member or a managed cluster is sufficient.
 *
 * <p>It can be opened while the cluster is unreachable, and connects automatically later. Thread-safe.
 */
public final class HazelcastWire implements Wire, AutoCloseable {

    private final Link link;
    private final CommitPoint.Observer points;
    private final RingPublisher publisher;
    private final RingReaders readers;
    private final Announcements announcements;
    private final RequestClient requestClient;
    private final RequestServer requestServer;
    private final Wakes wakes;
    private final OperationAsker asker;
    private final OperationListener listener;
    private final RejectedRecords rejected;

    HazelcastWire(HazelcastInstance instance, boolean owned, HazelcastWireBuilder settings) {
        this.link = new Link(instance, owned, settings.rings(), settings.timeout());
        this.points = settings.points();
        this.rejected = new RejectedRecords(settings.metrics());
        EventRecords records = new EventRecords(settings.signing(), rejected);
        OperationRecords operations = new OperationRecords(settings.signing(), rejected);
        Subscriptions subscriptions = new Subscriptions(link);
        this.announcements = new Announcements(link, subscriptions, System::nanoTime);
        this.publisher = new RingPublisher(link, records, settings.mirrored());
        this.readers = new RingReaders(link, records, announcements::notifyArrival);
        this.requestClient = new RequestClient(link, subscriptions, records, announcements);
        this.requestServer = new RequestServer(link, subscriptions, records);
        this.asker = new OperationAsker(link, subscriptions, operations, announcements);
        this.listener = new OperationListener(link, subscriptions, operations);
        this.wakes = new Wakes(link, subscriptions);
        link.start();
    }

    /** Starts an embedded member in this process. It joins members on this machine only. */
    public static HazelcastWireBuilder embedded(String cluster) {
        return HazelcastWireBuilder.embedded(cluster);
    }

    /** Starts a client of a shared cluster, which may still be down. */
    public static HazelcastWireBuilder client(String cluster, String... members) {
        return HazelcastWireBuilder.client(cluster, List.of(members));
    }

    /**
     * Uses an existing member or client, which stays open when the wire is closed. It needs no registered serializers.
     * A client should reconnect asynchronously and without a limit; otherwise calls block while it is offline, up to
     * the timeout. Do not <em>start</em> it asynchronously: such a client of Hazelcast 5.7 occasionally never
     * reconnects. The clients that {@link #client} starts avoid this defect.
     */
    public static HazelcastWireBuilder over(HazelcastInstance instance) {
        return HazelcastWireBuilder.over(instance);
    }

    /** @return whether the wire is connected and ready */
    public boolean isUp() {
        return link.isUp();
    }

    /** Returns the underlying member or client, for the service's other uses of Hazelcast. */
    public HazelcastInstance instance() {
        return link.instance();
    }

    /** Returns the number of records that were rejected, for their signature or because they are not Holdfast's. */
    public long rejectedRecords() {
        return rejected.count();
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
        return requestServer.serve(streams, server);
    }

    @Override
    public CompletableFuture<StreamPage> request(PageRequest request) {
        return requestClient.page(request);
    }

    @Override
    public CompletableFuture<StreamPosition> register(GroupRegistration registration) {
        return requestClient.register(registration);
    }

    @Override
    public void report(GroupReport report) {
        requestClient.report(report);
    }

    @Override
    public Registration serveOperations(String service, String replica, OperationServer server) {
        return listener.serve(service, replica, server);
    }

    @Override
    public CompletableFuture<String> ask(String replica, OperationRequest request, Duration timeout) {
        return asker.ask(replica, request, timeout);
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

    /** Closes all registrations, and the member or client if the wire started it. Idempotent. */
    @Override
    public void close() {
        requestServer.close();
        listener.close();
        link.close();
        asker.close(); // last, because closing the link drops the timeouts of pending requests
    }
}
