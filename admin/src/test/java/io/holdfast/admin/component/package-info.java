/** Tests of the lookup of components. */
@NullMarked
package io.holdfast.admin.component;

import org.jspecify.annotations.NullMarked;
