/** Tests of the operations on letters, on the example service {@code Warehouse}. */
@NullMarked
package io.holdfast.admin.deadletter;

import org.jspecify.annotations.NullMarked;
