/**
 * Property tests: random runs from a seed that is printed, shortened to the steps that are needed when one fails.
 */
@NullMarked
package io.holdfast.tck.property;

import org.jspecify.annotations.NullMarked;
