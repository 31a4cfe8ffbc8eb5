@NullMarked
package io.holdfast.examples.shop.launcher;

import org.jspecify.annotations.NullMarked;
