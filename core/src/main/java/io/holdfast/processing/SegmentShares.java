package io.holdfast.processing;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.HeldToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The segments that this replica works on: as many as its fair share, claimed when they are free, renewed in time, given
 * back when another replica has too few. For one thread.
 */
final class SegmentShares {

    /** How often it looks who holds what. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** What nobody took although it was free is kept for a while, so that it does not go round. */
    private static final int KEEP_LEASES = 6;

    private final ProcessorContext context;
    private final String replica;
    private final SegmentRequirements requirements;
    private final SegmentOpening opening;
    private final TokenStore tokens;
    private final NavigableMap<Integer, SegmentWork> works = new TreeMap<>();
    private final Map<Integer, ProcessorHold> holds = new HashMap<>();
    private final Map<Integer, Instant> freeSince = new HashMap<>();
    private final Map<Integer, Instant> avoidUntil = new HashMap<>();
    private final Map<Integer, SegmentWork> ending = new HashMap<>();
    private final Set<Integer> leaving = new HashSet<>();
    /** Those that are not worked on any more, since that was last said. */
    private final Set<Integer> dropped = new LinkedHashSet<>();

    private List<HeldToken> layout = List.of();
    private Set<String> replicas = Set.of();
    private Instant lookAt = Instant.MIN;
    private Instant attendAt = Instant.MIN;
    private Instant renewAt = Instant.MIN;
    private Instant keepUntil = Instant.MIN;

    SegmentShares(ProcessorContext context, String replica, SegmentRequirements requirements) {
        this.context = context;
        this.replica = replica;
        this.requirements = requirements;
        this.opening = new SegmentOpening(context, requirements);
        this.tokens = context.stores().tokens();
    }

    Collection<SegmentWork> works() {
        return List.copyOf(works.values());
    }

    Optional<SegmentWork> work(int number) {
        return Optional.ofNullable(works.get(number));
    }

    /** All segments, as they were when it last looked. */
    List<HeldToken> layout() {
        return layout;
    }

    Duration lease() {
        return context.settings().lease();
    }

    /** Looks at the segments again with the next step. */
    void lookAgain() {
        lookAt = Instant.MIN;
    }

    /** @return whether it has looked just now */
    boolean look() {
        renew();
        Instant now = context.now();
        if (now.isBefore(lookAt)) {
            return false;
        }
        layout = tokens.findAll(context.processor());
        boolean isOneFree = layout.stream().anyMatch(held -> held.owner() == null);
        if (isOneFree || !now.isBefore(attendAt)) { // whoever had it may be gone
            replicas = tokens.attend(context.processor(), replica, lease());
            attendAt = now.plus(lease().dividedBy(3));
        }
        abandonWhatWasChanged();
        lookAt = now.plus(LOOK.compareTo(lease().dividedBy(3)) < 0 ? LOOK : lease().dividedBy(3));
        return true;
    }

    /** Somebody has changed a segment under this replica's claim; what was read of it is not what it is to do now. */
    private void abandonWhatWasChanged() {
        for (HeldToken held : layout) {
            SegmentWork work = works.get(held.token().segment().number());
            if (work != null && work.isBehind(held.token().version())) {
                work.abandon();
            }
        }
    }

    private void renew() {
        Instant now = context.now();
        if (now.isBefore(renewAt) || works.isEmpty()) {
            return;
        }
        List<TokenClaim> claims =
                works.values().stream().map(SegmentWork::claim).toList();
        Set<TokenClaim> renewed = tokens.renew(claims, lease());
        works.values().stream().filter(work -> !renewed.contains(work.claim())).forEach(SegmentWork::abandon);
        renewAt = now.plus(lease().dividedBy(3));
    }

    /** Claims what is free, up to its share, and lets go what is above it. */
    void balance() {
        int share = (layout.size() + replicas.size() - 1) / Math.max(1, replicas.size());
        for (HeldToken held : layout) {
            int number = held.token().segment().number();
            boolean isFree = held.owner() == null || held.owner().equals(replica);
            if (works.containsKey(number) || !isFree || !mayClaim(held.token())) {
                freeSince.remove(number);
            } else if (works.size() - leaving.size() < share || isFreeForLong(number)) {
                claim(held.token().segment());
            } else if (held.owner() != null) { // it was changed under this replica's claim, and others have too few
                tokens.release(new TokenClaim(held.token().segment(), replica, held.fence()));
            }
        }
        letGo(share);
    }

    private boolean mayClaim(Token token) {
        int number = token.segment().number();
        return !token.setup().paused()
                && requirements.problem(token.setup()).isEmpty()
                && !context.now().isBefore(avoidUntil.getOrDefault(number, Instant.MIN))
                && hold(number).remaining().isZero()
                && !isStillHandled(number);
    }

    /** Handlers of a segment that was lost cannot be stopped; the same events are not handled beside them. */
    private boolean isStillHandled(int number) {
        SegmentWork before = ending.get(number);
        if (before != null && !before.isHandling()) {
            ending.remove(number);
            return false;
        }
        return before != null;
    }

    private Optional<String> stillHandled(int number) {
        return Optional.ofNullable(ending.get(number))
                .filter(SegmentWork::isHandling)
                .map(before -> "it was lost while handlers ran, and is taken again when these have ended");
    }

    private boolean isFreeForLong(int number) {
        Instant since = freeSince.computeIfAbsent(number, unknown -> context.now());
        boolean isLong =
                !context.now().isBefore(since.plus(lease().dividedBy(2))); // before who gave it back is allowed
        if (isLong) {
            keepUntil = context.now().plus(lease().multipliedBy(KEEP_LEASES));
        }
        return isLong;
    }

