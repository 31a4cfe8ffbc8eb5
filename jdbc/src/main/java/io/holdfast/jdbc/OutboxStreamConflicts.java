package io.holdfast.jdbc;

import io.holdfast.RetryableException;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitChecks;
import io.holdfast.commit.UnitWrites;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the units that append to streams that became outbox streams after the check: users' transactions do not wait
 * for the head. Runs only after the write has detected such a stream: a healthy batch needs no extra query.
 */
final class OutboxStreamConflicts {

    private OutboxStreamConflicts() {}

    static List<Rejection> rejections(Connection connection, Dialect dialect, List<UnitWrites> units)
            throws SQLException {
        Set<String> streams = units.stream()
                .flatMap(unit -> unit.events().stream())
                .map(OutboxStreamConflicts::stream)
                .collect(Collectors.toSet());
        CommittedVersions now = CommittedVersions.load(connection, dialect, Set.of(), Set.of(), streams);
        List<Rejection> rejections = new ArrayList<>();
        for (int i = 0; i < units.size(); i++) {
            int unit = i;
            units.get(unit).events().stream()
                    .map(OutboxStreamConflicts::stream)
                    .filter(now::isOutboxStream)
                    .findFirst()
                    .map(stream -> UnitChecks.streamKindConflict(stream, "an outbox stream"))
                    .ifPresent(cause -> rejections.add(new Rejection(unit, Rejection.Kind.REJECTED, cause)));
        }
        if (rejections.isEmpty()) {
            throw new RetryableException(
                    "one of the streams " + streams + " was an outbox stream during the write, but no longer is");
        }
        return rejections;
    }

    private static String stream(EventDraft event) {
        return event.key().stream();
    }
}
