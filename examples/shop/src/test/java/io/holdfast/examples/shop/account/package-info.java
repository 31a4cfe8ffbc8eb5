@NullMarked
package io.holdfast.examples.shop.account;

import org.jspecify.annotations.NullMarked;
