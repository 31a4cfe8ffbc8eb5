@NullMarked
package io.holdfast.jpa;

import org.jspecify.annotations.NullMarked;
