@NullMarked
package io.holdfast.saga.statistics;

import org.jspecify.annotations.NullMarked;
