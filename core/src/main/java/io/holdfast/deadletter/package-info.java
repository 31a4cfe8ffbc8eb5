/**
 * The sequenced dead-letter queue: events that failed are parked as letters, and later events of the same sequence are
 * parked behind them, so that none overtakes.
 *
 * <p><b>Audience:</b> users and adapters.
 */
@NullMarked
package io.holdfast.deadletter;

import org.jspecify.annotations.NullMarked;
