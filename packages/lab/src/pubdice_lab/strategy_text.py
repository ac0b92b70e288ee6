"""The words between the figures of best play: the overview, a part for each game, and the tables behind them."""

OVERVIEW = """\
# Best play

All six games are small enough to solve. Every figure is worked out from the rules, with an error far below its last
digit ([Solving](solving.md)). None is simulated.

*Best* always means best for something. The keep with the best mean score may be a poor one when you need a 21. The page
of each game has a card of lines to play by and the figures behind it.

Of two players who both play their best, the first has this share:

"""

WORKED = """
## Who worked on this before

Midnight:

- Wikipedia, [*Midnight (game)*](https://en.wikipedia.org/wiki/Midnight_(game)): the best way to qualify, 95.7%.
- MathGroup, a newsgroup, 10 May 2010, message mg109653: the best mean total of all six dice, 23.46. Ours is the same:
  {mean} + 5 × {chance} = {total}.
- bruteforcex, [*1-4-24 Simulation*](https://bruteforcex.blogspot.com/2010/08/1-4-24-simulation.html), August 2010: 100
  million simulated turns.
- dkdataland, [*1-4-24 (Midnight)*](https://dkdataland.blogspot.com/2012/07/1-4-24-midnight.html), July 2012: a strategy
  for the mean score.
- r/askmath, 24 November 2024, thread 1gytspi: asks about 6s before the 1 and the 4. The last line of our card answers.

Threes:

- dkdataland, [*Threes*](https://dkdataland.blogspot.com/2012/05/threes.html), May 2012, and algomath,
  [*Threes*](https://algomath.wordpress.com/2012/07/25/threes/), July 2012: work toward the lowest mean score. We saw
  the beginning of both.
- Stack Exchange, [question 4482277](https://math.stackexchange.com/questions/4482277/the-dice-game-of-threes), 2022,
  and *icepool*'s notebook `game_of_threes`: the best mean score and the chances of the scores.

Ship, Captain and Crew:

- [Donald
  Catlin](https://www.casinocitytimes.com/donald-catlin/article/ships-captain-and-crew-part-one-62565), 30 November
  2013, [giwiganz](https://giwiganz.blogspot.com/2014/), 14 April 2014, and
  [beast](https://beast.blot.im/ship-captain-crew): work toward the chance that all three come aboard. We did not see
  their last numbers.
- The bot of [dice.toys](https://dice.toys/toy/ship-captain-crew/): rolls a cargo below 8 again, which is best for the
  mean cargo.

Mexico:

- Wikipedia, [*Mexico (game)*](https://en.wikipedia.org/wiki/Mexico_(game)): 54 is the middle of all rolls. The first of
  two players stops with it at once.
- Vincent Pinet, [421-Solver](https://github.com/VincentPinet/421-Solver): solves 421, a relative, for two players and
  one chip.

As far as we know, the rest is new: rounds, matches and pots of Midnight, the price of printed advice, and 420. If you
know of earlier work, please tell us. For the other four games we have looked less far.

"""

BOTS = """\
## The bots against each other

| bot | plays |
| --- | --- |
| `lucky` | any keep the rules allow, all equally likely |
| `tip` | printed advice: `pubdice rules GAME` says which |
| `steady` | for the best mean score; at 420 for the fewest turns to 20 on average |
| `cautious` | for the best chance of {midnight_cautious} or more at Midnight, {ship_cautious} or more at Ship, \
{threes_cautious} or less at Threes; at 420 for the greatest share of wins among the rolls that win or go over 20 |
| `bold` | for the best chance of {midnight_bold} or more at Midnight, {ship_bold} or more at Ship, {threes_bold} or \
less at Threes; at 420 the keep that wins most often on the next roll |
| `perfect` | best for the match as it stands, and expects the others to do the same |

Of equal keeps `cautious` and `bold` take the best mean score. At 420 `cautious` takes the keep that wins more often,
and `bold` the keep that goes over 20 less often. Of keeps still equal, these two and `steady` take the fewest dice, so
they roll on: at Ship with a cargo of 7 and one roll left. The three do not play Mexico, as a roll's worth depends on
the others, nor Shut the Box, as it has no keeps.
"""

BEST = """
Each bot's share of a match of two against `perfect`, as the mean of rolling first and second:

"""

AGAIN = """
`perfect` expects good replies. So at Midnight `steady` wins more from `lucky`.

## Find all this again

```text
pubdice arena midnight --format rounds:1    every bot against every bot, in both orders
pubdice plot scores midnight                how often each bot makes each score
pubdice odds midnight --goal score          a turn; --goal exactly:24, --need 2,4 …
pubdice odds 420 --seats 3                  a race; --drinks
pubdice advise 420 --hands 6551,4332        the keeps of a position
pubdice card midnight --svg > mat.svg       a card
pubdice paper DIR                           all figures, tables and pictures
python -m pubdice_lab.strategy docs         this page, and its part of each game's
```
"""

