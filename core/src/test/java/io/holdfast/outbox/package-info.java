@NullMarked
package io.holdfast.outbox;

import org.jspecify.annotations.NullMarked;
