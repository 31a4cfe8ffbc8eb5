/** Tests of the search for sagas. */
@NullMarked
package io.holdfast.admin.saga;

import org.jspecify.annotations.NullMarked;
