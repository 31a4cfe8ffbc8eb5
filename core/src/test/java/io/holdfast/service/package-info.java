@NullMarked
package io.holdfast.service;

import org.jspecify.annotations.NullMarked;
