/** Services in processes of their own, killed and started again while they work. */
@NullMarked
package io.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
