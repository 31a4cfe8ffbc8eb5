/** Runs every kit for the JDBC adapters, on both databases. */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
