/**
 * Actions of operators and their receipts. The gateway submits an action to its owner, and waits for the outcome; the
 * owner checks it, stores it, and reads its receipt.
 *
 * <p><b>Audience:</b> engine. {@link io.holdfast.admin.receipt.ReceiptDetails} is for users.
 */
@NullMarked
package io.holdfast.admin.receipt;

import org.jspecify.annotations.NullMarked;
