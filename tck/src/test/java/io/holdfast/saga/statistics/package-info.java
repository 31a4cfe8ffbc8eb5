/** Properties of the values of saga statistics. */
@NullMarked
package io.holdfast.saga.statistics;

import org.jspecify.annotations.NullMarked;
