"""Laws of games of moves: each move has one label, one letter and one notation, and a player may enter it by any of
them.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.looked import Looked
from play import KITS, choices, seatings, walk
from pubdice.core.game import MoveGame
from pubdice.kit import Kit
from pubdice.room import Live
from pubdice.room.commands import HOUSE_WORDS
from pubdice.server.wire import View
from pubdice.text.game_words import FEW, Offer, by_things, offers
from pubdice.text.language import Language
from pubdice.typed import LISTS, WORDS, listed, move_named
from room.random_commands import walks

ENGLISH = Language()
MOVING = {name: kit for name, kit in KITS.items() if isinstance(kit.usual_game, MoveGame)}
EVERY_KIT = pytest.mark.parametrize("kit", MOVING.values(), ids=MOVING)
ASKS = {word for word, stands in WORDS.items() if stands not in ("roll", "bank")} | set(HOUSE_WORDS) | set(LISTS)
"""Words that mean something else in a typed line. No move may have such a name."""
LETTERS = {word for word in ASKS if len(word) == 1 and word.isalpha()}
MOST_TAPPED = 9


def decisions(kit: Kit, data: st.DataObject) -> Iterator[tuple[Any, Any, tuple[Offer, ...]]]:
    """Yield the choices of a round: the game, the state, and the moves offered to the mover."""
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, _ in walk(game, seats, data.draw(choices())):
        if game.mover(state) is not None and len(game.legal(state)) > 1:
            yield game, state, offers(kit.words, ENGLISH, game, state)


@EVERY_KIT
@given(data=st.data())
def test_every_legal_move_has_one_label_one_notation_and_one_letter(kit: Kit, data: st.DataObject) -> None:
    for game, state, offered in decisions(kit, data):
        assert tuple(offer.move for offer in offered) == game.legal(state)
        assert set(game.legal(state)) <= set(game.moves)
        labels, keys = [offer.label for offer in offered], [offer.key for offer in offered if offer.key]
        assert len(set(labels)) == len(labels)
        assert len(set(keys)) == len(keys)
        assert all(label and not label[0].islower() and "{" not in label for label in labels)
        assert all(len(key) == 1 and key.islower() for key in keys)
        assert not ASKS & set(keys), f"these letters ask something at every table: {' '.join(sorted(LETTERS))}"
        assert not ASKS & {offer.move for offer in offered}, "these words ask something at every table"


@EVERY_KIT
@given(data=st.data())
def test_typed_by_notation_letter_label_or_number_it_is_the_same_move(kit: Kit, data: st.DataObject) -> None:
    for _, _, offered in decisions(kit, data):
        things, lines = by_things(offered), listed(offered)
        for number, (offer, line) in enumerate(zip(offered, lines, strict=True), 1):
            names = [offer.move, offer.move.upper(), offer.label, f"  {offer.label} "]
            names += [" ".join(map(str, offer.takes)), "+".join(map(str, offer.takes[::-1]))] if things else []
            names += [] if things else [str(number), line.partition(" ")[0]]
            names += [offer.key] if offer.key else []
            assert {move_named(name, offered) for name in names} == {offer.move}
            assert offer.label in line
        assert move_named("", offered) is move_named("no such move", offered) is move_named("999", offered) is None


@EVERY_KIT
@given(data=st.data())
def test_tiles_that_are_tapped_mean_one_move_and_every_move_can_be_tapped(kit: Kit, data: st.DataObject) -> None:
    for game, state, offered in decisions(kit, data):
        taken = {number for offer in offered for number in offer.takes}
        things = kit.words.things(ENGLISH, game, state)
        assert taken <= {tile.number for tile in (things.tiles if things else ()) if tile.up}
        if not by_things(offered):
            continue
        meant = [
            offer.move
            for size in range(1, min(MOST_TAPPED, len(taken)) + 1)
            for tapped in combinations(sorted(taken), size)
            for offer in offered
            if set(offer.takes) == set(tapped)
        ]
        assert sorted(meant) == sorted(offer.move for offer in offered)


@EVERY_KIT
@given(data=st.data())
def test_what_lies_there_besides_dice_is_told_as_it_is_seen(kit: Kit, data: st.DataObject) -> None:
    for game, state, offered in decisions(kit, data):
        things = kit.words.things(ENGLISH, game, state)
        asked = kit.words.ask(ENGLISH, game, state)
        if things is not None:
            labels = [tile.label for tile in things.tiles if tile.up]
            # an amount that is the labels in a row is told by the labels
            seen = [*labels, *(count.amount for count in things.counts if count.amount != "".join(labels))]
            assert [told for told in seen if not _times(told, things.said)] == []
            # an amount may equal the label of a closed tile, so its uses are counted
            amounts = Counter(count.amount for count in things.counts)
            gone = [tile.label for tile in things.tiles if not tile.up]
            assert [label for label in gone if _times(label, things.said) > amounts[label]] == []
            assert things.said in asked
        if len(offered) <= FEW and not by_things(offered):
            assert all(offer.label.casefold() in asked.casefold() for offer in offered), asked


def _times(words: str, said: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(words)}(?!\w)", said))


def test_labels_of_several_words_are_found_whole() -> None:
    assert [_times(each, "Closed: chest 1 and chest 12.") for each in ("chest 1", "chest 2", "12", "chest")] == [
        1,
        0,
        1,
        2,
    ]


def _offered(view: View, live: Live, kit: Kit) -> None:
    """Check that the view offers the legal moves and no other button, and that a seat's hand names the tiles that are
    up.
    """
    legal = live.table.match.legal(live.state.match)
    assert tuple(move.move for move in view.moves) == legal
    assert (view.ask == "move") == bool(legal)
    if legal:
        assert [button for button in (view.main, view.bank, view.sure) if button] == []
        assert all(die.marks is None for die in view.dice)
    inner = live.state.match
    things = None if inner.round is None else kit.words.things(ENGLISH, live.table.match.game, inner.round)
    if view.mover is not None and things is not None:
        assert view.things is not None
        assert [tile.number for tile in view.things.tiles if tile.up] == [t.number for t in things.tiles if t.up]
        hand = view.seats[view.mover].own_hand or view.seats[view.mover].hand
        assert not hand or things.said in hand


@EVERY_KIT
@given(data=st.data())
def test_a_view_offers_the_legal_moves_and_no_other_button(kit: Kit, data: st.DataObject) -> None:
    Looked(data.draw(walks(kit)), partial(_offered, kit=kit)).run(60)
