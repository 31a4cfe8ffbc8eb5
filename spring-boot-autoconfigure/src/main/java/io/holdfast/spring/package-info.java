/**
 * What an application writes, {@link io.holdfast.spring.EventComponent} and
 * {@link io.holdfast.spring.HoldfastServiceCustomizer}, and what makes a service of it: the discovery of components, the
 * wire, the service and its lifecycle.
 *
 * <p><b>Audience:</b> users. {@link io.holdfast.spring.EventComponents} is public only for the other packages of this
 * module.
 */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
