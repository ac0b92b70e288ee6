"""The words between the figures of the page of strategy."""

TOP = """\
# What best play is, and what it is worth

Both games of this house are small enough to be solved, so this page argues with numbers. All of them are exact, to the
last digit printed: positions are counted from the rules, and nothing was simulated. "Best" never stands alone here: it
is always best *for* something, and a keep that is best for your mean score may be a poor one when you chase a 21.

In a minute:

- Midnight, for your mean score: until you hold both needed dice, keep one die a roll. That has the best chance to
  qualify, too: nobody has to choose between scoring often and scoring much.
- Midnight, to win: whoever rolls last has the best of it, an opener should play bolder than for the mean score, and
  when you chase a high score a 6 comes before the 1 and the 4. They will fall again.
- Modest scores every round beat a player who makes 24 or nothing, and lose to one who aims high and, where that
  fails, still scores what there is.
- 420 for two: fewer lines than fingers, and never a look at the other hand.
"""

TURN = """
## Midnight, one turn

Playing for the best mean score also has the best chance there is to qualify. Not so for 24 itself.

"""

REACH = """
Chasing a score is another matter: the best chance to make so many, or more, and what playing for the mean score makes
of it.

"""

LAST = """
## Midnight, who rolls last

Knowing what is to be beaten is worth a good deal. Best play by all, each for its own share of the round:

"""

OPENER = """
An opener who knows that somebody will reply plays bolder: best for its share of a round of two is a mean score of only
{mean}, {less} less than there could be, and to qualify {qualify} of the time.
"""

RACES = """
## 420

Left alone, at the fewest turns on average, a fresh hand needs {turns} turns to 20. Best play by all, Player 1 first.
With three seats and more that is no zero-sum game: everybody plays one policy, the first of equally good keeps, from
which nobody gains by departing alone (`pubdice odds 420 --seats 3 --json` gives how surely).

"""

CARDS = """
## The cards

A few lines to play by. Read a card from the top. On Midnight's, each line adds dice to the ones you keep, and the two
lines for the last to roll go before all others; where no line says what to keep, any one die is kept, by chance. On
420's, the first line that fits decides. Beside each line stands what you lose if you ignore it and follow the others,
and at the foot what the whole card comes to. The lines for the last to roll are measured in a round of two, against an
opener who plays for the mean score; equal scores share the round, and so do two who score nothing. The numbers in the
lines are the ones that lose least. `pubdice card GAME --svg` draws them.

"""

CLAIMS = """
## What has been printed, and what the numbers say

Documents 000 to 002 are good company at a table, and mostly right; 002 even says that it speaks of more complex
problems than it solves. Where the numbers differ, here they are. A claim is *true* if following it costs nothing for
any of the aims looked at, *false* if it costs something for each of them, and otherwise it *depends*.

### Midnight

"""

BOTS = """
## The bots against each other

`lucky` keeps anything, `tip` follows the printed tips, `steady` plays for the mean score (420: for the fewest turns),
`cautious` and `bold` for goals of their own, and `perfect` best for the match as it stands, counting on the others to
do so, too. That is why it takes less from `lucky` than `steady` does; nobody takes more than its share from `perfect`.

### Midnight, one round of two

"""

ORDERED = """\
First seat down the side, second along the top; the first seat's share:

"""

AVERAGED = """
The mean of both orders, as at a table that takes turns:

"""

SPREADS = """
Their scores, as openers:

"""

RACE = """
### 420, a race of two

"""

END = """
`steady` looks at no other hand, and against one opponent that loses nothing: its row is that of `perfect`.

## To find all this again

```
python -m pubdice.lab.strategy docs/strategy.md    this page
pubdice odds midnight --goal score                 a turn; --goal exactly:24, --need 2,4 …
pubdice odds midnight --seats 2 --format rounds:1  who rolls last
pubdice odds 420 --seats 3                         the races; --drinks
pubdice advise 420 --hands 6551,4332               the keeps of a position
pubdice card midnight --svg > mat.svg              the cards
```
"""
