package io.holdfast.jpa;

/** The databases that every test runs on. */
enum Product {
    POSTGRESQL,
    H2
}
