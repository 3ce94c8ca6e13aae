"""Statistics of results: Elo with error bars, LOS, SPRT, ratings of many players.

A tally counts trials from the worst outcome to the best. ``Score`` is for single games;
``Pentanomial`` is for pairs of games that begin from one opening with colours swapped.
Games of a pair depend on each other: an opening that helps a player in one game hurts
the player in the other. The spread of pairs includes that, the spread of single games
does not, so error bars and tests from pairs are narrower and right.

With x the points of a trial as a share of its most points (0, 1/2, 1 for a game; 0,
1/4, 1/2, 3/4, 1 for a pair), n trials, mean s and variance v = mean of (x - s)^2:

- Elo difference d(s) = -400 log10(1/s - 1); its 95 % interval is
  d(s - e) .. d(s + e) with e = 1.96 sqrt(v / n).
- Normalised Elo = (s - 1/2) / sqrt(g v) * 800 / ln 10, where g is the number of games
  of a trial, so that sqrt(g v) is the spread of one game. It measures how many games
  are needed to see a difference, whatever the share of draws.
- LOS, the likelihood of superiority, = Phi((s - 1/2) / sqrt(v / n)), where Phi is the
  normal distribution.

If all n trials ended alike, v is 0 and contains no information. Then the interval is
the exact one of a binomial share: an outcome seen n times of n has at least the share q
= 0.025^(1/n), and all other trials may be lost, or all won. LOS is then 1 - 2^-(n+1) if
that outcome is better than a half (Laplace's rule of succession).

Formulas as in fastchess (https://github.com/Disservin/fastchess, MIT licence) and
fishtest
(https://official-stockfish.github.io/docs/fishtest-wiki/Fishtest-Mathematics.html).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, TypedDict

from gomoku_brain.runs.json_rows import Count, Number

Z95 = 1.959963984540054
"""Standard deviations to each side that hold 95 % of a normal distribution."""

NELO_UNIT = 800 / math.log(10)
"""Normalised Elo of a mean one standard deviation above a half."""


def elo_of(score: float) -> float:
    """Return the Elo difference with the expected score ``score`` (0 to 1).

    It is infinite at 0 and 1.
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """Return the expected score (0 to 1) of an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


Matrix = list[list[float]]


@dataclass(frozen=True)
class Estimate:
    """Figure with its 95 % interval. Any of them may be infinite.

    If nothing is known, ``value`` is not a number and the interval is infinite. If all
    games were won, ``value`` and ``high`` are infinite; as text the estimate is then
    "> +140.2", its lower bound.
    """

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval; infinite if an end is."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        """Return "+12.3 +/- 4.5", or the known bound: "> +140.2"."""
        return self.text()

    def text(self, digits: int = 1) -> str:
        """Return the same with so many digits after the point."""
        bound = self._bound(digits)
        if bound is not None:
            return bound
        return f"{self.value:+z.{digits}f} +/- {self.error:.{digits}f}"

    def text_with_interval(self, digits: int = 0) -> str:
        """Return "+12 [-3, +29]", or the known bound as ``text``."""
        bound = self._bound(digits)
        if bound is not None:
            return bound
        ends = f"[{self.low:+z.{digits}f}, {self.high:+z.{digits}f}]"
        return f"{self.value:+z.{digits}f} {ends}"

    def _bound(self, digits: int) -> str | None:
        """Return the text of an estimate that has one finite bound, or none."""
        if math.isfinite(self.low) and math.isfinite(self.high):
            return None
        if math.isfinite(self.low):
            bound = f"> {self.low:+.{digits}f}"
        elif math.isfinite(self.high):
            bound = f"< {self.high:+.{digits}f}"
        else:
            return "unknown"
        if math.isfinite(self.value):
            return f"{self.value:+z.{digits}f} ({bound})"
        return bound


UNKNOWN = Estimate(math.nan, -math.inf, math.inf)


def finite(number: float) -> float | None:
    """Return the number, or None if it is infinite or unknown."""
    return number if math.isfinite(number) else None


class FiguresRow(TypedDict):
    """Results of games and the estimates from them."""

    games: Count
    points: Number
    score: Number
    elo: Number
    elo_low: Number
    elo_high: Number
    elo_error: Number
    nelo: Number
    nelo_error: Number
    los: Number


class Tally:
    """Counts of outcomes, with the statistics that the module describes."""

    GAMES = 1
    """Games of a trial."""

    def __post_init__(self) -> None:
        """Refuse a negative count. Raises ValueError."""
        if min(self.counts) < 0:
            raise ValueError(f"a number of games is 0 or more: {self!r}")

    @property
    def counts(self) -> tuple[int, ...]:
        """Trials by outcome, the worst first; outcomes are evenly spaced from 0
        to 1.
        """
        raise NotImplementedError

    @property
    def trials(self) -> int:
        """Number of games, or of pairs, that were counted."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """The number of these games."""
        return self.GAMES * self.trials

    @property
    def points(self) -> float:
        """Sum of points; a win counts 1, a draw 1/2."""
        best = len(self.counts) - 1
        return self.GAMES * sum(i * n for i, n in enumerate(self.counts)) / best

    @property
    def score(self) -> float:
        """Points of a game on average, 0 to 1; not a number before the first."""
        return self.points / self.games if self.games else math.nan

    @property
    def variance(self) -> float:
        """Variance of one trial's share of points; not a number before the first.

        The sum of squares is divided by the number of trials, not by one less.
        """
        if not self.trials:
            return math.nan
        xs = _outcomes(len(self.counts))
        mean = self.score
        squares = sum(n * (x - mean) ** 2 for x, n in zip(xs, self.counts, strict=True))
        return squares / self.trials

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of ``score``, clipped to 0..1; all of it before the first
        trial.
        """
        if not self.trials:
            return 0.0, 1.0
        if self._alike:
            share: float = 0.025 ** (1 / self.trials)
            return self.score * share, self.score * share + (1 - share)
        error = Z95 * math.sqrt(self.variance / self.trials)
        return max(0.0, self.score - error), min(1.0, self.score + error)

    @property
    def elo(self) -> Estimate:
        """Elo difference; infinite if everything was won or lost."""
        if not self.trials:
            return UNKNOWN
        low, high = self.interval
        return Estimate(elo_of(self.score), elo_of(low), elo_of(high))

    @property
    def nelo(self) -> Estimate:
        """Normalised Elo; its interval is infinite if all trials ended alike."""
        if not self.trials:
            return UNKNOWN
        above = self.score - 0.5
        if self._alike:
            value = math.copysign(math.inf, above) if above else math.nan
            return Estimate(value, -math.inf, math.inf)
        value = above / math.sqrt(self.GAMES * self.variance) * NELO_UNIT
        error = Z95 / math.sqrt(self.games) * NELO_UNIT
        return Estimate(value, value - error, value + error)

    @property
    def los(self) -> float:
        """Likelihood that the player is the stronger one, 0 to 1; 1/2 before the first
        trial.
        """
        if not self.trials or self.score == 0.5:
            return 0.5
        above = self.score - 0.5
        if self._alike:
            doubt: float = 0.5 ** (self.trials + 1)
            return 1 - doubt if above > 0 else doubt
        return (1 + math.erf(above / math.sqrt(2 * self.variance / self.trials))) / 2

    @property
    def _alike(self) -> bool:
        return max(self.counts) == self.trials

    def to_dict(self) -> FiguresRow:
        """Return all figures as values of JSON; one that is infinite or unknown is
        None.
        """
        elo, nelo = self.elo, self.nelo
        return {
            "games": self.games,
            "points": finite(self.points),
            "score": finite(self.score),
            "elo": finite(elo.value),
            "elo_low": finite(elo.low),
            "elo_high": finite(elo.high),
            "elo_error": finite(elo.error),
            "nelo": finite(nelo.value),
            "nelo_error": finite(nelo.error),
            "los": finite(self.los),
        }


