package io.holdfast.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary directory that is deleted on close and on JVM shutdown. */
final class TemporaryFolder implements AutoCloseable {

    private static final int FLUSHES = 50;

    private final Path path;
    private final Thread atExit = new Thread(this::delete);

    TemporaryFolder() {
        try {
            this.path = Files.createTempDirectory("holdfast-bench");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    Path path() {
        return path;
    }

    /** Returns the median duration of an fsync after writing one page, in milliseconds. */
    double fsync() {
        Path file = path.resolve("fsync");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            double[] times = new double[FLUSHES];
            for (int i = 0; i < FLUSHES; i++) {
                long start = System.nanoTime();
                channel.write(ByteBuffer.allocate(8192), 0);
                channel.force(false);
                times[i] = (System.nanoTime() - start) / 1e6;
            }
            return Report.median(times);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        delete();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private void delete() {
        try (Stream<Path> files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder()).forEach(TemporaryFolder::delete);
        } catch (IOException | UncheckedIOException e) {
            // A server that is still shutting down deletes its own files.
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
