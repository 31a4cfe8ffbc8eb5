@NullMarked
package io.holdfast.aggregate.state;

import org.jspecify.annotations.NullMarked;
