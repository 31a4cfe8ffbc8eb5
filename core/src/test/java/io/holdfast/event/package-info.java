@NullMarked
package io.holdfast.event;

import org.jspecify.annotations.NullMarked;
