package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import io.holdfast.examples.shop.launcher.ShopStartException;
import io.holdfast.examples.shop.launcher.StoppedServices;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Deletes the files of the shop. Other files in the directory are left alone. */
final class ShopData {

    private ShopData() {}

    /**
     * @throws ShopStartException if a database is in use, also by a shop that is not ready yet; nothing is deleted then
     */
    static void remove(Path data) throws IOException {
        List<Path> databases = list(data).stream().filter(ShopData::isDatabase).toList();
        for (Path file : databases) {
            requireUnused(file);
        }
        for (Path file : databases) {
            Files.delete(file);
        }
        Path logs = data.resolve("logs");
        if (Files.isDirectory(logs)) {
            for (Path file : list(logs)) {
                if (file.toString().endsWith(".log") || file.endsWith("hazelcast.xml")) {
                    Files.delete(file);
                }
            }
            removeIfEmpty(logs);
        }
        new StoppedServices(data).clear();
        removeIfEmpty(data);
    }

    /** Relies on the lock that H2 keeps on the file of an open database. */
    private static void requireUnused(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            // locked by this process
        }
        throw new ShopStartException(
                file + " is in use by a running or starting shop; stop it before you reset its data");
    }

    private static boolean isDatabase(Path file) {
        String name = file.getFileName().toString();
        return Arrays.stream(ShopService.values()).anyMatch(service -> isDatabaseFileOf(service, name));
    }

    /** H2 names the files of a database after it. */
    private static boolean isDatabaseFileOf(ShopService service, String file) {
        return file.equals(service.serviceName() + ".mv.db") || file.equals(service.serviceName() + ".trace.db");
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static void removeIfEmpty(Path directory) throws IOException {
        if (list(directory).isEmpty()) {
            Files.delete(directory);
        }
    }
}
