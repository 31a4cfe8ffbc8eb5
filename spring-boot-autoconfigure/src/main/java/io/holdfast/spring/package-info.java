/** What a Spring Boot service says to Holdfast, and the wiring that follows from it. */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
