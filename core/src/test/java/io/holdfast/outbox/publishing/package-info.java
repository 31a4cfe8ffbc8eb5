@NullMarked
package io.holdfast.outbox.publishing;

import org.jspecify.annotations.NullMarked;
