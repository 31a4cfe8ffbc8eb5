@NullMarked
package io.holdfast.parking;

import org.jspecify.annotations.NullMarked;
