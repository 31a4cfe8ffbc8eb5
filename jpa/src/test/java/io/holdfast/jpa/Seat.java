package io.holdfast.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** An application entity for tests. */
@Entity
@Table(name = "seat")
class Seat {

    @Id
    @Column(length = 50)
    private String name;

    @Column(nullable = false)
    private int taken;

    @Version
    private int version;

    @SuppressWarnings("NullAway.Init")
    protected Seat() {}

    Seat(String name, int taken) {
        this.name = name;
        this.taken = taken;
    }

    void incrementTaken() {
        taken++;
    }
}
