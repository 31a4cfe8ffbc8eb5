package io.holdfast.benchmarks;

import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.jdbc.JdbcStore;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** Holdfast as a service uses it: commands through the controller, with group commit. */
final class GroupedAppends implements AppendVariant {

    private static final Clock CLOCK = Clock.systemUTC();

    private final JdbcStore store;
    private final AggregateStates states;
    private final GroupCommitter committer;
    private final EventSourcingController controller;

    GroupedAppends(DataSource dataSource) {
        this.store = JdbcStore.in(Purchases.SERVICE, dataSource).open();
        PayloadCodec codec = new PayloadCodec();
        this.states = new AggregateStates(store.eventLog(), codec);
        this.committer = new GroupCommitter(
                        CommitterSettings.of(Purchases.SERVICE),
                        store.commitStore(),
                        store.eventLog(),
                        states,
                        store.viewStore(),
                        codec,
                        CLOCK)
                .start();
        this.controller = new EventSourcingController(Purchases.SERVICE, committer, states, store.eventLog());
    }

    @Override
    public void warmUp() {
        for (int key = 0; key < KEYS; key++) {
            states.newest(Purchases.ACCOUNT, Purchases.key(key));
        }
    }

    @Override
    public Caller caller(int number, int callers) {
        return new Caller() {
            private long amount = number;

            @Override
            public int append() {
                GroupedAppends.this.append(
                        Purchases.key(ThreadLocalRandom.current().nextInt(KEYS)), amount++);
                return 1;
            }

            @Override
            public void close() {}
        };
    }

    void append(String key, long amount) {
        controller.execute(
                Command.once(CLOCK), Purchases.ACCOUNT, key, account -> List.of(Purchases.purchase(key, amount)));
    }

    @Override
    public long commits() {
        return committer.statistics().commits();
    }

    @Override
    public void close() {
        committer.close();
        store.close();
    }
}
