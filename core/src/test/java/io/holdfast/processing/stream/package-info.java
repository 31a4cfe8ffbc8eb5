@NullMarked
package io.holdfast.processing.stream;

import org.jspecify.annotations.NullMarked;
