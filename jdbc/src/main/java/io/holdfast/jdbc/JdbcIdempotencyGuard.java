package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.idempotency.ClaimResult;
import io.holdfast.idempotency.IdempotencyClaim;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.idempotency.IdempotencyKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Stores one row per key, and locks it before every check. Leases and ttls use the database's clock. */
final class JdbcIdempotencyGuard implements IdempotencyGuard {

    private static final String KEY = " where consumer = ? and work = ?";

    private final Database database;
    private final CommitPoint.Observer points;

    JdbcIdempotencyGuard(Database database, CommitPoint.Observer points) {
        this.database = database;
        this.points = points;
    }

    @Override
    public ClaimResult claim(IdempotencyKey key, Duration lease) {
        return write(CommitPoint.GUARD_CLAIM, "claiming " + key, connection -> {
            insertExpired(connection, key);
            KeyState entry = lock(connection, key);
            if (!entry.expired()) {
                return entry.done() ? new ClaimResult.Done() : new ClaimResult.InProgress();
            }
            long fence = nextFence(connection);
            update(
                    connection,
                    "update holdfast_idempotency set fence = " + fence + ", done = false, " + leaseColumns(),
                    key,
                    lease,
                    lease);
            return new ClaimResult.Claimed(new IdempotencyClaim(key, fence));
        });
    }

    @Override
    public boolean renew(IdempotencyClaim claim, Duration lease) {
        return write(CommitPoint.GUARD_RENEW, "renewing " + claim.key(), connection -> {
            KeyState entry = lock(connection, claim.key());
            if (entry.fence() != claim.fence() || entry.done()) {
                return false;
            }
            update(connection, "update holdfast_idempotency set " + leaseColumns(), claim.key(), lease, lease);
            return true;
        });
    }

    @Override
    public boolean complete(IdempotencyClaim claim, Duration ttl) {
        return write(CommitPoint.GUARD_COMPLETE, "completing " + claim.key(), connection -> {
            KeyState entry = lock(connection, claim.key());
            if (entry.fence() != claim.fence()) {
                return false;
            }
            if (!entry.done()) {
                update(
                        connection,
                        "update holdfast_idempotency set done = true, valid_until = " + until(),
                        claim.key(),
                        ttl);
            }
            return true;
        });
    }

    @Override
    public void release(IdempotencyClaim claim) {
        write(CommitPoint.GUARD_RELEASE, "releasing " + claim.key(), connection -> {
            KeyState entry = lock(connection, claim.key());
            if (entry.fence() == claim.fence() && !entry.done()) {
                try (PreparedStatement delete = connection.prepareStatement("delete from holdfast_idempotency" + KEY)) {
                    set(delete, 1, claim.key());
                    delete.executeUpdate();
                }
            }
            return true;
        });
    }

    /** Creates a row to lock, unless it exists. It counts as expired until it is claimed. */
    private void insertExpired(Connection connection, IdempotencyKey key) throws SQLException {
        String insert = database.dialect()
                .insertIfAbsent(
                        "holdfast_idempotency",
                        "consumer, work, fence, done, valid_until",
                        "consumer, work",
                        "cast(? as varchar), cast(? as varchar), 0, false, timestamp with time zone '1970-01-01 00:00:00+00'");
        database.insertIfAbsent(connection, insert, statement -> set(statement, 1, key));
    }

    private String until() {
        return database.dialect().fromNow("?");
    }

    private String leaseColumns() {
        return "valid_until = " + until() + ", lease_micros = ?";
    }

    /** A ttl may end late if the database's clock was set back: work that is done is not done again. */
    private KeyState lock(Connection connection, IdempotencyKey key) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select fence, done, valid_until <= current_timestamp or (not done and "
                        + database.dialect().leaseExpired("valid_until") + ") as expired from holdfast_idempotency"
                        + KEY + " for update")) {
            set(query, 1, key);
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? new KeyState(row.getLong("fence"), row.getBoolean("done"), row.getBoolean("expired"))
                        : KeyState.NONE;
            }
        }
    }

    private static long nextFence(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select nextval('holdfast_idempotency_fence')");
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void update(Connection connection, String sql, IdempotencyKey key, Duration... times)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql + KEY)) {
            for (int i = 0; i < times.length; i++) {
                statement.setLong(i + 1, TimeUnit.MICROSECONDS.convert(times[i]));
            }
            set(statement, times.length + 1, key);
            statement.executeUpdate();
        }
    }

    private static void set(PreparedStatement statement, int first, IdempotencyKey key) throws SQLException {
        statement.setString(first, key.consumer());
        statement.setString(first + 1, key.work());
    }

    private <T> T write(CommitPoint point, String what, Database.Work<T> work) {
        return points.pass(point, () -> database.write(what, work));
    }

    private record KeyState(long fence, boolean done, boolean expired) {
        static final KeyState NONE = new KeyState(-1, true, true);
    }
}
