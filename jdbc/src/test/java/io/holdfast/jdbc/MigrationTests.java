package io.holdfast.jdbc;

import static io.holdfast.jdbc.CountingConsumer.COUNTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.eventsourcing.Command;
import io.holdfast.idempotency.ClaimResult;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.outbox.OutboxEntry;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Mark;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Token;
import io.holdfast.token.TokenStore;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewRows;
import io.holdfast.wire.ConsumerGroup;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Opening a store migrates its schema, from any earlier version and concurrently with other replicas. */
class MigrationTests {

    private static final UUID LOG = UUID.fromString("11111111-1111-7111-8111-111111111111");

    private static final SequenceId PARKED = new SequenceId("bank/billing/mail", "accounts/a");

    private final Path folder;

    MigrationTests(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void reopeningKeepsExistingData(Dialect dialect) {
        String url = url(dialect);
        try (Bank first = Bank.open(url)) {
            first.controller().execute(Command.keyed("a", "1"), Accounts.deposit("a", 5));
        }

        try (Bank second = Bank.open(url)) {
            assertThat(second.controller().state(Accounts.ACCOUNT, "a").amount())
                    .isEqualTo(5);
        }
    }

    /** Opens two stores in one process, each with a pool of its own. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void twoStoresOpenAnEmptyDatabaseConcurrently(Dialect dialect) throws Exception {
        for (int round = 0; round < 5; round++) {
            String url = url(dialect);
            CyclicBarrier start = new CyclicBarrier(2);

            List<UUID> both = inTwoThreads(() -> {
                start.await(30, TimeUnit.SECONDS);
                try (Bank bank = Bank.open(url)) {
                    start.await(60, TimeUnit.SECONDS);
                    return bank.store().eventLog().identity().id();
                }
            });

            assertThat(both.get(0)).isEqualTo(both.get(1));
        }
    }

    /** The lock between the stores of one process does not exist between processes. */
    @Test
    void twoReplicasMigrateAnEmptyDatabaseConcurrently() throws Exception {
        for (int round = 0; round < 5; round++) {
            String url = PostgresqlServer.sharedDurable().newDatabase();
            CyclicBarrier start = new CyclicBarrier(2);

            inTwoThreads(() -> {
                PGSimpleDataSource dataSource = new PGSimpleDataSource();
                dataSource.setUrl(url);
                start.await(30, TimeUnit.SECONDS);
                Migrations.migrate(dataSource, Dialect.POSTGRESQL);
                return url;
            });
        }
    }

    private static <T> List<T> inTwoThreads(Callable<T> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<T> first = threads.submit(work);
            Future<T> second = threads.submit(work);
            return List.of(first.get(90, TimeUnit.SECONDS), second.get(90, TimeUnit.SECONDS));
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void readsAndWritesADatabaseOfVersion1(Dialect dialect) throws Exception {
        String url = url(dialect);
        load(url, "fixtures/v1-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql");

        try (Bank bank = Bank.open(url)) {
            checkEvents(bank.store());
            checkRowsAndTokens(bank.store());
            checkGuard(bank.store().idempotencyGuard());
            assertThat(bank.store().eventLog().epochs()).containsExactly(new Epoch(1, 0));
            assertThat(bank.store().consumerGroups().findAll()).isEmpty();
            assertThatThrownBy(() -> JdbcStore.in("kit", bank.dataSource()).open())
                    .as("the log belongs to the service whose events are in it")
                    .isInstanceOf(PermanentException.class)
                    .hasMessageStartingWith("the tables of this database belong to service bank");

            bank.controller().execute(Command.keyed("a", "1"), Accounts.transfer("a", "b", 70));
            assertThat(LogAudit.of(bank.store()).balance("b")).isEqualTo(100);
            checkOutbox(bank);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void readsAndWritesADatabaseOfVersion2(Dialect dialect) throws Exception {
        String url = url(dialect);
        load(url, "fixtures/v2-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql");

        try (Bank bank = Bank.open(url)) {
            Store store = bank.store();
            checkEvents(store.eventLog());
            checkGroups(store);
            checkOutbox(store);
            checkMigratedToken(store);
            assertThat(store.commitStore().raiseEpoch()).isEqualTo(new Epoch(3, 6));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void readsAndWritesADatabaseOfVersion3(Dialect dialect) throws Exception {
        readsAndWritesSegmentsAndLetters(dialect, "v3");
    }

    /** The last version before the columns were renamed. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void readsAndWritesADatabaseOfVersion5(Dialect dialect) throws Exception {
        readsAndWritesSegmentsAndLetters(dialect, "v5");
    }

    private void readsAndWritesSegmentsAndLetters(Dialect dialect, String version) throws Exception {
        String url = url(dialect);
        load(url, "fixtures/" + version + "-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql");

        try (Bank bank = Bank.open(url)) {
            Store store = bank.store();
            checkEvents(store.eventLog());
            checkGroups(store);
            checkOutbox(store);
            checkMigratedToken(store);
            checkSegments(store.tokenStore());
            checkLetters(store.deadLetterStore());

            StreamPosition start = new StreamPosition(new LogIdentity(LOG, 2), 1, id(1));
            assertThat(store.tokenStore().reset("billing", 2, Map.of("accounts", start)))
                    .isTrue();
            assertThat(store.deadLetterStore().findLetters(PARKED, 0, 10))
                    .extracting(DeadLetter::number)
                    .containsExactly(1L);
            assertThat(store.deadLetterStore().counts(PARKED.component()))
                    .isEqualTo(new QueueCounts(1, 0, 1, 0, 0, 0, 0));
        }
    }

    /** A consumer with a single segment gets a segment that covers everything. */
    private static void checkMigratedToken(Store store) {
        Token token = store.tokenStore().find(CountingConsumer.SEGMENT).orElseThrow();
        assertThat(token).isEqualTo(new Token(token.segment(), 4, token.positions(), Set.of(), SegmentSetup.WHOLE));
        assertThat(token.positions()).containsOnlyKeys(Accounts.STREAM);
    }

    private static void checkSegments(TokenStore tokens) {
        List<ClaimedToken> billing = tokens.findAll("billing");
        assertThat(billing).extracting(ClaimedToken::fence).containsExactly(2L, 0L);
        assertThat(billing.get(0).token().marks())
                .containsExactly(new Mark(
                        "accounts", 3, UUID.fromString("33333333-3333-7333-8333-333333333333"), "bank/billing/mail"));
        assertThat(billing.get(0).token().setup())
                .isEqualTo(new SegmentSetup(
                        1,
                        2,
                        "key:1",
                        Map.of(
                                "bank/billing/mail",
                                Map.of("accounts", StreamPosition.beginning(new LogIdentity(LOG, 1)))),
                        Map.of(),
                        true));
        assertThat(billing.get(1).token().setup())
                .isEqualTo(new SegmentSetup(1, 2, "key:1", Map.of(), Map.of(), false));
        assertThat(tokens.renewReplica("billing", "new", Duration.ofMinutes(1), ProcessorDefinition.EMPTY))
                .containsOnlyKeys("there", "new");
    }

    private static void checkLetters(DeadLetterStore letters) {
        assertThat(StoredSequences.findBySegment(letters, "billing", 1, 1))
                .containsExactly(new ParkedSequence(
                        PARKED,
                        "billing",
                        -7,
                        1,
                        2,
                        2,
                        SequenceState.HELD,
                        2,
                        Instant.parse("2026-01-01T10:01:00.5Z"),
                        Instant.parse("2026-01-01T10:00:08Z"),
                        "mail",
                        Instant.parse("2026-01-01T10:00:30Z"),
                        null,
                        null));
        List<DeadLetter> parked = letters.findLetters(PARKED, 0, 10);
        assertThat(parked).extracting(letter -> letter.message().id()).containsExactly(id(1), id(3));
        assertThat(parked.get(0).cause())
                .isEqualTo(new Cause("java.io.IOException", "no route", "java.io.IOException: no route"));
        assertThat(parked.get(0).attempts())
                .containsExactly(
                        new Attempt(Instant.parse("2026-01-01T10:00:08Z"), "java.io.IOException: no route", ""));
        assertThat(parked.get(0).diagnostics()).containsExactly(Map.entry("server", "b"));
        assertThat(parked.get(1).cause()).isNull();
        assertThat(letters.findOldestPending(PARKED.component())).contains(Instant.parse("2026-01-01T10:00:11Z"));
        assertThat(letters.findByNextAttempt(PARKED.component(), null, 10))
                .as("sequences without a next attempt have one now")
                .extracting(sequence -> sequence.id().sequence())
                .containsExactly("accounts/a", "accounts/b");
        assertThat(letters.counts(PARKED.component())).isEqualTo(new QueueCounts(3, 0, 1, 1, 1, 0, 0));
    }

    private static void checkEvents(EventLog log) {
        assertThat(log.identity()).isEqualTo(new LogIdentity(LOG, 2));
        assertThat(log.epochs()).containsExactly(new Epoch(1, 0), new Epoch(2, 2));
        assertThat(log.readAll(0, 10)).extracting(EventMessage::id).containsExactly(id(1), id(2), id(3), id(5));
        assertThat(log.heads()).extracting(StreamHead::id).containsExactly(id(3), id(5));
    }

    private static void checkGroups(Store store) {
        assertThat(store.consumerGroups().findAll())
                .containsExactly(
                        new ConsumerGroup(
                                "billing/invoices",
                                "orders",
                                StreamPosition.beginning(new LogIdentity(LOG, 1)),
                                new StreamPosition(new LogIdentity(LOG, 2), 4, id(4)),
                                Instant.parse("2026-01-01T10:00:06.123456Z")),
                        new ConsumerGroup(
                                "shipping/parcels", "orders", null, null, Instant.parse("2026-01-01T10:00:07Z")));
    }

    private static void checkOutbox(Store store) {
        assertThat(store.outboxStore().streams()).containsExactly("orders");
        assertThat(store.outboxStore().assignPositions(10)).isEqualTo(1);
        List<EventMessage> orders = store.eventLog().readStream("orders", 0, 10);
        assertThat(orders).extracting(EventMessage::id).containsExactly(id(5), id(6));

        assertThat(store.outboxStore().evict("orders", 10, Instant.now())).isZero();
        store.consumerGroups().remove("shipping/parcels");
        store.consumerGroups()
                .report("billing/invoices", "orders", orders.get(0).streamPosition());
        assertThat(store.outboxStore().evict("orders", 10, Instant.now())).isEqualTo(1);
    }

    private static UUID id(int number) {
        return UUID.fromString("00000000-0000-7000-8000-00000000000" + number);
    }

    private static void checkEvents(Store store) {
        assertThat(store.eventLog().identity())
                .isEqualTo(new LogIdentity(UUID.fromString("11111111-1111-7111-8111-111111111111"), 1));
        LogAudit audit = LogAudit.of(store);
        assertThat(audit.balance("a")).isEqualTo(70);
        assertThat(audit.balance("b")).isEqualTo(30);
        EventMessage first = store.eventLog().readAll(0, 1).get(0);
        assertThat(first.occurredAt()).hasToString("2026-01-01T10:00:00.123456Z");
        assertThat(first.metadata().causationId()).contains("first");
        assertThat(store.eventLog().findSnapshot(Accounts.STREAM, "a"))
                .hasValueSatisfying(snapshot -> assertThat(snapshot.version()).isEqualTo(1));
    }

    private static void checkRowsAndTokens(Store store) {
        assertThat(new ViewRows(store.viewStore(), new PayloadCodec()).find(CountingConsumer.VIEW, COUNTED))
                .contains(new CountingConsumer.Count(4));
        assertThat(store.viewStore().find(List.of(new RowKey("counts", "removed"))))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.version()).isEqualTo(2);
                    assertThat(row.value()).isNull();
                });
        checkMigratedToken(store);
        Token token = store.tokenStore().find(CountingConsumer.SEGMENT).orElseThrow();
        assertThat(token.positions())
                .containsEntry(
                        Accounts.STREAM, store.eventLog().readAll(1, 1).get(0).streamPosition());
        assertThat(store.tokenStore().claim(CountingConsumer.SEGMENT, "next", Duration.ofMinutes(1)))
                .hasValueSatisfying(claim -> assertThat(claim.fence()).isEqualTo(8));
    }

    private static void checkGuard(IdempotencyGuard guard) {
        Duration lease = Duration.ofMinutes(1);
        assertThat(guard.claim(new IdempotencyKey("mail", "welcome"), lease)).isEqualTo(new ClaimResult.Done());
        assertThat(guard.claim(new IdempotencyKey("mail", "farewell"), lease))
                .isInstanceOfSatisfying(
                        ClaimResult.Claimed.class,
                        claimed -> assertThat(claimed.claim().fence()).isEqualTo(4));
    }

    private static void checkOutbox(Bank bank) {
        JdbcTransactions transactions = new JdbcTransactions(bank.dataSource());
        try (JdbcStore store = JdbcStore.in(Bank.SERVICE, bank.dataSource())
                .transactions(transactions)
                .open()) {
            NewEvent event = new NewEvent(new PayloadCodec().encode(new Accounts.Deposited(1)), Metadata.none());
            OutboxEntry next =
                    transactions.run(connection -> store.outboxStore().write("remarks", "gone", event));

            assertThat(next.version()).isEqualTo(6);
            assertThat(store.outboxStore().assignPositions(10)).isEqualTo(2);
            assertThat(store.eventLog().readStream("remarks", 0, 10))
                    .extracting(EventMessage::id)
                    .containsExactly(UUID.fromString("00000000-0000-7000-8000-000000000004"), next.id());
        }
    }

    @Test
    void rejectsAnUnsupportedDatabaseByName() {
        assertThatThrownBy(() -> JdbcStore.in("kit", databaseNamed("Oracle")).open())
                .isInstanceOf(PermanentException.class)
                .hasMessage("Holdfast requires PostgreSQL or H2, but the DataSource connects to Oracle");
    }

    private static DataSource databaseNamed(String product) {
        DatabaseMetaData metaData = stub(DatabaseMetaData.class, "getDatabaseProductName", product);
        return stub(DataSource.class, "getConnection", stub(Connection.class, "getMetaData", metaData));
    }

    /** Creates a stub that returns one answer and can be closed. */
    private static <T> T stub(Class<T> type, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                MigrationTests.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, called, arguments) -> called.getName().equals(method) ? answer : null));
    }

    private static void load(String url, String resource) throws IOException, SQLException {
        try (InputStream script = Objects.requireNonNull(MigrationTests.class.getResourceAsStream(resource));
                Connection connection =
                        DriverManager.getConnection(url, url.startsWith("jdbc:h2:") ? "sa" : "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private String url(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL
                ? PostgresqlServer.sharedDurable().newDatabase()
                : "jdbc:h2:file:" + folder.resolve(UUID.randomUUID().toString()).toAbsolutePath() + ";WRITE_DELAY=0";
    }
}
