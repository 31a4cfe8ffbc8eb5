@NullMarked
package io.holdfast.examples.shop.order;

import org.jspecify.annotations.NullMarked;
