package io.holdfast.handling.otherpackage;

import io.holdfast.event.EventMessage;
import io.holdfast.handling.AnnotatedHandlersTests;

/** Its method does not override the package-private method of its superclass. */
public class SameNameInOtherPackage extends AnnotatedHandlersTests.VisibleInItsPackage {

    void on(EventMessage message) {
        throw new AssertionError("this is another method");
    }
}
