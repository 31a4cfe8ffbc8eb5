@NullMarked
package io.holdfast.saga;

import org.jspecify.annotations.NullMarked;
