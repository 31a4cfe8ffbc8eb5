package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import io.holdfast.examples.shop.launcher.ShopStartException;
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

/** The files of the shop. What else is in the directory is somebody else's, and stays. */
final class ShopData {

    private ShopData() {}

    /** @throws ShopStartException if a database is in use, also by a shop that is not ready; then nothing is removed */
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
        removeIfEmpty(data);
    }

    /** H2 locks the files that it works on. */
    private static void requireUnused(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            // by this process
        }
        throw new ShopStartException(file + " is in use: a shop runs, or is being started; end it first, then reset");
    }

    private static boolean isDatabase(Path file) {
        String name = file.getFileName().toString();
        return Arrays.stream(ShopService.values()).anyMatch(service -> isDatabaseFileOf(service, name));
    }

    /** H2 keeps a database in files that are named after it. */
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
