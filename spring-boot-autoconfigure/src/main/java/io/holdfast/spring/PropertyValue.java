package io.holdfast.spring;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Reads a property for a condition as it is bound later. A condition on its text would take {@code "jdbc "}, or nothing at all
 * behind the equals sign, for another choice than the service does.
 */
final class PropertyValue {

    private PropertyValue() {}

    /** False also if it cannot be read: that is said when all properties are bound. */
    static <E extends Enum<E>> boolean isOrMissing(Environment environment, String name, E wanted) {
        return is(environment, name, wanted, true);
    }

    /** False also if it cannot be read: that is said when all properties are bound. */
    static <E extends Enum<E>> boolean is(Environment environment, String name, E wanted) {
        return is(environment, name, wanted, false);
    }

    private static <E extends Enum<E>> boolean is(Environment environment, String name, E wanted, boolean ifMissing) {
        try {
            BindResult<E> bound = Binder.get(environment).bind(name, wanted.getDeclaringClass());
            return bound.isBound() ? bound.get() == wanted : ifMissing;
        } catch (BindException e) {
            return false;
        }
    }
}
