package io.holdfast.spring.properties;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Reads a property for a condition in the same way as it is bound later. A condition on the raw text would treat
 * {@code "jdbc "} or an empty value differently.
 */
public final class PropertyValue {

    private PropertyValue() {}

    /**
     * @return whether the property is not set or has this value; false if it is invalid, which the binding reports
     *     later
     */
    public static <E extends Enum<E>> boolean isOrMissing(Environment environment, String name, E wanted) {
        return is(environment, name, wanted, true);
    }

    /** @return whether the property has this value; false if it is invalid, which the binding reports later */
    public static <E extends Enum<E>> boolean is(Environment environment, String name, E wanted) {
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
