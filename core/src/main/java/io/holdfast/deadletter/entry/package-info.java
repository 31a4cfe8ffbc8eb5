/**
 * Entries: letters as operators see them, parked or resolved. Lists, counts and cause groups are read here; what operators
 * do with entries is in package {@code action}.
 *
 * <p><b>Audience:</b> users and adapters.
 */
@NullMarked
package io.holdfast.deadletter.entry;

import org.jspecify.annotations.NullMarked;
