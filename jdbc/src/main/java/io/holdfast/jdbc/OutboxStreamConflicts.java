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
 * Says which units append to streams that became row-kept after they were checked: users' transactions do not wait for the
 * head. Only after the write has noticed: a healthy batch asks nothing.
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
                    "one of the streams " + streams + " was row-kept a moment ago, and is not now");
        }
        return rejections;
    }

    private static String stream(EventDraft event) {
        return event.key().stream();
    }
}
