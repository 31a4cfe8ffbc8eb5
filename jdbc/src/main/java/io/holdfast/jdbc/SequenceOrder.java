package io.holdfast.jdbc;

/** An order in which the sequences of a component are read, each led by an index. */
enum SequenceOrder {
    NEXT_ATTEMPT("next_attempt", ">", ""),
    AGE("since", ">", ""),
    /** The index of the age, read backwards: that needs every column to go down, the component's too. */
    NEWEST("since", "<", " desc");

    private final String time;
    private final String compared;
    private final String direction;

    SequenceOrder(String time, String compared, String direction) {
        this.time = time;
        this.compared = compared;
        this.direction = direction;
    }

    /** What is beyond a place, given as its time, its time again, and its sequence. */
    String beyond() {
        // PostgreSQL begins in the index at the place, H2 only at the time.
        return " and s." + time + " " + compared + "= ? and (s." + time + ", s.sequence) " + compared + " (?, ?)";
    }

    String orderBy() {
        return " order by s.component" + direction + ", s." + time + direction + ", s.sequence" + direction;
    }
}
