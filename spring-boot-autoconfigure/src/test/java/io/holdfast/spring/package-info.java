/** Tests of the auto-configuration. */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
