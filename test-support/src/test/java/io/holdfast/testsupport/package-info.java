/** Tests of the classes that the tests of other modules rely on. */
@NullMarked
package io.holdfast.testsupport;

import org.jspecify.annotations.NullMarked;
