package io.holdfast.jdbc;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static io.holdfast.tck.harness.Accounts.withdraw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.Projection;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Accounts.Balance;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import io.holdfast.tck.harness.Accounts.Withdrawn;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.view.View;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The database of a bank fails over to a standby without the newest commits, under two replicas of the bank and two of a
 * mailer that reads its events and cannot be reset.
 */
class FailoverServicesTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int KEYS = 8;
    private static final AggregateType<Mail> MAIL = AggregateType.of("mails", Mail.class, new Mail(0))
            .on(Sent.class, (mail, sent) -> new Mail(mail.count() + 1))
            .build();
    private static final View<Balance> BALANCES = new View<>("balances", Balance.class);

    private final InMemoryWire wire = new InMemoryWire();
    private final String bankUrl = PostgresqlServer.shared().newDatabase();
    private final String mailUrl = PostgresqlServer.shared().newDatabase();
    private final List<Replica> banks = List.of(bank(), bank());
    private final List<Replica> mailers = List.of(mailer(), mailer());

    @AfterEach
    void close() {
        mailers.forEach(Replica::close);
        banks.forEach(Replica::close);
    }

    @Test
    void losesNothingButTheTailAndContinues() throws Exception {
        deposits(60, 10);
        awaitMails();
        String standby = PostgresqlServer.shared().copyDatabase(bankUrl);
        long common = retried(() -> banks.get(0).service().eventLog().position());
        deposits(40, 1_000);
        awaitMails();
        Set<UUID> lost = ids(events(common));
        assertThat(lost).hasSize(40);

        PostgresqlServer.shared().failOver(bankUrl, standby);
        deposits(40, 1);

        assertThat(events(0)).hasSize(100).extracting(EventMessage::id).doesNotContainAnyElementsOf(lost);
        assertBalancesAreThoseOfTheLog();
        assertNoOverdraft();
        await().atMost(BOUND).untilAsserted(() -> assertThat(
                        banks.get(0).service().eventLog().epochs())
                .last()
                .matches(epoch -> epoch.number() == 2 && epoch.startPosition() == common));
        acceptRestore(common);
        awaitMails();
        assertThat(mailed()).as("each event once, those of lost events stay").containsOnly(Map.entry(1L, 140L));
        assertThat(mailedIds()).containsAll(lost);
        deposits(10, 1);
        awaitMails();
    }

    /** The documented step: an operator accepts the restore, once, on any replica. */
    private void acceptRestore(long common) throws Exception {
        await().atMost(BOUND).untilAsserted(() -> assertThat(mailers).anySatisfy(replica -> assertThat(
                        replica.service().processor("post").status().stoppedStreams())
                .hasEntrySatisfying(
                        Accounts.STREAM, reason -> assertThat(reason).contains("restored to position " + common))));
        AcceptedRestore accepted = mailers.get(0)
                .service()
                .processor("post")
                .acceptRestore(Accounts.STREAM)
                .get(BOUND.toSeconds(), TimeUnit.SECONDS);
        assertThat(accepted.resumePosition().position()).isEqualTo(common);
    }

    private void assertBalancesAreThoseOfTheLog() {
        for (int key = 0; key < KEYS; key++) {
            String account = "account-" + key;
            Balance folded = retried(() -> new EngineUnderTest(banks.get(0).store(), Clock.systemUTC())
                    .controller()
                    .state(ACCOUNT, account));
            long inLog = events(0).stream()
                    .filter(event -> event.key().equals(account))
                    .mapToLong(event -> new PayloadCodec()
                            .decode(event.payload(), Deposited.class)
                            .amount())
                    .sum();
            assertThat(folded.amount()).as("snapshot and events of %s", account).isEqualTo(inLog);
            for (Replica bank : banks) {
                assertThat(retried(() -> bank.service().commands().state(ACCOUNT, account)))
                        .isEqualTo(folded);
            }
            await().atMost(BOUND).untilAsserted(() -> assertThat(
                            banks.get(0).service().views().find(BALANCES, account))
                    .as("projection of %s", account)
                    .contains(folded));
        }
    }

    private void assertNoOverdraft() {
        for (Replica bank : banks) {
            long balance = bank.service().commands().state(ACCOUNT, "account-0").amount();
            assertThatExceptionOfType(Overdrawn.class)
                    .isThrownBy(() -> execute(bank, withdraw("account-0", balance + 1)));
        }
    }

    /** Writes through both replicas in turn. A client retries what was refused, with the same key. */
    private void deposits(int count, long amount) {
        for (int i = 0; i < count; i++) {
            execute(banks.get(i % 2), deposit("account-" + i % KEYS, amount));
        }
    }

    private static void execute(Replica bank, Decision decision) {
        Command command = Command.keyed("test", UUID.randomUUID().toString());
        retried(() -> bank.service().commands().execute(command, decision));
    }

    private static <T> T retried(Callable<T> call) {
        List<T> result = new ArrayList<>();
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsMatching(RetryableException.class::isInstance)
                .until(() -> result.add(call.call()));
        return result.get(0);
    }

    private List<EventMessage> events(long after) {
        return retried(() -> banks.get(0).store().eventLog().readAll(after, 1_000));
    }

    private static Set<UUID> ids(List<EventMessage> events) {
        return events.stream().map(EventMessage::id).collect(Collectors.toSet());
    }

    private void awaitMails() {
        Set<UUID> written = ids(events(0));
        await().atMost(BOUND).untilAsserted(() -> assertThat(mailedIds()).containsAll(written));
    }

    private Set<UUID> mailedIds() {
        return mails().keySet();
    }

    /** Returns how often mails were sent for one event, and for how many events. */
    private Map<Long, Long> mailed() {
        return mails().values().stream()
                .collect(Collectors.groupingBy(count -> count, TreeMap::new, Collectors.counting()));
    }

    private Map<UUID, Long> mails() {
        return mailers.get(0).store().eventLog().readAll(0, 10_000).stream()
                .collect(Collectors.groupingBy(mail -> UUID.fromString(mail.key()), Collectors.counting()));
    }

    private Replica bank() {
        return new Replica(bankUrl, "bank", store -> HoldfastService.named("bank", store, wire)
                .owns(Accounts.STREAM)
                .processor("balances", processor -> processor
                        .reads(Accounts.STREAM)
                        .settings(ProcessorSettings.DEFAULT.lease(Duration.ofSeconds(3)))
                        .calls(Projection.of(BALANCES)
                                .on(
                                        Deposited.class,
                                        (row, event) -> new Balance((row == null ? 0 : row.amount()) + event.amount()))
                                .component()
                                .build()))
                .start());
    }

    private Replica mailer() {
        return new Replica(mailUrl, "mailer", store -> HoldfastService.named("mailer", store, wire)
                .owns("mails")
                .processor("post", processor -> processor
                        .reads(Accounts.STREAM)
                        .settings(ProcessorSettings.DEFAULT.lease(Duration.ofSeconds(3)))
                        .calls(Component.named("smtp")
                                .on(Deposited.class, (event, context) -> send(context))
                                .on(Withdrawn.class, (event, context) -> send(context))
                                .build()))
                .start());
    }

    private static void send(EventContext context) {
        context.decide(MAIL, context.event().id().toString(), mail -> List.of(new Sent()));
    }

    private record Mail(long count) {}

    private record Sent() {}

    /** A replica with its own connection pool. */
    private static final class Replica implements AutoCloseable {

        private final HikariDataSource dataSource;
        private final JdbcStore store;
        private final HoldfastService service;

        Replica(String url, String name, Function<JdbcStore, HoldfastService> start) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setUsername(PostgresqlServer.USER);
            config.setMaximumPoolSize(12);
            config.setConnectionTimeout(2_000);
            this.dataSource = new HikariDataSource(config);
            this.store = JdbcStore.in(name, dataSource).open();
            this.service = start.apply(store);
        }

        JdbcStore store() {
            return store;
        }

        HoldfastService service() {
            return service;
        }

        @Override
        public void close() {
            service.close();
            store.close();
            dataSource.close();
        }
    }
}
