"""Commands at live tables, answered by a callback: nearly all requests.

A command whose body came with its head, as JSON, from a person seated at a table in memory, needs no task and no
Starlette: it is checked, decided, stored with all others of that moment, and answered (``benchmarks.tricks`` has what
that saves). All other commands go through ``table_commands``, which does the same and more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.routing import Route
from starlette.types import Scope

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.core.frozen import quick
from pubdice.server.http.seat_limits import Newcomers
from pubdice.server.live.house import TABLES, House
from pubdice.server.live.hub import Hub
from pubdice.server.live.idempotency import key_of
from pubdice.server.live.table_codes import read_code
from pubdice.server.live.table_service import BESIDE_THE_HUB, TableRequest, ask, known_now, submit
from pubdice.server.requests import Request
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser, cookies_of
from pubdice.server.web.guard import WholeResponse
from pubdice.server.web.limits import Limiter
from pubdice.server.web.trusted_hosts import HeaderValues, client_address

JSON = b"application/json"
_requests = msgspec.json.Decoder(Request)


@quick
@dataclass(frozen=True, slots=True)
class ReadCommand:
    """A command that can be carried out at once, its table, and where its answer goes. began: ``perf_counter`` in s."""

    scope: Scope
    hub: Hub
    table_request: TableRequest
    answer: WholeResponse
    began: float


@dataclass(frozen=True, slots=True)
class CommandRoute:
    """Reads and carries out commands. route: under which metrics count them. failed: called with every error."""

    house: House
    limiter: Limiter
    newcomers: Newcomers
    route: Route
    failed: Callable[[Scope, BaseException], None]

    def read(self, scope: Scope, headers: HeaderValues, body: bytes, answer: WholeResponse) -> ReadCommand | None:
        """The command in a request; None if it needs a task. Changes nothing."""
        if headers.get(b"content-type") != JSON or scope["query_string"]:
            return None
        address = scope["path"]
        if not address.startswith(TABLES) or "/" in address[len(TABLES) :]:
            return None
        code = read_code(address[len(TABLES) :])
        hub = self.house.hubs.get(code) if code else None
        if hub is None or b"cookie" not in headers:
            return None
        person = cookies_of((headers[b"cookie"],), secure=scope["scheme"] == "https").person
        state = hub.loaded.state
        seat = None if person is None else state.seat_of(person)
        if person is None or seat is None or state.chairs[seat].why == "voted":
            return None
        try:
            request = _requests.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        if request.do in BESIDE_THE_HUB or state.setup.lessons:
            return None
        asked = TableRequest(request, person, key_of(person, request), arrived=known_now(hub))
        return ReadCommand(scope, hub, asked, answer, perf_counter())

    def carry_out(self, command: ReadCommand) -> None:
        """Hand a command to its hub; the answer is sent later, at the latest after 8 s."""
        hub, person = command.hub, command.table_request.person
        command.scope["route"] = self.route
        try:
            now = self.house.now()
            wait_s = self.limiter.command(person, now / 1000)
            if wait_s:
                raise Refused("often", wait_s=wait_s)
            hub.used = now
            hub.seen(person, restores=False)  # as ``read`` found none to restore
            submit(hub, command.table_request, partial(self._answer, command))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is answered
            self._answer(command, error)

    def _answer(self, command: ReadCommand, outcome: bytes | Exception) -> None:
        if isinstance(outcome, bytes):
            self.house.metrics.commands.add(perf_counter() - command.began)
            if command.hub.loaded.state.setup.listed:
                self.newcomers.note(command.hub, command.table_request.person, client_address(command.scope))
            command.answer.send(200, ((b"content-type", JSON),), outcome)
        elif isinstance(outcome, NotStored) and outcome.code == "moved-on":
            self.house.background.spawn(self._ask_again(command))
        else:
            self._refuse(command, outcome)

    async def _ask_again(self, command: ReadCommand) -> None:
        """Try a command again on the table as it is now: memory and log differed, or it was loaded again."""
        try:
            done = await ask(self.house, command.hub, command.table_request)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is answered
            self._refuse(command, error)
        else:
            self._answer(command, done)

    def _refuse(self, command: ReadCommand, error: Exception) -> None:
        if not isinstance(error, Refused | NotStored | IllegalAction | BadNotation):
            self.failed(command.scope, error)
            error = Refused("fault")
        self.house.metrics.refused[error.code or "notation"] += 1
        hub, browser = command.hub, Browser(HttpRequest(command.scope))
        game: Any = hub.state.table.match.game if hub.state.table else None
        response = responses.refused(browser, error, (), kit=hub.room.kit, game=game)
        headers = [header for header in response.raw_headers if header[0] != b"content-length"]  # which send adds
        command.answer.send(response.status_code, headers, bytes(response.body))
