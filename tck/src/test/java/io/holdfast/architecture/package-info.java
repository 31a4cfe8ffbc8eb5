/** What the code must look like, whoever writes it. */
@NullMarked
package io.holdfast.architecture;

import org.jspecify.annotations.NullMarked;
