@NullMarked
package io.holdfast.examples.shop;

import org.jspecify.annotations.NullMarked;
