package io.holdfast.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Prints the machine that the figures were measured on. */
final class Machine {

    private Machine() {}

    static void print() {
        Runtime runtime = Runtime.getRuntime();
        Report.line(
                "%d cores, load average %.1f, heap %d MB, JDK %s, %s",
                runtime.availableProcessors(),
                loadAverage(),
                runtime.maxMemory() / (1024 * 1024),
                Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"));
    }

    /** Returns the load average of the last minute. */
    static double loadAverage() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** Returns the processor time of this process, which depends less on the load of the machine than throughput. */
    static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** A load average above the number of cores means that the figures are too low. */
    static void printLoad() {
        Report.line("load average at the end %.1f, including this benchmark", loadAverage());
    }
}
