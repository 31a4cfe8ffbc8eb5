/** Operations on a running service, for operators: find, inspect, replay and discard letters, inject faults. */
@NullMarked
package io.holdfast.admin;

import org.jspecify.annotations.NullMarked;
