package io.holdfast.examples.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a test once for every combination of its choices (depth-first enumeration). Each run starts from scratch and
 * repeats the choices of the previous run up to the last one with an alternative left.
 */
final class Interleaving {

    private final List<Integer> chosen = new ArrayList<>();
    private final List<Integer> alternatives = new ArrayList<>();
    private final int depth;
    private int next;

    private Interleaving(int depth) {
        this.depth = depth;
    }

    /** @return the number of runs */
    static int runAll(Consumer<Interleaving> run) {
        return runAll(Integer.MAX_VALUE, run);
    }

    /**
     * @param depth the number of choices to enumerate; later choices always take the first alternative
     * @return the number of runs
     */
    static int runAll(int depth, Consumer<Interleaving> run) {
        Interleaving choices = new Interleaving(depth);
        int runs = 0;
        do {
            choices.next = 0;
            run.accept(choices);
            runs++;
        } while (choices.advance());
        return runs;
    }

    /** @return an index from 0 to {@code count - 1} */
    int choose(int count) {
        if (next >= depth) {
            return 0;
        }
        if (next == chosen.size()) {
            chosen.add(0);
            alternatives.add(count);
        }
        return chosen.get(next++);
    }

    private boolean advance() {
        while (!chosen.isEmpty()) {
            int last = chosen.size() - 1;
            if (chosen.get(last) + 1 < alternatives.get(last)) {
                chosen.set(last, chosen.get(last) + 1);
                return true;
            }
            chosen.remove(last);
            alternatives.remove(last);
        }
        return false;
    }

    @Override
    public String toString() {
        return "choices " + chosen;
    }
}
