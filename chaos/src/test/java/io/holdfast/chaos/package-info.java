/** Services in their own processes, killed and restarted while they work. */
@NullMarked
package io.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
