/** Tests of the gateway. */
@NullMarked
package io.holdfast.admin.gateway;

import org.jspecify.annotations.NullMarked;
