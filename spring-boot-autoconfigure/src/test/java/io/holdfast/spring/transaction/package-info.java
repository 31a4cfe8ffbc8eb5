/** Tests of handlers and methods that write in transactions of Spring, in each database. */
@NullMarked
package io.holdfast.spring.transaction;

import org.jspecify.annotations.NullMarked;
