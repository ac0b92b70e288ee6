"""A match in sentences, for agents that are language models. It is called as TextArena's environments are.

Call ``reset``. Then call ``get_observation`` and ``step`` in turn until ``step`` returns True, and then ``close``. An
agent hears the same as a player at a table: the rules once, all events since its last choice, and its legal moves. It
answers with one of the moves, as notation. The module needs no further package. ``textarena`` beside it registers the
games with TextArena.
"""

from typing import Any

import numpy as np

from pubdice.match.narrate import Narrator
from pubdice.match.record import Move, Played, advance
from pubdice.text.language import Language
from pubdice_lab.simulation import explained
from pubdice_lab.stepwise import StepwiseMatch

TRIES = 2
"""The number of invalid answers in a row after which a seat loses the match."""


class TextMatch:
    """A match for agents, in English sentences. ``header`` has lines of a record's header."""

    def __init__(self, game: str, seats: int = 2, **header: str) -> None:
        self._rules = game, header
        self._seat(seats)
        self.reset()

    def _seat(self, seats: int) -> None:
        game, header = self._rules
        with explained():
            self.table = StepwiseMatch(game, seats, header)
            self.names = self.table.kit.numbered(seats)
        narrator = Narrator(Language(), self.table.kit.words, self.table.match, self.names)
        self._told_to = [narrator.to(seat) for seat in range(seats)]

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        """Begin a match in which some seat has a choice.

        ``num_players`` is a new number of seats, and ``seed`` the seed of the dice. Raises Refused("no-choice"), and
        BadNotation for a number of seats that the game does not allow.
        """
        if num_players is not None and num_players != len(self.names):
            self._seat(num_players)
        self._random = np.random.default_rng(seed)
        self._answers = dict.fromkeys(range(len(self.names)), 0)
        self.table.until_choice(self._begin)

    def _begin(self) -> None:
        self.table.state = self.table.match.start()
        page = self.table.kit.page("en")
        self._news = [
            [page, told.rules(), f"You are {name}."] for told, name in zip(self._told_to, self.names, strict=True)
        ]
        self._wrong, self._lost = 0, -1
        self._go_on()

    def get_observation(self) -> tuple[int, str]:
        """Return the seat that must choose, from 0, and a text: everything new to that seat, and then the question."""
        table, state = self.table, self.table.state
        assert state.mover is not None, "asked of a match that is over"
        assert self._lost < 0, "asked of a match that is lost"
        seat = int(state.mover)
        news, self._news[seat] = self._news[seat], []
        asked = table.kit.words.ask(Language(), table.match.game, state.round)
        return seat, "\n".join([*news, asked, "Answer with one of: " + ", ".join(self.moves()) + "."])

    def moves(self) -> list[str]:
        """Return the legal moves of the seat that must choose, as notation."""
        return [self.table.match.game.write_action(action) for action in self.table.match.legal(self.table.state)]

    def step(self, action: object) -> tuple[bool, dict[str, Any]]:
        """Play a move. Returns True if the match is over, and the facts of ``worth`` about the position before the
        move.

        ``action`` is the agent's answer. It may stand in brackets: ``[k45]``. After an invalid answer, the seat is
        warned and has a second try. A second invalid answer in a row loses the match.
        """
        table, moves = self.table, self.moves()
        assert moves, "asked of a match that is over"
        assert self._lost < 0, "asked of a match that is lost"
        info, said = self.worth(), action.strip(" \t\n[]") if isinstance(action, str) else repr(action)
        self._answers[int(table.state.mover or 0)] += 1
        if said not in moves:
            self._wrong += 1
            assert table.state.mover is not None, "a seat has a choice"
            if self._wrong == TRIES:
                self._lost = int(table.state.mover)
                return True, info
            self._news[table.state.mover].append(f'"{said[:40]}" is none of your moves. Try once more.')
            return False, info
        self._wrong = 0
        self._do(Played(table.match.legal(table.state)[moves.index(said)]))
        self._go_on()
        return table.state.over, info

    def worth(self) -> dict[str, Any]:
        """Return the exact ``value`` of the position for the seat that must choose, and the ``regret`` of each move by
        notation.
        """
        found = self.table.worth()
        if not found:
            return {}
        legal = self.table.match.legal(self.table.state)
        regret = [float(found["regret"][self.table.number[action]]) for action in legal]
        return {"value": float(found["value"]), "regret": dict(zip(self.moves(), regret, strict=True))}

    def close(self) -> tuple[dict[int, float] | None, dict[int, dict[str, Any]]]:
        """Return each seat's reward, and facts of each seat. The rewards are None if the match still goes on.

        The facts have TextArena's names: ``role`` (the seat's name), ``turn_count`` (its answers) and ``invalid_move``,
        True if the seat lost by invalid answers. It then has a ``reason`` too.
        """
        facts = {
            seat: {"role": name, "turn_count": self._answers[seat], "invalid_move": seat == self._lost}
            for seat, name in enumerate(self.names)
        }
        if self._lost >= 0:
            reason = f"{self.names[self._lost]} answered {TRIES} times with something that is no move."
            facts[self._lost]["reason"] = reason
            return dict(enumerate(self.table.forfeited(self._lost))), facts
        return dict(enumerate(self.table.rewards())) if self.table.state.over else None, facts

    def _go_on(self) -> None:
        while move := self.table.due(self._random):
            self._do(move)

    def _do(self, move: Move) -> None:
        before = self.table.state
        self.table.state = advance(self.table.match, before, move)
        for news, narrator in zip(self._news, self._told_to, strict=True):
            news.extend(narrator.tell(before, move, self.table.state))
