@NullMarked
package io.holdfast.handling;

import org.jspecify.annotations.NullMarked;
