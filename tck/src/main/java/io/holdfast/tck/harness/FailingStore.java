package io.holdfast.tck.harness;

import io.holdfast.RetryableException;
import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.SeenEvent;
import io.holdfast.failover.TailLoss;
import io.holdfast.failover.Witnessed;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A store whose connection fails as scripted. Not thread-safe. */
public final class FailingStore implements CommitStore {

    /** A batch that contains an event of this key cannot be written, and the store does not name the unit. */
    public static final String POISON = "poison";

    private final CommitStore store;
    private int outcomesToLose;
    private int opensToFail;
    private int commitsToFail;
    private int opensToFailAfterLostOutcome;

    public FailingStore(CommitStore store) {
        this.store = store;
    }

    /** The next commits take effect, but their outcome is lost. */
    public void loseOutcomes(int count) {
        outcomesToLose = count;
    }

    /** The next commits take no effect. */
    public void failCommits(int count) {
        commitsToFail = count;
    }

    /** After the next lost outcome, that many sessions cannot be opened. */
    public void failOpensAfterLostOutcome(int sessions) {
        opensToFailAfterLostOutcome = sessions;
    }

    /** The next sessions cannot be opened. */
    public void failOpens(int sessions) {
        opensToFail = sessions;
    }

    @Override
    public Epoch raiseEpoch(@Nullable Settlement settlement) {
        return store.raiseEpoch(settlement);
    }

    @Override
    public HeadReading readHead(Witnessed witnessed) {
        return store.readHead(witnessed);
    }

    @Override
    public Optional<TailLoss> startEpochAfterLoss(List<SeenEvent> verified, Witnessed witnessed) {
        return store.startEpochAfterLoss(verified, witnessed);
    }

    @Override
    public CommitSession open() {
        if (opensToFail > 0) {
            opensToFail--;
            throw new RetryableException("the store is down");
        }
        return new FailingSession(store.open());
    }

    /** Fails as configured in the store. */
    private final class FailingSession implements CommitSession {

        private final CommitSession session;

        FailingSession(CommitSession session) {
            this.session = session;
        }

        @Override
        public HeadReading lockHead(Witnessed witnessed) {
            return session.lockHead(witnessed);
        }

        @Override
        public List<EventMessage> find(Collection<UUID> ids) {
            return session.find(ids);
        }

        @Override
        public List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
            return session.readKeys(keys, limit);
        }

        @Override
        public List<Row> findRows(Collection<RowKey> keys) {
            return session.findRows(keys);
        }

        @Override
        public ReadVersions findChanged(ReadVersions read) {
            return session.findChanged(read);
        }

        @Override
        public List<Rejection> write(List<UnitWrites> units) {
            if (units.stream()
                    .flatMap(unit -> unit.events().stream())
                    .anyMatch(event -> event.key().key().equals(POISON))) {
                throw new IllegalArgumentException("the database rejects a value");
            }
            return session.write(units);
        }

        @Override
        public List<EventMessage> commit() {
            if (commitsToFail > 0) {
                commitsToFail--;
                throw new RetryableException("the commit failed");
            }
            List<EventMessage> events = session.commit();
            if (outcomesToLose > 0) {
                outcomesToLose--;
                opensToFail = opensToFailAfterLostOutcome;
                throw new OutcomeUnknownException("the connection was lost", null);
            }
            return events;
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
