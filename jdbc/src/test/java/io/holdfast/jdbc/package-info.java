/** The JDBC adapters pass every kit, on both databases. */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
