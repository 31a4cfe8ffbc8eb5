package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.testsupport.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A separate process that appends as fast as it can until it is killed, and prints the responses to its standard
 * output. Arguments: the database's url; the numbers at which its callers continue; what happens at which moment:
 * {@code none}, {@code die=before:COMMIT:30} or {@code wait=after:LOCK_HEAD:30}.
 */
final class AppendingProcess {

    static final int CALLERS = 8;
    private static final String AT_MOMENT = "AT";

    private AppendingProcess() {}

    /** @param option what happens at which moment */
    static JavaProcess start(String url, ProcessResponses responses, String option) {
        return JavaProcess.builder(AppendingProcess.class)
                .arguments(url, responses.next(), option)
                .onLine(responses::accept)
                .start();
    }

    /** Waits until the process has reached the moment at which it pauses. */
    static void awaitMoment(JavaProcess process) {
        process.awaitLine(AT_MOMENT::equals);
    }

    /** Resumes a process that pauses at its moment. */
    static void resume(JavaProcess process) {
        process.send("");
    }

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

    /** Prints the line in one write, so that a kill cannot truncate it. */
    static synchronized void printLine(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }

    static void killSelf() {
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
        printLine(AT_MOMENT);
        try {
            int read = System.in.read();
            printLine("GO " + read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
