/**
 * The services of the system, as one of them sees them: {@link io.holdfast.admin.directory.ServiceDirectory}.
 *
 * <p><b>Audience:</b> engine. Public for the REST API and for modules on top of it.
 */
@NullMarked
package io.holdfast.admin.directory;

import org.jspecify.annotations.NullMarked;
