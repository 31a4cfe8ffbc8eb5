package io.holdfast.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.concurrent.atomic.AtomicLong;

/** An application row of a handler. The test assigns its number, so that JPA can defer the insert until a flush. */
@Entity
@Table(name = "handler_row")
class ApplicationRow {

    private static final AtomicLong NEXT = new AtomicLong();

    @Id
    private long number;

    @Column(nullable = false)
    private String content;

    @SuppressWarnings("NullAway.Init")
    protected ApplicationRow() {}

    ApplicationRow(String content) {
        this.number = NEXT.incrementAndGet();
        this.content = content;
    }

    void overwrite(String newContent) {
        this.content = newContent;
    }

    String content() {
        return content;
    }
}
