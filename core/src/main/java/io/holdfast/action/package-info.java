/**
 * Actions of operators: staged before they run, and settled in the transaction of their effect. An action's
 * receipt is therefore accurate, whichever replica ran it and whichever died.
 *
 * <p><b>Audience:</b> users and adapters.
 */
@NullMarked
package io.holdfast.action;

import org.jspecify.annotations.NullMarked;
