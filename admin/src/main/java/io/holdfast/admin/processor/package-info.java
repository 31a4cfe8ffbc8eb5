/**
 * The processors of all services: {@link io.holdfast.admin.processor.ProcessorListing}.
 *
 * <p><b>Audience:</b> engine. Public for the REST API and for modules on top of it.
 */
@NullMarked
package io.holdfast.admin.processor;

import org.jspecify.annotations.NullMarked;
