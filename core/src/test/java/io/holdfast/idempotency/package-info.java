@NullMarked
package io.holdfast.idempotency;

import org.jspecify.annotations.NullMarked;
