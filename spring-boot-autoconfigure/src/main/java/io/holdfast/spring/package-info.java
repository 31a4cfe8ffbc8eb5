/** Spring Boot auto-configuration of Holdfast: properties, annotations, customizers, and the wiring of the service. */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
