/**
 * Finds the components of a service by the references and entry ids that operators use, and rejects unknown ones.
 *
 * <p><b>Audience:</b> users. They see the exceptions; {@link io.holdfast.admin.component.ServiceComponents} and
 * {@link io.holdfast.admin.component.ManagedComponent} are public only for the other packages of this module.
 */
@NullMarked
package io.holdfast.admin.component;

import org.jspecify.annotations.NullMarked;
