/** Tests of the properties, against the core, the metadata and the reference. */
@NullMarked
package io.holdfast.spring.properties;

import org.jspecify.annotations.NullMarked;
