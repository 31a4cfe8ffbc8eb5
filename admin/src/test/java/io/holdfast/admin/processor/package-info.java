/** Tests of how the states of several replicas are merged. */
@NullMarked
package io.holdfast.admin.processor;

import org.jspecify.annotations.NullMarked;
