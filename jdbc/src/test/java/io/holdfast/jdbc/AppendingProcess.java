package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A process of its own that appends as fast as it can until it is killed, and says on its standard output what was
 * answered. Arguments: the database's url; the numbers that its callers go on with; what happens at which moment:
 * {@code none}, {@code die=before:COMMIT:30} or {@code wait=after:TAKE_HEAD:30}.
 */
final class AppendingProcess {

    static final int CALLERS = 8;

    private AppendingProcess() {}

    public static void main(String[] args) throws InterruptedException {
        String[] numbers = args[1].split(",", -1);
        Bank bank = Bank.open(args[0], observer(args[2]));
        List<Thread> callers = IntStream.range(0, CALLERS)
                .mapToObj(caller -> new Thread(new AppendingCaller(bank, caller, Integer.parseInt(numbers[caller]))))
                .toList();
        callers.forEach(Thread::start);
        new CountingConsumer(bank).run();
    }

    /** @param option what happens at which moment */
    static CommitPoint.Observer observer(String option) {
        if (option.startsWith("die=")) {
            return MomentTrap.of(option.substring(4), AppendingProcess::killSelf);
        }
        if (option.startsWith("wait=")) {
            return MomentTrap.of(option.substring(5), AppendingProcess::awaitLine);
        }
        return CommitPoint.Observer.NONE;
    }

    /** Says it in one write, so that no line is cut by a kill. */
    static synchronized void printLine(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }

    private static void killSelf() {
        try {
            new ProcessBuilder(
                            "kill", "-9", Long.toString(ProcessHandle.current().pid()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        while (true) {
            LockSupport.park();
        }
    }

    private static void awaitLine() {
        printLine("AT");
        try {
            int read = System.in.read();
            printLine("GO " + read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