MIDNIGHT = """
Until you hold both dice you need, keep one die a roll. That is best for your mean score, and no play qualifies more
often. If another player follows, play bolder. When you chase a high score, keep a 6 before the 1 and the 4. They will
come again.

```text
{card}
```

Each line adds dice to those you keep. Lines 7 and 8 come first. Under line 2, lines 3 and 4 keep one 6, or
one 5 if at most one die is left then. Line 8 is about the leader's score, not about the dice you lack. If no line keeps
a die, keep any one. Lines 7 and 8 are measured in a round of two, after an opener for the mean score.

{turns}

When you chase a score, you play differently:

{reach}
Rolling last is an advantage. If all play their best for a round, {openers}, in turn order. The best opener of two has a
mean score of only {mean}, {less} below the best, and qualifies {qualify} of the time.

### PlayPalace's advice and its price

{claims}
True, and free for every aim: with both dice, go for the highest dice; keep every 6; keep no 2 or 3 unless you keep all.
So is Wikipedia's way to qualify. Last of two, looking at the score to beat is worth {leader}. {modest}.
"""

FOURTWENTY = """
With two players three lines tell you everything. You need not look at the other hand.

```text
{card}
```

The first line that fits decides. Beside each line stands the loss of a player who ignores it.

Played alone, it takes {turns} turns on average to reach 20. If all play their best:

{races}
With three players and more, all play one strategy here, and no player gains by leaving it alone. `pubdice odds 420
--seats 3 --json` says how certain that is.

### Steere's advice and its price

{claims}
Looking at the other hands is worth nothing with two players and with three. With four it is worth up to {looks} of the
race.
"""

SHIP = """
With two players five lines tell you everything. Stop with a cargo of {stop}, with one roll left with {late}.

```text
{card}
```

The first line that fits decides. Beside each line stands the loss of a player who ignores it in a round of two against
best play, as the mean of rolling first and last. For the usual rules the card is best play against any score.

All three come aboard {aboard} of the time. No choice changes that. You choose what becomes of the cargo. Each player's
share of a round of two, if both play their best:

{ship}
Equal cargoes share the round, and so do two players without a score.

```text
pubdice odds ship --goal score --cargo single                   the mean cargo, and how often all three come aboard
pubdice odds ship --seats 2 --format rounds:1 --cargo single    each seat's share of a round
pubdice card ship --cargo single                                the card, and what it loses
```
"""

THREES = """
Keep 3s, or else one die, and hardly anything besides. Rolling last and behind, do not end a turn that is lost while you
can roll a die again. Do not keep a 1 or a 2 beside a 3. Each die you keep is one less that can fall as a 3.

```text
{card}
```

The first line that fits decides. A line that says *too* adds a die to those kept. Beside each line stands the loss of a
player who ignores it in a round of two against best play, as the mean of rolling first and last.

The best mean score is {mean}. If you know the score you have to reach, you can do better:

{reached}
So the last to roll has an advantage. Each player's share of a round of two, if both play their best and equal scores
share it:

{threes}
```text
pubdice odds threes --goal score                                the mean score
pubdice odds threes --goal reach:2                              the best chance of a score or less
pubdice odds threes --seats 2 --format rounds:1 --moon yes      each seat's share of a round
pubdice card threes --moon yes                                  the card, and what it loses
```
"""

MEXICO = """
With two players, rolling first is an advantage: you decide how many rolls the other has. Stop with {early} at first,
with {then} after that.

```text
{card}
```

The first line that fits decides. Beside each line stands the loss of a player who ignores it in a round of two against
best play, as the mean of rolling first and last. The card is for two players. With more you need not be the highest,
only not the lowest, and the card does not know that.

The first player's share, if both play their best. With lives, the loser of a life opens the next round:

{mexico}
```text
pubdice odds mexico --seats 2 --format rounds:1 --hold 1,2      each seat's share of a round
pubdice odds mexico --seats 2 --format lives:3 --hold 1,2       each seat's share of a match
pubdice card mexico --hold 1,2                                  the card, and what it loses
```
"""

SHUTBOX = """
Shut few tiles, the highest first. If you may roll one die, do it once the tiles that are up make {little} or less, not
before.

```text
{card}
```

Line 2 chooses among the ways that line 1 leaves. Beside each line stands the loss of a player who ignores it in a round
of two against best play, as the mean of rolling first and last.

The first of two players has {opener} of a round, if both play their
best. The bot `tip` rolls one die whenever it may, and loses {tip} of the round to best play. The card loses {loses}.

```text
pubdice odds shutbox --seats 2 --format rounds:1 --die may      each seat's share of a round
pubdice card shutbox --die may                                  the card, and what it loses
```
"""

TABLES = """
# Every bot against every bot

The higher score has the round, at Threes and Shut the Box the lower one. Equal scores share it, and so do two players
without a score.
"""

ORDERED = """\
The first player stands at the left, the second at the top. The number is the first player's share:

"""

AVERAGED = """
The mean of both orders, as at a table where the first roll goes round:

"""

SPREADS = """
Their scores when they roll first:

"""

CLAIMS = """
# Printed advice in full
"""
