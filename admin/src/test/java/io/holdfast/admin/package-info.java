/** Tests of the operations, on the example service {@code Warehouse}. */
@NullMarked
package io.holdfast.admin;

import org.jspecify.annotations.NullMarked;
