package io.holdfast.examples.shop.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The services that a shop with one process per service must not run: a file per service. The launcher stops the process
 * of such a service and starts it again once the file is gone.
 */
public final class StoppedServices {

    private static final String DIRECTORY = "stopped";

    private final Path directory;

    /** @param data the directory of the shop's databases */
    public StoppedServices(Path data) {
        this.directory = data.resolve(DIRECTORY);
    }

    public boolean contains(String service) {
        return Files.exists(directory.resolve(service));
    }

    public void add(ShopService service) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(service.serviceName()), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Does nothing if the service is not stopped. */
    public void remove(ShopService service) {
        try {
            Files.deleteIfExists(directory.resolve(service.serviceName()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes all services and the directory. */
    public void clear() {
        for (ShopService service : ShopService.values()) {
            remove(service);
        }
        try {
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
