/**
 * Assembles a service: {@link io.holdfast.service.HoldfastService} on a {@link io.holdfast.service.Store} and a wire.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.service;

import org.jspecify.annotations.NullMarked;
