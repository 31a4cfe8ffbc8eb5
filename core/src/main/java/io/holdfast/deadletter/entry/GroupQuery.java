package io.holdfast.deadletter.entry;

import io.holdfast.PermanentException;
import java.util.Set;

/**
 * Selects cause groups. Those with the most PENDING letters come first, then those with the most parked ones.
 *
 * @param components the ids of the components; empty for all
 * @param isResolved whether groups without a parked letter are included
 * @param limit the maximum number of groups, 1 to {@link #MAX_LIMIT}
 */
public record GroupQuery(Set<String> components, boolean isResolved, int limit) {

    public static final int MAX_LIMIT = 500;

    /** Selects the groups of all parked letters. */
    public static final GroupQuery ALL = new GroupQuery(Set.of(), false, MAX_LIMIT);

    public GroupQuery {
        components = Set.copyOf(components);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new PermanentException("limit must be 1 to " + MAX_LIMIT + ", but is " + limit);
        }
    }

    public GroupQuery components(Set<String> newComponents) {
        return new GroupQuery(newComponents, isResolved, limit);
    }

    public GroupQuery limit(int newLimit) {
        return new GroupQuery(components, isResolved, newLimit);
    }

    /** Includes groups without a parked letter. */
    public GroupQuery withResolved() {
        return new GroupQuery(components, true, limit);
    }
}
