@NullMarked
package io.holdfast.examples.shop.inventory;

import org.jspecify.annotations.NullMarked;
