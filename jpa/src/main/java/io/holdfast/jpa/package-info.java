/**
 * Units in JPA transactions, and dead letters as entities, for services that write their application rows with JPA. The
 * tables are those of {@code io.holdfast.jdbc}, whose adapters join the transactions, so a service can switch between
 * the two.
 */
@NullMarked
package io.holdfast.jpa;

import org.jspecify.annotations.NullMarked;
