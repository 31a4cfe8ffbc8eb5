package io.holdfast.service;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateStates;
import io.holdfast.commit.CommitterSettings;
import io.holdfast.commit.CommitterStatistics;
import io.holdfast.commit.GroupCommitter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.AppendSignals;
import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.idempotency.IdempotentExecutor;
import io.holdfast.outbox.OutboxMetrics;
import io.holdfast.outbox.OutboxPublisher;
import io.holdfast.outbox.Retention;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.ProcessorStores;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.holdfast.view.ViewRows;
import io.holdfast.wire.LogStreamServer;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of one service: its committer, publisher and processors over a store and a wire, started and stopped
 * together.
 *
 * <pre>{@code
 * HoldfastService orders = HoldfastService.named("orders", store, wire)
 *         .owns("orders")
 *         .processor("fulfilment", processor -> processor.reads("stock").calls(confirmation))
 *         .start();
 * orders.commands().execute(Command.once(clock), ORDER, id, order -> order.create(…));
 * }</pre>
 */
public final class HoldfastService implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HoldfastService.class);

    /** How long a service that is closed waits for its handlers. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    private final EventLog eventLog;
    private final GroupCommitter committer;
    private final EventSourcingController commands;
    private final ViewRows views;
    private final OutboxPublisher publisher;
    private final Map<String, EventProcessor> processors;
    private final ServiceResilience resilience;
    private final IdempotentExecutor idempotentExecutor;
    private final HandlerThreads threads;
    private final DeadLetterStore deadLetters;
    private final HoldfastServiceBuilder builder;
    private boolean acceptsCommands;
    private boolean started;
    private boolean closed;
    private volatile boolean running;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final List<Wire.Registration> registrations = new ArrayList<>();

    HoldfastService(HoldfastServiceBuilder builder) {
        this.builder = builder;
        Store store = builder.store;
        PayloadCodec codec = builder.codec;
        this.eventLog = store.eventLog();
        AggregateStates states = new AggregateStates(eventLog, codec);
        this.committer = new GroupCommitter(
                CommitterSettings.of(builder.service).owning(builder.ownedStreams),
                store.commitStore(),
                eventLog,
                states,
                store.viewStore(),
                codec,
                builder.clock,
                builder.metrics);
        this.commands = new EventSourcingController(builder.service, committer, states, eventLog);
        this.views = new ViewRows(store.viewStore(), codec);
        this.publisher = new OutboxPublisher(
                eventLog,
                builder.appendSignals,
                store.outboxStore(),
                builder.wire,
                store.tokenStore(),
                committer,
                builder.replica,
                builder.clock,
                builder.outbox,
                new OutboxMetrics(builder.metrics, () -> committer.statistics().events()));
        this.resilience = ServiceResilience.of(builder.resilience, builder.metrics, builder.clock);
        this.idempotentExecutor =
                new IdempotentExecutor(store.idempotencyGuard(), builder.idempotency, builder.metrics);
        this.threads = new HandlerThreads(builder.service, builder.handlerThreads);
        this.processors = Collections.unmodifiableMap(builder.buildProcessors(
                new ProcessorStores(store.tokenStore(), store.deadLetterStore(), store.unitTransactions(), committer),
                resilience,
                threads));
        this.deadLetters = store.deadLetterStore();
    }

    /** @param service the name that its events carry as their source */
    public static HoldfastServiceBuilder named(String service, Store store, Wire wire) {
        return new HoldfastServiceBuilder(service, store, wire);
    }

    /**
     * Carries out commands from now on, and nothing else yet: what they append is published and handled after {@link #start}, which
     * does this too. For whoever must have commands carried out before it can start the service. Again does nothing.
     *
     * @throws PermanentException if it was closed before
     */
    public synchronized void acceptCommands() {
        if (closed) {
            throw new PermanentException("service " + builder.service + " was closed before; build another one");
        }
        if (!acceptsCommands) {
            acceptsCommands = true;
            committer.start();
        }
    }

    /**
     * Starts its threads. Until then states and views can be read, and commands wait, unless it {@linkplain #acceptCommands takes
     * them} already; a service that was closed stays closed.
     *
     * @throws PermanentException if it was started or closed before
     */
    public synchronized void start() {
        if (started || closed) {
            throw new PermanentException("service " + builder.service + " was " + (closed ? "closed" : "started")
                    + " before; build another one");
        }
        started = true;
        acceptCommands();
        Wire wire = builder.wire;
        StreamServer server = new LogStreamServer(eventLog, builder.store.consumerGroups());
        registrations.add(wire.serve(builder.ownedStreams, server));
        AppendSignals news = builder.appendSignals;
        committer.onAppend(news::appended);
        news.onLocalAppend(() -> wire.wake(builder.service));
        registrations.add(wire.onWake(builder.service, news::appendedElsewhere));
        workers.add(publisher.start(builder.service));
        news.onAppend(publisher::wake);
        processors.forEach((name, processor) -> {
            workers.add(processor.start());
            news.onAppend(builder.ownStreams(name), processor::wake);
            registrations.add(wire.onArrival(builder.remoteStreams(name), processor::wake));
        });
        workers.add(Worker.start("holdfast-idempotency-" + builder.service, idempotentExecutor::step));
        workers.add(builder.buildAnnouncer().start());
        builder.buildReports().forEach(reports -> workers.add(reports.start()));
        workers.add(new Retention(builder.store.outboxStore(), eventLog, builder.clock, builder.entryTtl)
                .start(builder.service));
        running = true;
    }

    /**
     * To be called when a transaction that wrote to the outbox has been committed: its entries are then published at once, and not
     * only when the publisher looks by itself. The Spring Boot starter does so, and so do handlers that keep rows.
     */
    public void outboxWritten() {
        builder.appendSignals.appended(Set.of());
    }

    /** The name that its events carry as their source. */
    public String name() {
        return builder.service;
    }

    /** Carries out commands and reads states and histories. */
    public EventSourcingController commands() {
        return commands;
    }

    /** Reads projections. */
    public ViewRows views() {
        return views;
    }

    public EventLog eventLog() {
        return eventLog;
    }

    /** All processors, by name. */
    public Map<String, EventProcessor> processors() {
        return processors;
    }

    /** @throws PermanentException if the service has no processor of that name */
    public EventProcessor processor(String name) {
        EventProcessor processor = processors.get(name);
        if (processor == null) {
            throw new PermanentException("there is no processor " + name + "; there are " + processors.keySet());
        }
        return processor;
    }

    /** Calls others with retry and circuit breakers. */
    public ResilientServiceInvoker resilience() {
        return resilience.invoker();
    }

    /** Does work once that has no position: topics, commands, a user's own. */
    public IdempotentExecutor idempotentExecutor() {
        return idempotentExecutor;
    }

    /**
     * What is parked for a component.
     *
     * @throws PermanentException if there is no such processor or component
     */
    public SequencedDeadLetterQueue deadLetterQueue(String processor, String component) {
        return processor(processor).deadLetterQueue(component);
    }

    /**
     * Processes what is parked for a component again.
     *
     * @throws PermanentException if there is no such processor or component
     */
    public SequencedDeadLetterProcessor deadLetterProcessor(String processor, String component) {
        return processor(processor).deadLetterProcessor(component);
    }

    /** What could not be handled, of all components. */
    public DeadLetterStore deadLetters() {
        return deadLetters;
    }

    public OutboxPublisher publisher() {
        return publisher;
    }

    public CommitterStatistics committerStatistics() {
        return committer.statistics();
    }

    /** Whether it was started, is not closed, and none of its threads has ended by an error. Cheap. */
    public boolean isRunning() {
        return running && committer.isRunning() && workers.stream().noneMatch(Worker::isTerminated);
    }

    /**
     * Ends the running steps, commits what waits, gives leases back; from then on commands are refused. Again does nothing. Takes
     * no longer than {@link ServiceShutdown#SHUTDOWN_GRACE} more than its handlers, whatever stands still.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (running) { // who was not started wholly has processors that never come to rest
            running = false;
            drain();
        }
        workers.forEach(Worker::shutdown); // all at once: each may be waiting for the store
        List<AutoCloseable> parts = new ArrayList<>(registrations);
        parts.addAll(workers);
        parts.add(threads);
        parts.add(committer);
        processors.values().forEach(processor -> parts.add(processor::release));
        parts.add(publisher::release);
        ServiceShutdown.run(builder.service, parts, ServiceShutdown.SHUTDOWN_GRACE);
    }

    /** What is being handled is brought to an end, if that does not take too long, and is not handled again elsewhere. */
    private void drain() {
        CompletableFuture<?>[] ends =
                processors.values().stream().map(EventProcessor::drain).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(ends)
                    .orTimeout(DRAIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            log.warn(
                    "Handlers have not ended within {}; their events are handled again by whoever is next",
                    DRAIN_TIMEOUT);
        }
    }
}
