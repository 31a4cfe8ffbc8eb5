/** The example service {@code Warehouse} of the tests. */
@NullMarked
package io.holdfast.admin;

import org.jspecify.annotations.NullMarked;
