/**
 * Units in transactions of JPA, and dead letters as entities: for services that keep their rows by JPA. The tables are those of
 * {@code io.holdfast.jdbc}, whose adapters join the transactions, so that a service can go from one to the other.
 */
@NullMarked
package io.holdfast.jpa;

import org.jspecify.annotations.NullMarked;
