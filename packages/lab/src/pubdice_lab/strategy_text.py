"""The prose of the page of strategy, between its figures."""

TOP = """\
# What best play is, and what it is worth

All six games are small enough to solve, so this page argues with numbers. Each is worked out
from the rules, with an error far below the last digit printed ([the bounds](solving.md#how-exact-it-is)), and nothing
is simulated. "Best" never stands alone here. It is always best *for* something: a keep that is best for your mean score
may be a poor one when you chase a 21.

In a minute:

- Midnight, for your mean score: until you hold both dice you need, keep one die a roll. That also gives you the
  best chance to qualify: you never have to choose between scoring often and scoring high.
- Midnight, to win: rolling last is an advantage. Rolling first, play bolder than for the mean score. When you chase
  a high score, keep a 6 before the 1 and the 4. They will come again.
- Over many rounds, modest scores beat a player who goes all-in for 24. They lose to one who aims for 22 and, when
  that fails, still takes the best score there is.
- 420 for two: three lines tell you everything, and you need not look at the other hand.
- Ship for two: five lines tell you everything. Stop with a cargo of {stop}, with one roll left with {late}.
- Threes: keep 3s, or else one die, and hardly anything besides. Rolling last and behind, keep as little as you may.
- Mexico for two: rolling first is worth a good deal. Stop with {early} at first, with {then} after that.
- Shut the Box: shut few tiles, the highest first. If you may roll one die, do it once the tiles that are up make
  {little} or less, not before.

## Who worked on this before

Midnight:

- The encyclopedia's article [*Midnight (game)*](https://en.wikipedia.org/wiki/Midnight_(game)) has the best chance to
  qualify, 95.7%, and how to get it.
- A thread in the newsgroup MathGroup of 10 May 2010 (message mg109653) has the best mean total of all six dice:
  23.46. That is the quantity of our first table: {mean}, and 5 more for the pair whenever it is there, {mean} + 5 ×
  {chance} = {total}.
- The weblog bruteforcex, [*1-4-24 Simulation*](https://bruteforcex.blogspot.com/2010/08/1-4-24-simulation.html)
  (August 2010), simulated 100 million turns of several strategies.
- The weblog dkdataland, [*1-4-24 (Midnight)*](https://dkdataland.blogspot.com/2012/07/1-4-24-midnight.html) (July
  2012), has a strategy for the mean score, and says that rolling last helps.
- A thread in the forum r/askmath (24 November 2024, number 1gytspi) asks what the last line of our card answers:
  whether to keep 6s before the 1 and the 4 against a 24. We have seen the question, and no number in reply.

Threes:

- The weblog dkdataland, [*Threes*](https://dkdataland.blogspot.com/2012/05/threes.html) (May 2012), works toward the
  lowest mean score, and says that rolling last is an advantage.
- The weblog algomath, [*Threes*](https://algomath.wordpress.com/2012/07/25/threes/) (25 July 2012), sets out to find
  the same mean, from one die up. Of both we have seen the beginning, and not the last number.
- Question 4482277 of Mathematics on Stack Exchange (2022), and the notebook `game_of_threes` of the program *icepool*
  that belongs to its answer, have the best mean score and the chances of the scores.

Ship, Captain and Crew:

- Donald Catlin, *Ships, Captain and Crew* ([part
  one](https://www.casinocitytimes.com/donald-catlin/article/ships-captain-and-crew-part-one-62565), Casino City
  Times, 30 November 2013), sets out to find the chance that all three come aboard; so do the weblogs giwiganz ([*A
  Statistical Voyage*](https://giwiganz.blogspot.com/2014/), 14 April 2014, also by simulation) and beast ([*Ship,
  Captain, Crew*](https://beast.blot.im/ship-captain-crew), by an absorbing Markov chain). We have not seen their last
  numbers; ours is below.
- The bot of [dice.toys](https://dice.toys/toy/ship-captain-crew/) rolls a cargo below 8 again, which is best for the
  mean cargo.

Mexico:

- Wikipedia's article [*Mexico (game)*](https://en.wikipedia.org/wiki/Mexico_(game)), "Strategy and Odds", has 54 as
  the middle of all rolls. It is also what the first of two players stops with at once.
- A close relative: the program [421-Solver](https://github.com/VincentPinet/421-Solver) of Vincent Pinet solves the
  French game 421 for two players and one chip, where the first player sets the number of rolls, too.

As far as we know, nobody printed the rest before: rounds, matches and pots of Midnight (what each seat's share is,
and how to play for it), what printed advice costs, and 420. If you do, please tell us. For Ship, Threes, Mexico and
Shut the Box we have looked less far.
"""