@dataclass(frozen=True)
class Score(Tally):
    """Results of single games, from one player's side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, points: Iterable[float]) -> Self:
        """Count the points of each game: 1, 0.5 or 0. Raises ValueError for others."""
        seen = list(points)
        _check_points(seen)
        return cls(seen.count(1), seen.count(0.5), seen.count(0))

    @property
    def counts(self) -> tuple[int, ...]:
        """Losses, draws, wins."""
        return self.losses, self.draws, self.wins

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
        )

    def swapped(self) -> "Score":
        """Return the same games from the opponent's side."""
        return Score(self.losses, self.draws, self.wins)

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass(frozen=True)
class Pentanomial(Tally):
    """Results of pairs of games, from one player's side: points 0, 1/2, 1, 3/2, 2.

    A pair is one opening played twice with colours swapped.
    """

    GAMES = 2

    ll: int = 0
    """Pairs with two losses."""
    ld: int = 0
    """Pairs with a loss and a draw."""
    dd_wl: int = 0
    """Pairs with two draws, or a win and a loss."""
    wd: int = 0
    """Pairs with a win and a draw."""
    ww: int = 0
    """Pairs with two wins."""
    split: int = 0
    """Pairs of ``dd_wl`` with a win and a loss.

    Many of them mean that one colour wins the openings.
    """

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> Self:
        """Count the points of both games of each pair: 1, 0.5 or 0.

        Raises ValueError for others.
        """
        seen = list(pairs)
        _check_points(points for pair in seen for points in pair)
        sums = [first + second for first, second in seen]
        ll, ld, dd_wl, wd, ww = (sums.count(points) for points in (0, 0.5, 1, 1.5, 2))
        split = sum({first, second} == {0, 1} for first, second in seen)
        return cls(ll, ld, dd_wl, wd, ww, split)

    @property
    def counts(self) -> tuple[int, ...]:
        """Pairs with 0, 1/2, 1, 3/2, 2 points."""
        return self.ll, self.ld, self.dd_wl, self.wd, self.ww

    @property
    def pairs(self) -> int:
        """The number of counted pairs."""
        return self.trials

    def __add__(self, other: "Pentanomial") -> "Pentanomial":
        return Pentanomial(
            self.ll + other.ll,
            self.ld + other.ld,
            self.dd_wl + other.dd_wl,
            self.wd + other.wd,
            self.ww + other.ww,
            self.split + other.split,
        )

    def swapped(self) -> "Pentanomial":
        """Return the same pairs from the opponent's side."""
        return Pentanomial(self.ww, self.wd, self.dd_wl, self.ld, self.ll, self.split)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.counts))}]"


