@NullMarked
package io.holdfast.aggregate;

import org.jspecify.annotations.NullMarked;
