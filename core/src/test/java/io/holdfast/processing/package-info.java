@NullMarked
package io.holdfast.processing;

import org.jspecify.annotations.NullMarked;