TURN = """
## Midnight, one turn

Playing for the best mean score also gives you the best chance there is to qualify. It does not give you the best
chance of a 24.

"""

REACH = """
When you chase a score, you play differently. Here is the best chance to make so many or more, and the chance you
have if you play for the mean score instead.

"""

LAST = """
## Midnight, rolling last

It is worth a good deal to know the score you have to beat. Here everybody plays best for a share of the round: the
highest score wins it, equal scores share it, and if nobody scores, everybody shares it, as in a match of one round.

"""

OPENER = """
If you open and somebody will answer, play bolder. Best for your share of a round of two is a mean score of only
{mean}, {less} below the best, and you qualify only {qualify} of the time.
"""

RACES = """
## 420

Played alone, it takes {turns} turns on average to reach 20. Below, everybody plays best; Player 1 comes first. With
three players and more there is no single "best for everybody": everybody plays the same strategy, the first of
equally good keeps, and nobody gains by leaving it alone (`pubdice odds 420 --seats 3 --json` says how certain that
is).

"""

SHIP = """
## Ship, Captain and Crew

All three come aboard {aboard} of the time, and nothing you choose changes that. You choose what becomes of the cargo.
With two players, each seat's share of a round, if both play their best; equal cargoes share it, and so do two who
score nothing:

"""

SHIP_FOUND = """
The card for the usual rules is best play, first and last, against any score.

```
pubdice odds ship --goal score --cargo single                   the mean cargo, and how often all three come aboard
pubdice odds ship --seats 2 --format rounds:1 --cargo single    each seat's share of a round
pubdice card ship --cargo single                                the card, and what it loses
```
"""

THREES = """
## Threes

The best mean score is {mean}. If you know what you have to reach, you can do better than by playing for the mean:

"""

THREES_FOUND = """
So the last to roll has an advantage. Each seat's share of a round of two, if both play their best, equal scores
sharing it:

"""

THREES_CARD = """
The second line of the card is easily missed: rolling last and behind, do not end a turn that is lost while you can
roll a die again, and do not keep a 1 or a 2 beside a 3. Each die you keep is one less that can fall as a 3.

```
pubdice odds threes --goal score                                the mean score
pubdice odds threes --goal reach:2                              the best chance of a score or less
pubdice odds threes --seats 2 --format rounds:1 --moon yes      each seat's share of a round
pubdice card threes --moon yes                                  the card, and what it loses
```
"""

MEXICO = """
## Mexico

With two players, rolling first is an advantage: you decide how many rolls the other has. The first player's share, if
both play their best, of one round, and of matches with so many lives, where the one who lost a life opens the next
round:

"""

MEXICO_FOUND = """
The first to roll stops with {early} or more at once, and with {then} or more after the second roll. The card leaves
the second number to a line that says it for everybody. It is for two players: where several sit at the table, you
need not be the highest, only not the lowest, and the card does not know that.

```
pubdice odds mexico --seats 2 --format rounds:1 --hold 1,2      each seat's share of a round
pubdice odds mexico --seats 2 --format lives:3 --hold 1,2       each seat's share of a match
pubdice card mexico --hold 1,2                                  the card, and what it loses
```
"""

CARDS = """
## The cards

A few lines to play by. Read a card from the top. On Midnight's, each line adds dice to the ones you keep, and the two
lines for the last to roll go before all others; where no line says what to keep, any one die is kept, by chance. On
all others the first line that fits decides, but for lines that add a die to those kept: they say *too*. Line 2 of
Shut the Box chooses among what line 1 leaves. Beside each
line stands what you lose if you ignore it and follow the others, and at the foot what the whole card comes to. On
Midnight's, line 2 also holds for lines 3 and 4: before you have both, if line 1 has kept nothing, they keep one 6, or
one 5 if at most one die is left then. Line 8 is about the leader's score, not about what you lack. Midnight's lines
for the last to roll are measured in a round of two, against an opener who plays for the mean score; equal scores
share the round, and so do two who score nothing. At Ship, Threes, Mexico and Shut the Box every line is measured in a
round of two against best play, the mean of rolling first and last. The numbers in the lines are the ones that lose
least. `pubdice card GAME --svg` draws them.

"""