def _check_points(points: Iterable[float]) -> None:
    wrong = [each for each in points if each not in (0, 0.5, 1)]
    if wrong:
        raise ValueError(f"a game has 1, 0.5 or 0 points, not {wrong[0]!r}")


def _outcomes(number: int) -> list[float]:
    """Return the shares of points of ``number`` outcomes, from 0 to 1."""
    return [i / (number - 1) for i in range(number)]


# ----- SPRT -----

Model = Literal["logistic", "normalized"]
Verdict = Literal["H0", "H1", "continue"]

MAX_ELO: dict[Model, float] = {"logistic": 2000, "normalized": 200}
"""Largest difference that an SPRT can test, by model.

Beyond 231 normalised Elo no spread of results exists with which the computation of the
ratio could begin.
"""


@dataclass(frozen=True)
class Sprt:
    """Sequential test of "the difference is elo1" (H1) against "it is elo0" (H0).

    Play until the log-likelihood ratio leaves the bounds. ``alpha`` is the probability
    of a wrong H1 and ``beta`` of a wrong H0; the bounds are Wald's, log(beta/(1-alpha))
    and log((1-beta)/alpha). ``model`` is the unit of elo0 and elo1: "logistic" is plain
    Elo, "normalized" is normalised Elo. Raises ValueError unless elo0 < elo1, 0 <
    alpha, 0 < beta, alpha + beta < 1, the model is known and both differences are
    within ``MAX_ELO``, beyond which the ratio has no meaning.

    The ratio is the generalised one (GSPRT): each hypothesis is represented by the most
    likely distribution of outcomes that agrees with it. Empty outcomes count as 1/1000,
    as in fastchess, so that no likelihood is zero.

    Sources: M. Van den Bergh, "Comparing the approximations for the generalized log
    likelihood ratio of a multinomial distribution" (proposition 1.1) and "Comments on
    normalized Elo" (section 4.1), https://www.cantate.be/Fishtest/.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(f"elo0 {self.elo0} must be less than elo1 {self.elo1}")
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < risk < 1:
                raise ValueError(f"{name} {risk} must be between 0 and 1")
        if self.alpha + self.beta >= 1:
            raise ValueError("alpha + beta must be less than 1")
        if self.model not in MAX_ELO:
            raise ValueError(f'no model {self.model!r} (use "logistic", "normalized")')
        maximum = MAX_ELO[self.model]
        if max(-self.elo0, self.elo1) > maximum:
            raise ValueError(
                f"elo0 {self.elo0:g} and elo1 {self.elo1:g} must be within"
                f" +-{maximum:g} {self.model} Elo"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the test as values of JSON."""
        return {**asdict(self), "bounds": list(self.bounds)}

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds at which H0 and H1 are accepted."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, tally: Tally) -> float:
        """Return the log-likelihood ratio of H1 to H0; 0 before the first trial."""
        if not tally.trials:
            return 0.0
        counts = [n or 1e-3 for n in tally.counts]
        total = sum(counts)
        shares = [n / total for n in counts]
        if self.model == "logistic":
            p0 = _likeliest_with_mean(shares, score_of(self.elo0))
            p1 = _likeliest_with_mean(shares, score_of(self.elo1))
        else:
            unit = NELO_UNIT / math.sqrt(tally.GAMES)
            p0 = _likeliest_with_t(shares, self.elo0 / unit)
            p1 = _likeliest_with_t(shares, self.elo1 / unit)
        return sum(n * math.log(b / a) for n, a, b in zip(counts, p0, p1, strict=True))

    def verdict(self, tally: Tally) -> Verdict:
        """Return "H1" or "H0" once the ratio has reached that bound, else
        "continue".
        """
        llr = self.llr(tally)
        low, high = self.bounds
        return "H1" if llr >= high else "H0" if llr <= low else "continue"

    def __str__(self) -> str:
        return (
            f"SPRT [{self.elo0:g}, {self.elo1:g}] {self.model} Elo,"
            f" alpha {self.alpha:g}, beta {self.beta:g}"
        )


