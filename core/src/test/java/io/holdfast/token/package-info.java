@NullMarked
package io.holdfast.token;

import org.jspecify.annotations.NullMarked;
