package io.holdfast.jdbc;

import static io.holdfast.jdbc.CountingConsumer.COUNTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Snapshot;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Accounts.Balance;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Withdrawn;
import io.holdfast.token.Token;
import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads a whole log and checks that no event is lost, duplicated, out of order or partly written. */
final class LogAudit {

    private static final int PAGE = 2_000;

    private final PayloadCodec codec = new PayloadCodec();
    private final Store store;
    private final EventLog log;
    private final List<EventMessage> events = new ArrayList<>();
    private final Map<String, EventMessage> lastOfStream = new HashMap<>();
    private final Map<String, List<Long>> balances = new HashMap<>();

    private LogAudit(Store store) {
        this.store = store;
        this.log = store.eventLog();
    }

    static LogAudit of(Store store) {
        LogAudit audit = new LogAudit(store);
        audit.readAll();
        audit.checkHeads();
        audit.checkSnapshots();
        return audit;
    }

    int events() {
        return events.size();
    }

    /** Returns the balance of an account according to its events. */
    long balance(String account) {
        List<Long> all = balances.getOrDefault(account, List.of());
        return all.isEmpty() ? 0 : all.get(all.size() - 1);
    }

    /** Checks that every response was correct, and that every event belongs to a command that was sent. */
    LogAudit agreesWith(ProcessResponses responses) {
        Set<UUID> ids = events.stream().map(EventMessage::id).collect(Collectors.toSet());
        assertThat(ids).as("ids").hasSize(events.size());
        assertThat(ids).as("acknowledged events").containsAll(responses.acknowledgedEvents());

        Map<UUID, List<EventMessage>> commands = events.stream()
                .filter(event -> event.key().startsWith(BankCommand.ACCOUNT))
                .collect(Collectors.groupingBy(
                        event -> UUID.fromString(event.metadata().causationId().orElseThrow())));
        assertThat(commands.keySet()).as("commands that took effect").containsAll(responses.acknowledgedCommands());
        assertThat(responses.sentCommands()).as("commands that were sent").containsAll(commands.keySet());
        commands.values().forEach(this::checkComplete);
        assertThat(responses.failures())
                .as("responses that are neither success nor retryable")
                .isEmpty();
        return this;
    }

    /** Checks that token, row and events of the counting consumer were written together or not at all. */
    LogAudit countsAgree() {
        long version = store.tokenStore()
                .find(CountingConsumer.SEGMENT)
                .map(Token::version)
                .orElse(0L);
        long counted = new ViewRows(store.viewStore(), codec)
                .find(CountingConsumer.VIEW, COUNTED)
                .map(CountingConsumer.Count::value)
                .orElse(0L);

        assertThat(version).as("token").isEqualTo(counted).isEqualTo(balance(COUNTED));
        return this;
    }

    private void readAll() {
        List<EventMessage> page;
        do {
            page = log.readAll(events.size(), PAGE);
            page.forEach(this::add);
        } while (!page.isEmpty());
    }

    private void add(EventMessage event) {
        events.add(event);
        assertThat(event.position()).as("position").isEqualTo(events.size());

        EventMessage before = lastOfStream.put(event.stream(), event);
        assertThat(event.logPosition().previousPosition())
                .as("position before %s", event)
                .isEqualTo(before == null ? 0 : before.position());
        assertThat(event.logPosition().previousId())
                .as("id before %s", event)
                .isEqualTo(before == null ? null : before.id());

        List<Long> known = balances.computeIfAbsent(event.key(), key -> new ArrayList<>());
        assertThat(event.version()).as("version of %s", event).isEqualTo(known.size() + 1);
        long balance = balance(event.key()) + amount(event);
        assertThat(balance).as("balance after %s", event).isNotNegative();
        known.add(balance);
    }

    private void checkHeads() {
        assertThat(log.position()).as("the head").isEqualTo(events.size());
        assertThat(log.heads()).as("streams").hasSize(lastOfStream.size());
        lastOfStream.forEach((stream, last) -> assertThat(log.head(stream).streamPosition())
                .as("head of %s", stream)
                .isEqualTo(last.streamPosition()));
    }

    private void checkSnapshots() {
        for (EventMessage last : new HashSet<>(lastOfStream.values())) {
            balances.forEach((key, all) ->
                    log.findSnapshot(last.stream(), key).ifPresent(snapshot -> checkSnapshot(snapshot, all)));
        }
    }

    private void checkSnapshot(Snapshot snapshot, List<Long> all) {
        assertThat(snapshot.version()).as("snapshot of %s", snapshot.key()).isBetween(1L, (long) all.size());
        assertThat(codec.decode(snapshot.state(), Balance.class).amount())
                .as("snapshot of %s", snapshot.key())
                .isEqualTo(all.get((int) snapshot.version() - 1));
    }

    private void checkComplete(List<EventMessage> command) {
        long sum = command.stream().mapToLong(this::amount).sum();
        if (command.size() == 1) {
            assertThat(sum).as("a complete deposit: %s", command).isEqualTo(BankCommand.DEPOSIT);
        } else {
            assertThat(command).as("a complete transfer").hasSize(2);
            assertThat(sum).as("a complete transfer: %s", command).isZero();
        }
    }

    private long amount(EventMessage event) {
        return event.type().equals("Deposited")
                ? codec.decode(event.payload(), Deposited.class).amount()
                : -codec.decode(event.payload(), Withdrawn.class).amount();
    }
}
