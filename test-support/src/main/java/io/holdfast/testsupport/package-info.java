/**
 * Real processes, PostgreSQL servers and Hazelcast members, each with bounded waits and on loopback. Other modules
 * depend on them in test scope only; the module is not published.
 *
 * <p><b>Audience:</b> the tests of this repository.
 */
@NullMarked
package io.holdfast.testsupport;

import org.jspecify.annotations.NullMarked;
