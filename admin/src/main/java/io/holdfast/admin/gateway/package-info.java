/**
 * Operations of any service from any service: the gateway asks the owner, over the wire's request and reply or directly,
 * and gathers what all services answer. It stores nothing.
 *
 * <p><b>Audience:</b> engine. Public for the other packages of this module, and for modules on top of it.
 */
@NullMarked
package io.holdfast.admin.gateway;

import org.jspecify.annotations.NullMarked;
