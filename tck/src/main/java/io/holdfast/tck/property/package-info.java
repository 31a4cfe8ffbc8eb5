/** Property tests: random runs from a printed seed. A failing run is shrunk to the steps that are needed to fail. */
@NullMarked
package io.holdfast.tck.property;

import org.jspecify.annotations.NullMarked;
