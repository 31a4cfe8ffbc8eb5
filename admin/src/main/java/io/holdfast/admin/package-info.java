/** What operators do about a service, as services and as a REST API. */
@NullMarked
package io.holdfast.admin;

import org.jspecify.annotations.NullMarked;
