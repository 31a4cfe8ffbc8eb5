/**
 * The durable adapters: {@link io.holdfast.jdbc.JdbcStore} implements all ports of a service on PostgreSQL or H2, with
 * plain JDBC. {@link io.holdfast.jdbc.JdbcTransactions} lets a service write to the outbox in its own transactions.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
