@NullMarked
package io.holdfast.wire;

import org.jspecify.annotations.NullMarked;