def _likeliest_with_mean(shares: Sequence[float], mean: float) -> list[float]:
    """Return the distribution with that mean that makes the observed shares most
    likely.

    With a_i the outcome's points minus the mean, it is p_i = share_i / (1 + theta a_i),
    theta being the root of sum share_i a_i / (1 + theta a_i).
    """
    return _tilted(shares, [x - mean for x in _outcomes(len(shares))])


def _likeliest_with_t(shares: Sequence[float], t: float) -> list[float]:
    """Return the likeliest distribution with mean = 1/2 + t * deviation.

    The constraint is linearised at the current distribution, starting with the even
    one, and solved until it no longer changes.
    """
    xs = _outcomes(len(shares))
    p = [1 / len(xs)] * len(xs)
    for _ in range(100):
        mean = sum(q * x for q, x in zip(p, xs, strict=True))
        variance = sum(q * (x - mean) ** 2 for q, x in zip(p, xs, strict=True))
        deviation = math.sqrt(variance)
        slopes = [
            x - 0.5 - t * deviation * (1 + (x - mean) ** 2 / variance) / 2 for x in xs
        ]
        before, p = p, _tilted(shares, slopes)
        if max(abs(a - b) for a, b in zip(before, p, strict=True)) < 1e-12:
            break
    return p


