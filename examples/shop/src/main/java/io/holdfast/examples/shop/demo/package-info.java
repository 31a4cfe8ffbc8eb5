/**
 * The demo: the whole shop in one JVM, many callers at once, and an audit of the books of all services afterwards.
 */
@NullMarked
package io.holdfast.examples.shop.demo;

import org.jspecify.annotations.NullMarked;
