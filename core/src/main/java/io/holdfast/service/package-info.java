/**
 * Everything of one service, put together: {@link io.holdfast.service.HoldfastService} over a
 * {@link io.holdfast.service.Store} and a wire.
 */
@NullMarked
package io.holdfast.service;

import org.jspecify.annotations.NullMarked;
