package io.holdfast.tck.harness;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.RowWrite;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.token.TokenAdvance;
import io.holdfast.view.RowKey;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes to a store as the committer does, with one session per call. */
public final class StoreWriter {

    private final CommitStore store;
    private final Clock clock;
    private final PayloadCodec codec;

    public StoreWriter(CommitStore store, Clock clock, PayloadCodec codec) {
        this.store = store;
        this.clock = clock;
        this.codec = codec;
    }

    /** Returns a draft with a new id. */
    public EventDraft draft(String stream, String key, long version) {
        return draft(EventIds.random(clock.instant()), stream, key, version);
    }

    public EventDraft draft(UUID id, String stream, String key, long version) {
        return new EventDraft(
                id,
                StoreHarness.SERVICE,
                new AggregateKey(stream, key),
                version,
                clock.instant(),
                Metadata.none().withCorrelationId("kit"),
                codec.encode(new Noted(stream + "/" + key + "#" + version)));
    }

    /** Commits one event, which must be accepted. */
    public EventMessage append(String stream, String key, long version) {
        return commit(events(draft(stream, key, version))).get(0);
    }

    /** Commits units together. All of them must be accepted. */
    public List<EventMessage> commit(UnitWrites... units) {
        try (CommitSession session = store.open()) {
            session.lockHead();
            List<Rejection> rejections = session.write(List.of(units));
            if (!rejections.isEmpty()) {
                throw new AssertionError(
                        "Units were rejected: " + rejections, rejections.get(0).cause());
            }
            return session.commit();
        }
    }

    /** Writes units without committing them, and returns the rejections. */
    public List<Rejection> rejections(UnitWrites... units) {
        try (CommitSession session = store.open()) {
            session.lockHead();
            return session.write(List.of(units));
        }
    }

    public static UnitWrites events(EventDraft... drafts) {
        return new UnitWrites(List.of(drafts), List.of(), List.of(), Optional.empty());
    }

    public static UnitWrites rows(RowWrite... rows) {
        return new UnitWrites(List.of(), List.of(rows), List.of(), Optional.empty());
    }

    public static UnitWrites token(TokenAdvance advance) {
        return new UnitWrites(List.of(), List.of(), List.of(), Optional.of(advance));
    }

    /** Returns a unit that parks letters and advances the token. */
    public static UnitWrites letters(TokenAdvance advance, LetterWrites letters) {
        return new UnitWrites(List.of(), List.of(), List.of(), Optional.of(advance), letters);
    }

    /** Returns a row write; a null text removes the row. */
    public RowWrite row(String view, String key, long version, @Nullable String text) {
        return new RowWrite(
                new RowKey(view, key), version - 1, version, text == null ? null : codec.encode(new Noted(text)));
    }
}
