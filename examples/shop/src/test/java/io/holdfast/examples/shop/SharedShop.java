package io.holdfast.examples.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.util.FileSystemUtils;

/** Starts the shop once for all test classes that use it, and closes it after the last. */
final class SharedShop implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RunningShop.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(StartedShop.class, type -> new StartedShop(), StartedShop.class)
                .shop;
    }

    private static final class StartedShop implements AutoCloseable {

        private final Path data;
        private final RunningShop shop;

        StartedShop() {
            try {
                this.data = Files.createTempDirectory("holdfast-shop");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            this.shop = new RunningShop(data);
        }

        @Override
        public void close() throws IOException {
            shop.close();
            FileSystemUtils.deleteRecursively(data);
        }
    }
}
