/** Tests of the wiring. */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
