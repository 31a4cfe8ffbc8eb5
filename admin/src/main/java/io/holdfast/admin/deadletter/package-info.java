/**
 * The dead letters of all services: {@link io.holdfast.admin.deadletter.DeadLetters} asks their owners,
 * {@link io.holdfast.admin.deadletter.DeadLetterOwner} answers for this service.
 *
 * <p><b>Audience:</b> users. They inject {@link io.holdfast.admin.deadletter.DeadLetterQueueOperations}.
 */
@NullMarked
package io.holdfast.admin.deadletter;

import org.jspecify.annotations.NullMarked;
