@NullMarked
package io.holdfast.examples.shop.demo;

import org.jspecify.annotations.NullMarked;
