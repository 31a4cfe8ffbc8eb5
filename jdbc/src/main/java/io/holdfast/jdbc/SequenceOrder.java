package io.holdfast.jdbc;

/** The orders in which the sequences of a component are read, each backed by an index. */
enum SequenceOrder {
    NEXT_ATTEMPT("next_attempt", ">", ""),
    AGE("since", ">", ""),
    /** Scans the index of {@link #AGE} backwards, so every column must be descending, the component included. */
    NEWEST("since", "<", " desc");

    private final String time;
    private final String compared;
    private final String direction;

    SequenceOrder(String time, String compared, String direction) {
        this.time = time;
        this.compared = compared;
        this.direction = direction;
    }

    /**
     * @return a condition for the sequences beyond a cursor; its parameters are the time, the time again and the
     *     sequence
     */
    String beyond() {
        // PostgreSQL starts the index scan at the cursor, H2 only at its time.
        return " and s." + time + " " + compared + "= ? and (s." + time + ", s.sequence) " + compared + " (?, ?)";
    }

    String orderBy() {
        return " order by s.component" + direction + ", s." + time + direction + ", s.sequence" + direction;
    }
}
