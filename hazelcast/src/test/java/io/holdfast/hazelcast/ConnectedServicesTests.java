package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.topic.ITopic;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.testsupport.FreePort;
import io.holdfast.view.View;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireUnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connects whole services over this wire. docs/guides/connecting-services-over-hazelcast.md quotes this class. */
class ConnectedServicesTests {

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final View<Total> TOTALS = new View<>("totals", Total.class);
    private static final Component SUMS = Component.named("sums")
            .on(
                    Deposited.class,
                    (event, context) -> context.update(
                            TOTALS, "all", total -> new Total((total == null ? 0 : total.amount()) + event.amount())))
            .build();

    private final Clock clock = Clock.systemUTC();

    record Total(long amount) {}

    private HoldfastService accounts(Wire wire) {
        return HoldfastService.named("accounts", new InMemoryStore("accounts", clock), wire)
                .owns(Accounts.STREAM)
                .start();
    }

    private HoldfastService reports(Wire wire) {
        return HoldfastService.named("reports", new InMemoryStore("reports", clock), wire)
                .processor(
                        "totals", processor -> processor.reads(Accounts.STREAM).calls(SUMS))
                .start();
    }

    private void deposit(HoldfastService accounts, long amount) {
        accounts.commands()
                .execute(Command.once(clock), Accounts.ACCOUNT, "a", state -> List.of(new Deposited(amount)));
    }

    private static void awaitTotal(HoldfastService reports, long amount) {
        await().atMost(BOUND).untilAsserted(() -> assertThat(reports.views().find(TOTALS, "all"))
                .contains(new Total(amount)));
    }

    @Test
    void exchangesEventsOverAnEmbeddedMember() {
        String cluster = "bank-" + UUID.randomUUID();
        int port = FreePort.find();

        try (HazelcastWire wire = HazelcastWire.embedded(cluster).port(port).open();
                HoldfastService accounts = accounts(wire);
                HoldfastService reports = reports(wire)) {
            deposit(accounts, 5);

            awaitTotal(reports, 5);
        }
    }

    @Test
    @Timeout(40)
    void startsBeforeItsClusterAndResumesAfterItRestartsEmpty() {
        try (TestMember member = new TestMember()) {
            member.stop();
            String cluster = member.cluster();
            String[] members = {member.address()};

            try (HazelcastWire here = HazelcastWire.client(cluster, members).open();
                    HazelcastWire there = HazelcastWire.client(cluster, members).open();
                    HoldfastService accounts = accounts(here);
                    HoldfastService reports = reports(there)) {
                deposit(accounts, 5);
                assertThatExceptionOfType(WireUnavailableException.class)
                        .isThrownBy(() -> here.publish(new TestEvents().next("notes", 1)))
                        .withMessage("cannot publish 1 events: the cluster is not connected");

                member.restart();
                awaitTotal(reports, 5);

                member.stop();
                deposit(accounts, 2);
                member.restart();
                awaitTotal(reports, 7);
            }
        }
    }

    @Test
    void mirrorsEventsForAMonitor() {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        try (TestMember member = new TestMember();
                HazelcastWire wire = member.client().mirrorToTopics(true).open();
                HoldfastService accounts = accounts(wire)) {
            watch(member.instance(), seen);
            await().atMost(BOUND).until(wire::isUp);

            deposit(accounts, 5);

            await().atMost(BOUND).until(() -> seen.contains("accounts/a {\"amount\":5}"));
        }
    }

    private static void watch(HazelcastInstance hazelcast, Queue<String> seen) {
        ITopic<GenericRecord> deposits = hazelcast.getTopic("Deposited");
        deposits.addMessageListener(message -> {
            GenericRecord event = message.getMessageObject();
            seen.add(event.getString("stream") + "/" + event.getString("key") + " " + event.getString("payload"));
        });
    }
}
