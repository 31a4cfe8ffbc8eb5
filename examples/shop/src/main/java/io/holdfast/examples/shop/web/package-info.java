/**
 * What the services of the shop have in common at their outer edge: how they refuse bad input, and how they show a history.
 * Nothing of what they do.
 */
@NullMarked
package io.holdfast.examples.shop.web;

import org.jspecify.annotations.NullMarked;
