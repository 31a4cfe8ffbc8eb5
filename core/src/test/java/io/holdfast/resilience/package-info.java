@NullMarked
package io.holdfast.resilience;

import org.jspecify.annotations.NullMarked;
