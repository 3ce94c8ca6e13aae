"""What comes of a soak's games: a summary, and whether all that was asked for holds."""

import math
from collections import Counter

from soak.game_file import Record, percentile, warm

IDLE_LIMIT_MS = 10.0  # overshoot at the 99.9th percentile
LOADED_LIMIT_MS = 100.0  # overshoot of any move
QUIET_SHARE = 0.1  # of one processor used by strangers, at most, in a quiet game
END_LIMIT_MS = 500.0  # managers kill so long after END
TOLERANCE_MS = 1000.0  # that Gomocup's judge and Piskvork forgive a late move
GROWTH = 1.1  # the most that a process may grow from its first games to its last
GROWTH_MB = 8.0  # and beside that
AGES = (1, 10, 30, 100, 300, 1000)  # games that a process has served, for its memory


def summarize(records, busy=False):
    """The summary as text, and whether everything that was asked for holds."""
    games = [Record(**record) for record in records]
    figures = {name: overshoots(group) for name, group in groups_of(games).items()}
    last = max((game.end_ms for game in games), default=0.0)
    lost = lost_on_time(games)
    starved = sum(was_starved(game) for game in lost)
    ages = of_ages(games)
    variants = Counter(name or "as chosen" for game in games for name in game.variants)
    checks = {
        "no game lost on time with the tolerance of managers": (
            len(lost) == (starved if busy else 0)
        ),
        "memory flat": is_flat(ages),
        "no illegal move": total(games, "illegal") == 0,
        "no forbidden move": total(games, "forbidden") == 0,
        "no crash": total(games, "crashes") == 0,
        "nothing on stderr": total(games, "stderr") == 0,
        "no other trouble": not any(game.trouble for game in games),
    }
    if not busy:
        checks |= {
            f"idle p99.9 <= {IDLE_LIMIT_MS:g} ms": figures["idle"][2] <= IDLE_LIMIT_MS,
            f"loaded max <= {LOADED_LIMIT_MS:g} ms": (
                figures["loaded"][3] <= LOADED_LIMIT_MS
            ),
            f"END within {END_LIMIT_MS:g} ms": last <= END_LIMIT_MS,
        }
    lines = [
        *played_lines(games),
        "",
        *overshoot_lines(games, figures, last),
        *late_lines(games),
        *trouble_lines(games),
        "",
        f"games lost on time with a tolerance of {TOLERANCE_MS:g} ms: {len(lost)}, of"
        f" them {starved} by less than the brain was kept waiting for a processor",
        "seats by variant: " + ", ".join(f"{v} {n}" for v, n in variants.items()),
        "MB of a process by the games that it has served, median and most: "
        + ", ".join(f"{label} {median} {most}" for label, median, most in ages),
        "",
        *(f"{'ok  ' if held else 'FAIL'} {name}" for name, held in checks.items()),
    ]
    return "\n".join(lines), all(checks.values())


# --- Figures ---


def total(games, name):
    return sum(getattr(game, name) for game in games)


def groups_of(games):
    """The games whose clocks are summed up apart."""
    idle = [game for game in games if not game.loaded]
    loaded = [game for game in games if game.loaded]
    return {
        "idle": idle,
        "idle, quiet": [game for game in idle if game.foreign <= QUIET_SHARE],
        "loaded": loaded,
        "loaded, quiet": [game for game in loaded if game.foreign <= QUIET_SHARE],
    }


def overshoots(games):
    """Milliseconds over timeout_turn: p50, p99, p99.9 and the most."""
    over = sorted(ms - game.limit for game in games for ms in warm(game))
    return [percentile(over or [-math.inf], p) for p in (50, 99, 99.9, 100)]


def lost_on_time(games):
    """The games that a manager with the usual tolerance would have ended."""
    return [
        game
        for game in games
        if any(ms > game.limit + TOLERANCE_MS for ms in game.ms)
        or (game.least_left or 0) < -TOLERANCE_MS
    ]


