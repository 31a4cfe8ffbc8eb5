@NullMarked
package io.holdfast.deadline;

import org.jspecify.annotations.NullMarked;