    private void letGo(int share) {
        if (context.now().isBefore(keepUntil)) {
            return;
        }
        for (Integer number : works.descendingKeySet()) {
            if (works.size() - leaving.size() > share && !leaving.contains(number)) {
                leave(number, Duration.ZERO);
            }
        }
    }

    /** Gives a segment back when it has come to rest, and does not take it for a while. */
    void leave(int number, Duration avoid) {
        SegmentWork work = works.get(number);
        if (work != null) {
            work.stop();
            leaving.add(number);
            avoidUntil.put(number, context.now().plus(avoid));
        }
    }

    /** Whatever stopped them is over; those that are to leave come to rest all the same. */
    void goOn() {
        works.keySet().forEach(this::goOn);
    }

    void goOn(int number) {
        if (!leaving.contains(number)) {
            work(number).ifPresent(SegmentWork::goOn);
        }
    }

    /** It does not leave after all. */
    void stay(int number) {
        leaving.remove(number);
        avoidUntil.remove(number);
        work(number).ifPresent(SegmentWork::goOn);
    }

    /** Takes a segment whatever its share, if it is free. */
    Optional<SegmentWork> claim(Segment segment) {
        Optional<TokenClaim> claim = tokens.claim(segment, replica, lease());
        renewAt = works.isEmpty() ? context.now().plus(lease().dividedBy(3)) : renewAt;
        return claim.flatMap(this::open);
    }

    private Optional<SegmentWork> open(TokenClaim claim) {
        int number = claim.segment().number();
        Optional<SegmentWork> opened = opening.open(claim, hold(number));
        opened.ifPresent(work -> {
            works.put(number, work);
            freeSince.remove(number);
            leaving.remove(number);
            context.metrics().showLag(number, work, SegmentWork::lag);
        });
        return opened;
    }

    /** The same segment, changed under this replica's own claim. */
    Optional<SegmentWork> reopen(int number) {
        SegmentWork work = works.remove(number);
        if (work == null) {
            return Optional.empty();
        }
        work.abandon();
        return open(work.claim());
    }

    /** Drops what is lost and gives back what has come to rest and is to leave. */
    void drop() {
        for (SegmentWork work : works()) {
            boolean leaves = leaving.contains(work.number());
            if (leaves && (work.isLost() || work.isAtRest())) {
                tokens.release(work.claim()); // also what was only changed under the claim
                work.abandon();
            }
            if (work.isLost()) {
                forget(work.number());
            }
        }
    }

    /** The segments that were dropped since this was last asked for, and are not worked on again. */
    Set<Integer> takeDropped() {
        dropped.removeAll(works.keySet());
        Set<Integer> taken = Set.copyOf(dropped);
        dropped.clear();
        return taken;
    }

    private void forget(int number) {
        SegmentWork work = works.remove(number);
        if (work != null && work.isHandling()) {
            ending.put(number, work);
        }
        leaving.remove(number);
        dropped.add(number);
        context.metrics().hideLag(number);
    }

    /** Gives everything back, and says that this replica is gone. */
    void release() {
        for (SegmentWork work : works()) {
            work.abandon();
            forget(work.number());
            tokens.release(work.claim());
        }
        tokens.leave(context.processor(), replica);
        lookAt = Instant.MIN;
        attendAt = Instant.MIN;
    }

    /** Everything was changed by somebody: nothing that is held here counts. */
    void abandon() {
        works().forEach(work -> {
            work.abandon();
            forget(work.number());
        });
        lookAt = Instant.MIN;
    }

    private ProcessorHold hold(int number) {
        return holds.computeIfAbsent(
                number,
                unknown -> new ProcessorHold(
                        context.service() + "/" + new Segment(context.processor(), number), context.clock()));
    }

    /** All segments, with what is known here of those that this replica works on. */
    List<SegmentStatus> status() {
        List<SegmentStatus> status = new ArrayList<>();
        for (HeldToken held : layout) {
            int number = held.token().segment().number();
            SegmentWork work = works.get(number);
            status.add(work == null ? unclaimed(held) : work.status());
        }
        return status;
    }

    private SegmentStatus unclaimed(HeldToken held) {
        int number = held.token().segment().number();
        ProcessorHold hold = hold(number);
        Optional<String> owner = Optional.ofNullable(held.owner()).filter(other -> !other.equals(replica));
        return new SegmentStatus(
                number,
                held.token().setup().mask(),
                owner,
                false,
                held.token().positions(),
                0,
                held.token().marks().size(),
                Map.of(),
                hold.event(),
                hold.failures(),
                owner.isPresent()
                        ? Optional.empty() // whatever was wrong with it here
                        : hold.error()
                                .or(() -> requirements.problem(held.token().setup()))
                                .or(() -> stillHandled(number)),
                List.of());
    }

    /** The highest position that any segment has dealt with something at, by stream. */
    Map<String, Long> highest() {
        Map<String, Long> highest = new HashMap<>();
        for (HeldToken held : layout) {
            held.token().positions().forEach((stream, position) -> raise(highest, stream, position));
            held.token().marks().forEach(mark -> highest.merge(mark.stream(), mark.position(), Math::max));
        }
        works.values()
                .forEach(work -> work.readPositions().forEach((stream, position) -> raise(highest, stream, position)));
        return highest;
    }

    private static void raise(Map<String, Long> highest, String stream, StreamPosition position) {
        highest.merge(stream, position.position(), Math::max);
    }
}