def was_starved(game):
    """Late by less than its process was kept waiting for a processor."""
    return all(
        waited > ms - game.limit - TOLERANCE_MS
        for _, ms, _, waited, _ in game.late
        if ms > game.limit + TOLERANCE_MS
    )


def of_ages(games):
    """MB of the processes by how many games they have served: (label, median, most)."""
    rows = []
    for least, above in zip(AGES, [*AGES[1:], math.inf], strict=True):
        found = sorted(
            mb for game in games if least <= game.served < above for mb in game.memory
        )
        if found:
            rows.append((f"{least}+", percentile(found, 50), found[-1]))
    return rows


def is_flat(ages):
    """Whether the oldest processes are hardly larger than the young ones were."""
    if not ages:
        return True
    return ages[-1][1] <= max(row[1] for row in ages[:3]) * GROWTH + GROWTH_MB


# --- Lines ---


def played_lines(games):
    results = Counter(game.result for game in games)
    matches = [game for game in games if game.least_left is not None]
    overdrawn = sum(game.least_left < 0 for game in matches)
    return [
        f"games {len(games)}, moves {sum(len(game.ms) for game in games)}",
        "results: " + ", ".join(f"{name} {n}" for name, n in results.most_common()),
        f"illegal {total(games, 'illegal')}, forbidden {total(games, 'forbidden')}, "
        f"crashes {total(games, 'crashes')}, stderr bytes {total(games, 'stderr')} "
        f"({total(games, 'watched')} games with stderr let through), "
        f"troubles of any kind {sum(len(game.trouble) for game in games)}",
        f"match clocks: {len(matches)} games, overdrawn {overdrawn}, "
        f"least left {min((g.least_left for g in matches), default=0)} ms",
    ]


def overshoot_lines(games, figures, last):
    lines = [
        "overshoot of timeout_turn, ms (negative: before the limit)",
        f"{'':14}{'games':>6}{'moves':>8}{'late':>6}"
        f"{'p50':>9}{'p99':>9}{'p99.9':>9}{'max':>9}",
    ]
    groups = groups_of(games)
    for name, group in groups.items():
        moves = sum(len(warm(game)) for game in group)
        late = sum(ms > game.limit for game in group for ms in warm(game))
        row = "".join(f"{value:9.2f}" for value in figures[name])
        lines.append(f"{name:14}{len(group):6}{moves:8}{late:6}{row}")
    lines.append(f"from END to the exit: {last} ms at most")
    cold = sorted(game.ms[i] - game.limit for game in games for i in game.cold)
    if cold:
        lines.append(
            f"not counted: {len(cold)} first moves with the start of the process in "
            f"them, up to {cold[-1]:.0f} ms over"
        )
    foreign = sorted(game.foreign for game in groups["idle"]) or [0.0]
    lines.append(
        f"processors used by others during idle games: median "
        f"{percentile(foreign, 50)}, max {foreign[-1]}; taken away by the host: max "
        f"{max((game.stolen for game in games), default=0.0)}"
    )
    return lines


def late_lines(games):
    late = [
        (game, *entry)
        for game in games
        for entry in game.late
        if entry[0] not in game.cold
    ]
    late.sort(key=lambda entry: entry[0].limit - entry[2])
    lines = ["", "latest moves (ran/waited: the brain's process)"] if late else []
    for game, number, ms, ran, waited, said in late[:10]:
        lines.append(
            f"  #{game.game} {'loaded' if game.loaded else 'idle'} answer {number}: "
            f"{ms} ms of {game.limit}, ran {ran}, waited {waited}, foreign "
            f"{game.foreign}; {(said or '')[:70]}"
        )
    return lines


def trouble_lines(games):
    troubled = [game for game in games if game.trouble]
    lines = ["", "trouble"] if troubled else []
    for game in troubled[:20]:
        lines += [f"  #{game.game}: {text}" for text in game.trouble[:5]]
    builds = {game.build for game in games}
    if len(builds) > 1:
        lines.append(f"NOTE: games of {len(builds)} different builds")
    if any(game.workers > 1 for game in games):
        lines.append("NOTE: several workers at once: idle figures mean nothing")
    return lines
