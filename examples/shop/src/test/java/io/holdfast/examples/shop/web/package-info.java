@NullMarked
package io.holdfast.examples.shop.web;

import org.jspecify.annotations.NullMarked;
