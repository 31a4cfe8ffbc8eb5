@NullMarked
package io.holdfast.deadline.firing;

import org.jspecify.annotations.NullMarked;
