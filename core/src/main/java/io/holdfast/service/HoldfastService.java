package io.holdfast.service;

import io.holdfast.PermanentException;
import io.holdfast.action.Action;
import io.holdfast.action.ActionStore;
import io.holdfast.action.LetterItem;
import io.holdfast.action.OperationHandler;
import io.holdfast.action.Receipt;
import io.holdfast.action.Staging;
import io.holdfast.action.execution.OpenItems;
import io.holdfast.action.execution.OperationRunner;
import io.holdfast.commit.CommitterStatistics;
import io.holdfast.commit.group.CommitEngine;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.failover.witness.TailRecovery;
import io.holdfast.idempotency.IdempotentExecutor;
import io.holdfast.outbox.publishing.OutboxMetrics;
import io.holdfast.outbox.publishing.OutboxPublisher;
import io.holdfast.outbox.publishing.Retention;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaView;
import io.holdfast.saga.UsualDurations;
import io.holdfast.saga.orchestration.SagaActions;
import io.holdfast.saga.orchestration.SagaAwaits;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaOrchestrations;
import io.holdfast.saga.orchestration.SagaOrchestrator;
import io.holdfast.saga.statistics.SagaStatistics;
import io.holdfast.saga.tracking.LetterQuestion;
import io.holdfast.view.ViewRows;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.KnownService;
import io.holdfast.wire.OperationDispatcher;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import io.holdfast.wire.source.AppendSignals;
import io.holdfast.wire.source.LogStreamServer;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of a service: starts and stops its committer, publisher and processors on top of a store and a wire.
 * Thread-safe.
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

    /** Maximum time that {@link #close} waits for running handlers. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    private final EventLog eventLog;
    private final TailRecovery tail;
    private final GroupCommitter committer;
    private final EventSourcingController commands;
    private final ViewRows views;
    private final OutboxPublisher publisher;
    private final Map<String, EventProcessor> processors;
    private final ServiceResilience resilience;
    private final IdempotentExecutor idempotentExecutor;
    private final HandlerThreads threads;
    private final DeadLetterStore deadLetters;
    private final ActionStore actions;
    private final OperationRunner operationRunner;
    private final EntryStore entries;
    private final ServiceDeadlines deadlines;
    private final SagaStateStore sagaStates;
    private final SagaOrchestrations orchestrations;
    private final SagaAwaits sagaAwaits;
    private final SagaOrchestrator sagas;
    private final SagaActions sagaActions;
    private final Optional<SagaStatistics> sagaStatistics;
    private final SeenServices seenServices;
    private final OperationDispatcher operations = new OperationDispatcher();
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
        CommitEngine engine = commitEngine(builder);
        this.tail = engine.tail();
        this.eventLog = engine.eventLog();
        this.committer = engine.committer();
        this.commands = new EventSourcingController(
                builder.service, committer, engine.states(), eventLog, builder.commandTimeout);
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
                new OutboxMetrics(builder.metrics, () -> committer.statistics().events()),
                tail);
        this.resilience = ServiceResilience.of(builder.resilience, builder.metrics, builder.clock);
        this.idempotentExecutor =
                new IdempotentExecutor(store.idempotencyGuard(), builder.idempotency, builder.metrics);
        this.threads = new HandlerThreads(builder.service, builder.effectiveHandlerThreads(), builder.metrics);
        this.actions = store.actionStore();
        OpenItems openItems =
                new OpenItems(actions, builder.clock, builder.replica, builder.receiptTtl, builder.resolvedEntryTtl);
        this.operationRunner = new OperationRunner(actions, openItems, builder.clock, builder.replica);
        this.processors = Collections.unmodifiableMap(builder.buildProcessors(
                eventLog,
                new ProcessorStores(
                        store.tokenStore(),
                        store.deadLetterStore(),
                        store.actionStore(),
                        store.unitTransactions(),
                        committer),
                openItems,
                resilience,
                threads));
        processors.values().forEach(processor -> tail.onLoss(processor::reload));
        this.deadLetters = store.deadLetterStore();
        this.entries = store.entryStore();
        this.sagaStates = new SagaStateStore(store.viewStore(), codec);
        this.deadlines = new ServiceDeadlines(builder, committer, sagaStates);
        this.orchestrations = builder.requireOrchestrations();
        this.sagaAwaits = new SagaAwaits(sagaStates);
        committer.onRows(SagaView.of(builder.sagaSettings), sagaAwaits::changed);
        this.sagas = new SagaOrchestrator(commands, orchestrations, sagaAwaits);
        this.sagaActions =
                new SagaActions(commands, orchestrations, builder.choreographies, builder.sagaSettings, sagaStates);
        this.sagaStatistics = builder.sagaStatistics(committer);
        this.seenServices = new SeenServices(builder.wire, store.knownServices(), builder.clock, builder.metrics);
    }

    private static CommitEngine commitEngine(HoldfastServiceBuilder builder) {
        Store store = builder.store;
        return CommitEngine.of(
                CommitterSettings.of(builder.service)
                        .owning(builder.ownedStreams)
                        .stallTimeout(builder.stallTimeout),
                store.commitStore(),
                store.eventLog(),
                store.viewStore(),
                builder.codec,
                builder.clock,
                builder.metrics);
    }

    /** @param service the service's name, which its events carry as their source */
    public static HoldfastServiceBuilder named(String service, Store store, Wire wire) {
        return new HoldfastServiceBuilder(service, store, wire);
    }

    /**
     * Starts executing commands, and nothing else: their events are published and handled after {@link #start}, which
     * also calls this method. Use it if commands must be executed before the service can start. A repeated call does
     * nothing.
     *
     * @throws PermanentException if the service is closed
     */
    public synchronized void acceptCommands() {
        if (closed) {
            throw new PermanentException("service " + builder.service + " was already closed; build a new one");
        }
        if (!acceptsCommands) {
            processors.values().forEach(EventProcessor::register); // before the first event of a new type
            deadlines.adjustClock();
            acceptsCommands = true;
            committer.start();
        }
    }

    /**
     * Starts the service's threads. Before that, states and views can be read, but commands wait unless
     * {@link #acceptCommands} was called. A closed service cannot be restarted.
     *
     * @throws PermanentException if the service was already started or closed
     */
    public synchronized void start() {
        if (started || closed) {
            throw new PermanentException("service " + builder.service + " was already "
                    + (closed ? "closed" : "started") + "; build a new one");
        }
        started = true;
        ConnectionCheck.of(builder).ifPresent(log::warn);
        orchestrations.requireStepsOfRunningSagas();
        acceptCommands();
        Wire wire = builder.wire;
        StreamServer server = new LogStreamServer(eventLog, builder.store.consumerGroups());
        registrations.add(wire.serve(builder.ownedStreams, server));
        registrations.add(
                operations.register(LetterQuestion.OPERATION, request -> LetterQuestion.answer(request, deadLetters)));
        registrations.add(wire.serveOperations(builder.service, builder.replica, operations));
        AppendSignals signals = builder.appendSignals;
        committer.onAppend(signals::appended);
        signals.onLocalAppend(() -> wire.wake(builder.service));
        registrations.add(wire.onWake(builder.service, signals::appendedElsewhere));
        workers.add(publisher.start(builder.service));
        signals.onAppend(publisher::wake);
        processors.forEach((name, processor) -> {
            workers.add(processor.start());
            signals.onAppend(builder.ownStreams(name), processor::wake);
            registrations.add(wire.onArrival(builder.remoteStreams(name), processor::wake));
        });
        workers.add(Worker.start("holdfast-idempotency-" + builder.service, idempotentExecutor::step));
        workers.add(operationRunner.start(builder.service));
        workers.add(tail.start());
        workers.add(deadlines.start());
        if (!orchestrations.definitions().isEmpty()) {
            workers.add(sagaAwaits.start(builder.service));
        }
        sagaStatistics.ifPresent(statistics -> workers.add(statistics.start()));
        workers.add(builder.buildAnnouncer().start());
        workers.add(seenServices.start(builder.service));
        builder.buildReports(eventLog).forEach(reports -> workers.add(reports.start()));
        workers.add(new Retention(builder.store.outboxStore(), eventLog, builder.clock, builder.entryTtl)
                .start(builder.service));
        running = true;
    }

    /**
     * Wakes the publisher after a transaction that wrote to the outbox has committed. Without this call, its entries
     * wait for the publisher's next poll. The Spring Boot starter calls it, and so do handlers that write application
     * rows.
     */
    public void outboxWritten() {
        builder.appendSignals.appended(Set.of());
    }

    /** Returns the service's name, which its events carry as their source. */
    public String name() {
        return builder.service;
    }

    /** Returns the name under which this replica claims leases and announces itself. */
    public String replica() {
        return builder.replica;
    }

    /** Returns the wire to the other services, and their directory. */
    public Wire wire() {
        return builder.wire;
    }

    /**
     * Returns the services that were seen on the wire in the last 30 days, ordered by name, also those that are silent
     * now. Cheap, without any call to the store.
     */
    public List<KnownService> knownServices() {
        return seenServices.all();
    }

    /**
     * Forgets a service that no longer exists. If it is live, it is soon known again.
     *
     * @return false if it is not known
     */
    public boolean forgetService(String service) {
        return seenServices.forget(service);
    }

    /** Returns the streams that this service owns, with or without events. */
    public Set<String> ownedStreams() {
        return Collections.unmodifiableSet(builder.ownedStreams);
    }

    /** Returns the consumer groups of the streams that this service owns. */
    public ConsumerGroups consumerGroups() {
        return builder.store.consumerGroups();
    }

    /** Executes commands, and reads states and histories. */
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

    /** Returns all processors by name. */
    public Map<String, EventProcessor> processors() {
        return processors;
    }

    /** @throws PermanentException if the service has no processor with this name */
    public EventProcessor processor(String name) {
        EventProcessor processor = processors.get(name);
        if (processor == null) {
            throw new PermanentException("service " + builder.service + " has no processor " + name
                    + "; its processors are " + processors.keySet());
        }
        return processor;
    }

    /** Calls other systems with retry and circuit breakers. */
    public ResilientServiceInvoker resilience() {
        return resilience.invoker();
    }

    /** Runs work that has no position idempotently: topic listeners, commands, application code. */
    public IdempotentExecutor idempotentExecutor() {
        return idempotentExecutor;
    }

    /**
     * Returns the dead-letter queue of a component.
     *
     * @throws PermanentException if there is no such processor or component
     */
    public SequencedDeadLetterQueue deadLetterQueue(String processor, String component) {
        return processor(processor).deadLetterQueue(component);
    }

    /**
     * Returns the processor that replays a component's parked letters.
     *
     * @throws PermanentException if there is no such processor or component
     */
    public SequencedDeadLetterProcessor deadLetterProcessor(String processor, String component) {
        return processor(processor).deadLetterProcessor(component);
    }

    /** Returns the parked letters of all components. */
    public DeadLetterStore deadLetters() {
        return deadLetters;
    }

    /** Returns the actions of operators, with their receipts. */
    public ActionStore actions() {
        return actions;
    }

    /**
     * Sets what runs the operations of a kind on this replica, for example a pause. Without a handler, other replicas of
     * the service run them.
     */
    public void handleOperations(Action.Kind kind, OperationHandler handler) {
        operationRunner.register(kind, handler);
    }

    /**
     * Stages an action of operations or letters of this service, which starts soon. It also runs if this replica dies right
     * after. Idempotent by the action's id.
     *
     * @throws io.holdfast.RetryableException if the store is unavailable; the action may have been staged
     */
    public Staging stage(Action action) {
        Staging staging = operationRunner.stage(action);
        action.items().stream()
                .flatMap(item -> item instanceof LetterItem letter ? Stream.of(letter.consumer()) : Stream.empty())
                .distinct()
                .flatMap(consumer -> Stream.ofNullable(processors.get(consumer)))
                .forEach(EventProcessor::wake);
        return staging;
    }

    /**
     * Returns the receipt of an action, once it is done, or as it is after the timeout. Fails with a
     * {@link io.holdfast.RetryableException} if there is no such action.
     */
    public CompletableFuture<Receipt> awaitReceipt(String action, Duration timeout) {
        return operationRunner.await(action, timeout);
    }

    /** Returns the entries that operators see: parked and resolved letters of all components. */
    public EntryStore entries() {
        return entries;
    }

    /** Starts the orchestrated sagas of this service. */
    public SagaOrchestrator sagas() {
        return sagas;
    }

    /** Lets operators decide about sagas. */
    public SagaActions sagaActions() {
        return sagaActions;
    }

    /** Returns why orchestrated sagas may not progress, for example because no service owns a stream of replies. */
    public List<String> sagaProblems() {
        return orchestrations.problems();
    }

    /** Reads the sagas that this service tracks or runs. */
    public SagaStateStore sagaStates() {
        return sagaStates;
    }

    /** Returns the definitions of the orchestrated sagas that this service runs. */
    public List<SagaDefinition<?>> sagaDefinitions() {
        return orchestrations.definitions();
    }

    /** Returns how long sagas usually await each of their events, as it was known about ten seconds ago. */
    public UsualDurations usualDurations() {
        return sagaStatistics.map(SagaStatistics::usual).orElse(UsualDurations.NONE);
    }

    /** Returns how sagas time out, and how long they are kept. */
    public SagaSettings sagaSettings() {
        return builder.sagaSettings;
    }

    /** Returns the declared types of choreographed sagas. */
    public Choreographies sagaTypes() {
        return builder.choreographies;
    }

    /**
     * Returns the operations that other services may ask this replica for, over the wire. A replica that lacks one
     * replies so at once.
     */
    public OperationDispatcher operations() {
        return operations;
    }

    public OutboxPublisher publisher() {
        return publisher;
    }

    public CommitterStatistics committerStatistics() {
        return committer.statistics();
    }

    /**
     * Returns whether the service is started, not closed, none of its threads was terminated by an error, and its
     * committer makes progress. If not, {@link #outage} returns the reason. Cheap.
     */
    public boolean isRunning() {
        return outage().isEmpty();
    }

    /** Returns why the service cannot execute commands now; empty if it can. Cheap, without any call to the store. */
    public Optional<String> outage() {
        boolean threadsRun =
                running && committer.isRunning() && workers.stream().noneMatch(Worker::isTerminated);
        return threadsRun
                ? committer.problem()
                : Optional.of("its threads are not running: not started yet, closed, or stopped by an error");
    }

    /** Returns why this replica makes no progress: the {@link #outage}, and the problems of all processors. */
    public List<String> problems() {
        return Stream.concat(
                        outage().stream(),
                        Stream.concat(
                                processors.values().stream()
                                        .flatMap(processor -> processor.status().problems().stream()),
                                orchestrations.problems().stream()))
                .distinct()
                .toList();
    }

    /**
     * Waits for running handlers, commits waiting units and releases all leases. Later commands are rejected. A
     * repeated call does nothing. Returns at most {@link ServiceShutdown#SHUTDOWN_GRACE} after the handlers, even if
     * the store or wire hangs.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (running) { // processors of a service that was not fully started would never finish draining
            running = false;
            drain();
        }
        sagaStatistics.ifPresent(SagaStatistics::merge);
        workers.forEach(Worker::shutdown); // signal all before waiting for any: each may be waiting for the store
        List<AutoCloseable> parts = new ArrayList<>(registrations);
        parts.addAll(workers);
        parts.add(threads);
        parts.add(orchestrations);
        parts.add(committer);
        processors.values().forEach(processor -> parts.add(processor::release));
        parts.add(publisher::release);
        parts.add(deadlines::release);
        ServiceShutdown.run(builder.service, parts, ServiceShutdown.SHUTDOWN_GRACE);
    }

    /**
     * Lets running handlers finish and commit within a timeout, so that no other replica handles their events again.
     */
    private void drain() {
        CompletableFuture<?>[] drained =
                processors.values().stream().map(EventProcessor::drain).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(drained)
                    .orTimeout(DRAIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            log.warn(
                    "Handlers are still running after {}; the next owner of their segments handles their events again",
                    DRAIN_TIMEOUT);
        }
    }
}
