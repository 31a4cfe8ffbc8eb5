/**
 * The streams of all services, and the consumer groups that read them: {@link io.holdfast.admin.stream.StreamListing}.
 *
 * <p><b>Audience:</b> engine. Public for the REST API and for modules on top of it.
 */
@NullMarked
package io.holdfast.admin.stream;

import org.jspecify.annotations.NullMarked;
