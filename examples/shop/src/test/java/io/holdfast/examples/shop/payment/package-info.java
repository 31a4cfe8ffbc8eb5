@NullMarked
package io.holdfast.examples.shop.payment;

import org.jspecify.annotations.NullMarked;