def _tilted(shares: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """Return share_i / (1 + theta slope_i), where theta makes sum p_i slope_i zero.

    The sum falls with theta, from plus to minus infinity, between the poles.
    """
    low, high = -1 / max(slopes), -1 / min(slopes)
    while True:
        theta = (low + high) / 2
        if theta in (low, high):
            break  # neighbouring floating-point numbers
        total = sum(
            q * slope / (1 + theta * slope)
            for q, slope in zip(shares, slopes, strict=True)
        )
        if total > 0:
            low = theta
        else:
            high = theta
    return [q / (1 + theta * slope) for q, slope in zip(shares, slopes, strict=True)]


# ----- Many players -----


@dataclass(frozen=True)
class Rating:
    """Place of a player in the table."""

    name: str
    elo: Estimate
    """Relative to the mean of the rated players, or to the anchor's; unknown for one
    whom no chain of games links to them."""
    score: Score
    """Results of all games together."""
    note: str = ""
    """Reason why the rating is unknown; "" if it is known."""

    def to_dict(self) -> dict[str, Any]:
        """Return the rating and the results as values of JSON.

        ``match --json`` takes the figures of pairs of games for those of the results.
        """
        return {
            "name": self.name,
            **self.score.to_dict(),
            "rating": finite(self.elo.value),
            "rating_error": finite(self.elo.error),
        }

    def __str__(self) -> str:
        """Return the player, the rating and the results, or why it is not rated."""
        return f"{self.name}: {self.note or f'Elo {self.elo}'} ({self.score})"


_UNLINKED = "no chain of games links the player to"


def ratings(
    results: Mapping[tuple[str, str], Score],
    anchor: str | None = None,
    anchor_elo: float = 0.0,
) -> list[Rating]:
    """Return the Elo table of many players, the strongest first.

    ``results`` has the score of a first against a second player, from the first's side;
    the same two may occur in both orders.

    The ratings are the most likely ones in the model of Bradley and Terry, where the
    expected score of a game is score_of(difference); a draw counts as half a win and
    half a loss. Such ratings are finite only if chains of points won lead from each
    player to each other one. Between two players who met but are not linked in both
    directions, one drawn game is added (the prior). Players whom no chain of games
    links to the others stay unrated; their ``note`` states it.

    Error bars are 95 % intervals of the difference to the mean of the rated players.
    They come from the "sandwich" H^-1 J H^-1: H is the information of the model, J the
    spread of the results. With draws the results spread less than the model assumes.

    With an ``anchor`` that player has ``anchor_elo``, without an error, and the others'
    error bars are those of the difference to it. As long as the anchor is not among the
    rated players, all ratings are unknown.

    Raises ValueError if a player meets itself, and for an anchor without a game.
    """
    names: list[str] = list(dict.fromkeys(name for pair in results for name in pair))
    index = {name: i for i, name in enumerate(names)}
    table = [[Score() for _ in names] for _ in names]
    for (first, second), score in results.items():
        if first == second:
            raise ValueError(f"{first!r} cannot be rated against itself")
        i, j = index[first], index[second]
        table[i][j] += score
        table[j][i] += score.swapped()
    if not names:
        return []
    totals = [sum(row, Score()) for row in table]

    _add_prior(table)
    players = range(len(names))
    linked = _reached([[s.points > 0 for s in row] for row in table])
    # Now a chain in one direction is one in both.
    groups = [[j for j in players if linked[i][j]] for i in players]
    rated = max(groups, key=lambda group: (len(group) > 1, _games(totals, group)))
    if len(rated) == 1:
        rated = []
    place_of_anchor = None
    if anchor is not None:
        if anchor not in index:
            raise ValueError(f"the anchor {anchor!r} is none of the players")
        if index[anchor] not in rated:
            note = f"not rated: {_UNLINKED} the anchor {anchor}"
            rows = [Rating(n, UNKNOWN, totals[index[n]], note) for n in names]
            return _by_points(rows)
        place_of_anchor = rated.index(index[anchor])
    estimates = _bradley_terry(table, rated, place_of_anchor, anchor_elo)
    elos = dict(zip(rated, estimates, strict=True))
    note = f"not rated: {_UNLINKED} the others"
    rows = [
        Rating(name, elos.get(i, UNKNOWN), totals[i], "" if i in elos else note)
        for i, name in enumerate(names)
    ]
    return _by_points(rows)


def _add_prior(table: list[list[Score]]) -> None:
    """Add a drawn game between players for whom the results alone give infinite
    ratings.

    It is added between two players who met, unless chains of points won link each of
    them to the other. All others keep their most likely ratings.
    """
    above = _reached([[s.points > 0 for s in row] for row in table])
    for i, row in enumerate(table):
        for j, score in enumerate(row):
            if score.games and not (above[i][j] and above[j][i]):
                row[j] += Score(draws=1)


def _by_points(rows: list[Rating]) -> list[Rating]:
    """Sort the rows, the strongest first; players without a rating by their points."""

    def place(row: Rating) -> tuple[float, float, str]:
        elo = row.elo.value
        known = not math.isnan(elo)
        return -elo if known else math.inf, -row.score.points, row.name

    return sorted(rows, key=place)


def _games(totals: list[Score], group: list[int]) -> int:
    return sum(totals[i].games for i in group)


def _reached(links: list[list[bool]]) -> list[list[bool]]:
    """Return whether a chain of links leads from i to j (Warshall); each reaches
    itself.
    """
    n = len(links)
    reached = [[links[i][j] or i == j for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            if reached[i][k]:
                reached[i] = [
                    a or b for a, b in zip(reached[i], reached[k], strict=True)
                ]
    return reached


def _bradley_terry(
    table: list[list[Score]],
    rated: list[int],
    anchor: int | None = None,
    anchor_elo: float = 0.0,
) -> list[Estimate]:
    """Return ratings of players who are all linked, by Newton's method.

    The unknowns are natural logarithms of strengths, with mean 0. ``anchor`` is the
    place in ``rated`` of the player who then gets ``anchor_elo``.
    """
    n = len(rated)
    every = range(n)
    scores = [[table[i][j] for j in rated] for i in rated]
    games = [[score.games for score in row] for row in scores]
    points = [[score.points for score in row] for row in scores]

    def shares(r: list[float]) -> Matrix:
        """Return the expected share of the points of each player against each."""
        return [[_logistic(b - a) for a in r] for b in r]

    def likelihood(p: Matrix) -> float:
        return math.fsum(
            points[i][j] * math.log(p[i][j]) for i in every for j in every if i != j
        )

    def of_differences(weights: Matrix) -> Matrix:
        """Return the matrix of a quadratic form in the differences of ratings."""
        return [
            [(sum(weights[i]) if i == j else 0.0) - weights[i][j] for j in every]
            for i in every
        ]

    def regular_at(p: Matrix) -> Matrix:
        """Return minus the Hessian, plus the matrix of ones over n, which is regular.

        The rows of the Hessian sum to 0, so without the second matrix it is singular;
        the solutions for right sides of sum 0 are the same.
        """
        info = of_differences(
            [[games[i][j] * p[i][j] * (1 - p[i][j]) for j in every] for i in every]
        )
        return [[x + 1 / n for x in row] for row in info]

    r = [0.0] * n
    p = shares(r)
    best = likelihood(p)
    while rated:
        gradient = [
            sum(points[i][j] - games[i][j] * p[i][j] for j in every) for i in every
        ]
        step = _solution(regular_at(p), gradient)
        length = max(map(abs, step))
        if length < 1e-12:
            break
        # A full step may overshoot far from the maximum; the function is concave, so
        # some shorter one climbs, until rounding hides the climb.
        share = min(1.0, 5 / length)
        while share > 1e-6:
            trial = [x + share * change for x, change in zip(r, step, strict=True)]
            expected = shares(trial)
            if (value := likelihood(expected)) > best:
                break
            share /= 2
        else:
            break
        r, p, best = trial, expected, value

    # The pseudo-inverse of minus the Hessian.
    inverse = [[x - 1 / n for x in row] for row in _inverse(regular_at(p))]
    squares = [
        [
            score.wins * (1 - q) ** 2
            + (score.games - score.wins - score.losses) * (0.5 - q) ** 2
            + score.losses * q**2
            for score, q in zip(*rows_of, strict=True)
        ]
        for rows_of in zip(scores, p, strict=True)
    ]
    spread = of_differences(squares)  # covariance of the gradient, by the results
    unit = 400 / math.log(10)
    base = [0.0] * n if anchor is None else inverse[anchor]
    zero = 0.0 if anchor is None else r[anchor] - anchor_elo / unit
    # Variance of a difference, by the weights of the results in both estimates.
    weights = [[x - y for x, y in zip(row, base, strict=True)] for row in inverse]
    variances = [_dot(row, [_dot(line, row) for line in spread]) for row in weights]
    rows = []
    for x, variance in zip(r, variances, strict=True):
        elo = (x - zero) * unit
        error = Z95 * math.sqrt(max(0.0, variance)) * unit
        rows.append(Estimate(elo, elo - error, elo + error))
    return rows


def _logistic(x: float) -> float:
    """Return 1 / (1 + exp(-x)), which is never 0 or 1 for the ratings of players."""
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    power = math.exp(x)
    return power / (1 + power)


def _dot(a: Iterable[float], b: Iterable[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _solution(matrix: Matrix, right: list[float]) -> list[float]:
    """Return x with ``matrix`` x = ``right``, for a positive definite matrix."""
    rows = [[*row, x] for row, x in zip(matrix, right, strict=True)]
    for k, top in enumerate(rows):
        for i in range(k + 1, len(rows)):
            if factor := rows[i][k] / top[k]:
                below = rows[i]
                rows[i][k:] = [
                    x - factor * y for x, y in zip(below[k:], top[k:], strict=True)
                ]
    found: list[float] = []  # from the last one on
    for k in reversed(range(len(rows))):
        *row, x = rows[k]
        found.append((x - _dot(row[k + 1 :], reversed(found))) / row[k])
    return found[::-1]


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix."""
    n = len(matrix)
    rows = [[*row, *([0.0] * n)] for row in matrix]
    for k in range(n):
        rows[k][n + k] = 1.0
    for k in range(n):
        head = rows[k][k]
        # What stands before column k is 0, and so is what stands after n + k.
        top = [x / head for x in rows[k][k : n + k + 1]]
        rows[k][k : n + k + 1] = top
        for i, row in enumerate(rows):
            if i != k and (factor := row[k]):
                row[k : n + k + 1] = [
                    x - factor * y for x, y in zip(row[k : n + k + 1], top, strict=True)
                ]
    return [row[n:] for row in rows]
