/** Lost, duplicate and forged records on the wire never become a gap or a duplicate for a consumer. */
@NullMarked
package io.holdfast.wire.source;

import org.jspecify.annotations.NullMarked;
