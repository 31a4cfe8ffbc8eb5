/**
 * The engine's threads: named, woken by signal, ended by closing and never by interruption.
 */
@NullMarked
package io.holdfast.worker;

import org.jspecify.annotations.NullMarked;
