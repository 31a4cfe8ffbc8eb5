/** Tests of health and readiness. */
@NullMarked
package io.holdfast.spring.health;

import org.jspecify.annotations.NullMarked;
