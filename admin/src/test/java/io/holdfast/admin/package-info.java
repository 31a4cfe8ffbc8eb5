/** Tests of what operators do, and the warehouse that they do it to. */
@NullMarked
package io.holdfast.admin;

import org.jspecify.annotations.NullMarked;
