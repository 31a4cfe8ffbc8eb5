/**
 * The durable adapters: {@link io.holdfast.jdbc.JdbcStore} keeps all ports of a service in PostgreSQL or H2, by plain
 * JDBC. {@link io.holdfast.jdbc.JdbcTransactions} lets a service's own transactions take the outbox along.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
