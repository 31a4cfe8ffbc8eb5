package io.holdfast.admin.deadletter;

import java.util.List;

/**
 * One page of the entries that match a query.
 *
 * @param total the number of matching entries on all pages
 */
public record DeadLetterPage(List<DeadLetterEntry> entries, long total) {

    public DeadLetterPage {
        entries = List.copyOf(entries);
    }
}
