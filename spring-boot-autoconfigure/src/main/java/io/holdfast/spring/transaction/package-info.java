/**
 * Joins the transactions of a service and those of Spring: handlers write application rows in the transaction that
 * commits their position, and a commit of Spring publishes what it wrote to the outbox.
 *
 * <p><b>Audience:</b> engine. The auto-configuration is public so that applications can name it, to exclude it or to
 * order their own.
 */
@NullMarked
package io.holdfast.spring.transaction;

import org.jspecify.annotations.NullMarked;