CLAIMS = """
## What has been printed, and what the numbers say

The encyclopedia, PlayPalace and Mark Steere ([who they are](../games/rules.md)) are good company at a table, and mostly
right. Steere even says that there may be more complex problems than the ones he solves. A claim is *true* if
following it costs nothing for any of the aims we looked at, *false* if it costs something for each of them, and
otherwise it *depends*.

### Midnight

"""

BOTS = """
## The bots against each other

- `lucky` takes any keep the rules allow, all equally likely.
- `tip` follows what is printed. At Midnight, PlayPalace: it keeps a 1 or 4 it lacks, and nothing else until it has
  both. Then it keeps every 6, and as many 5s as still leave one more than the leader's score in reach. If that keeps
  nothing, it keeps its highest die. At 420, Steere: it keeps three dice of 15. If somebody else, not over 20, holds
  three dice of 15, it keeps any three the rules allow, those of the lowest total. Otherwise it keeps two dice, else
  one, else three, each time those of the lowest total the rules allow; if they allow none, it rerolls all four. What
  it does at Ship, Threes, Mexico and Shut the Box, its rules print (`pubdice rules ship`).
- `steady` plays for the best mean score at Midnight, Ship and Threes, and for the fewest turns to 20 on average at
  420.
- `cautious` plays for the best chance of {midnight_cautious} or more at Midnight; of equal keeps, it takes the one
  with the best mean score. So it does at Ship for {ship_cautious} or more, and at Threes for {threes_cautious} or
  less. At 420, it looks at what the next roll can do: it takes the keep with the greatest share of wins among the
  rolls that win or go over 20; of equal keeps, the one that wins more often.
- `bold` plays for the best chance of {midnight_bold} or more at Midnight; of equal keeps, it takes the one with the
  best mean score. So it does at Ship for {ship_bold} or more, and at Threes for {threes_bold} or less. At 420, it
  takes the keep whose next roll wins most often; of equal keeps, the one that goes over 20 less often.
- `perfect` plays best for the match as it stands, and counts on the others to do so, too. That is why at Midnight it
  wins less from `lucky` than `steady` does. Of two players nobody takes more than half from `perfect`, as the mean of
  rolling first and rolling second. In a single round it may be more: who rolls second at Midnight has {last}.

Of keeps that are equal in all of that, `steady`, `cautious` and `bold` take the one with the fewest dice, so they
roll on. At Ship a cargo of 7 with one roll left is worth 7 either way, and they roll.

The higher score has the round; equal scores share it, and so do two who both score nothing.

### Midnight, one round of two

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

RACE = """
### 420, a race of two

"""

RACE_FOUND = """
`steady` never looks at the other hand, and against one opponent that loses nothing: its row is the same as that of
`perfect`.
"""

SHIP_BOTS = """
`steady`, `cautious` and `bold` come to the same at Ship, as their three aims are best served by stopping with 8.
"""

SHUTBOX = """
At Mexico `steady`, `cautious` and `bold` do not play: what a roll is worth there depends on the others' turns.

### Shut the Box, one round of two

The lower score has the round.

"""

END = """
`steady`, `cautious` and `bold` choose dice to keep, and at Shut the Box there are none. Where one die or two may be
rolled, `tip` rolls one whenever it may, and loses {tip} of a round of two to best play; by the card one loses {card}.

## Find all this again

```
python -m pubdice_lab.strategy docs/solve/strategy.md    this page
pubdice odds midnight --goal score                 a turn; --goal exactly:24, --need 2,4 …
pubdice odds midnight --seats 2 --format rounds:1  rolling last
pubdice odds 420 --seats 3                         the races; --drinks
pubdice advise 420 --hands 6551,4332               the keeps of a position
pubdice card midnight --svg > mat.svg              the cards, of every game
```
"""
