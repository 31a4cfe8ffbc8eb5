/**
 * The properties {@code framework.*}, their validation, and the exception that reports everything that is invalid.
 * Depends on no other package of this module.
 *
 * <p><b>Audience:</b> users. {@link io.holdfast.spring.properties.PropertyValue} and
 * {@link io.holdfast.spring.properties.ServiceName} are public only for the other packages of this module.
 */
@NullMarked
package io.holdfast.spring.properties;

import org.jspecify.annotations.NullMarked;
