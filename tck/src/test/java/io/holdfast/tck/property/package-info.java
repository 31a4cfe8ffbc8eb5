@NullMarked
package io.holdfast.tck.property;

import org.jspecify.annotations.NullMarked;
