@NullMarked
package io.holdfast.deadletter;

import org.jspecify.annotations.NullMarked;
