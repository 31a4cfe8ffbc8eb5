package io.holdfast.admin;

import java.util.List;

/**
 * Some of the entries that were asked for.
 *
 * @param total how many there are on all pages
 */
public record DeadLetterPage(List<DeadLetterEntry> entries, long total) {

    public DeadLetterPage {
        entries = List.copyOf(entries);
    }
}
