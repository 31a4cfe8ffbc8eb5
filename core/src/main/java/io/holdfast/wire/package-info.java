/**
 * What lies between services. It may forget anything at any time; what it gives is never altered, and the chain of
 * previous positions shows what it forgot.
 */
@NullMarked
package io.holdfast.wire;

import org.jspecify.annotations.NullMarked;
