@NullMarked
package io.holdfast.saga.tracking;

import org.jspecify.annotations.NullMarked;
