"""A table as data: its state, its event stream, its record, and its link as a picture."""

import io
from dataclasses import dataclass
from functools import lru_cache

import msgspec
import segno
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pubdice.core.errors import NotStored, Refused
from pubdice.core.whole_number import whole_number
from pubdice.server.http.tables import Tables
from pubdice.server.live.house import AGAIN_S, CLOSING
from pubdice.server.sse import Stream
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser, KnownBrowser, set_cookies
from pubdice.server.web.guard import STREAM

FULL_S = 8.0
"""When to try again if too many streams are open: the next heartbeat finds out which connections are lost."""


@dataclass(frozen=True, slots=True)
class TableData:
    """The data of tables, for pages and programs."""

    tables: Tables

    async def state(self, request: HttpRequest) -> Response:
        """The whole state in one request."""
        browser = KnownBrowser(request, self.tables.source)
        try:
            hub = await self.tables.finder.table(browser, request.path_params["code"], current=True)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        hub.seen(browser.person, restores=False)
        whole = hub.spectators.whole(browser.language, browser.person)
        return set_cookies(responses.data(msgspec.json.encode(whole)), browser)

    async def record(self, request: HttpRequest) -> Response:
        """The match so far as a record."""
        browser = Browser(request)
        try:
            if wait_s := self.tables.limiter.record(browser.address, self.tables.house.now() / 1000):
                raise Refused("often", wait_s=wait_s)
            hub = await self.tables.finder.table(browser, request.path_params["code"])
            text = await self.tables.house.record(hub)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        name = f'attachment; filename="{hub.room.kit.name}-{hub.code}.record"'
        return Response(text, media_type="text/plain", headers={"content-disposition": name})

    async def qr(self, request: HttpRequest) -> Response:
        """The table's link as a QR code, for those who may see the table."""
        browser = Browser(request)
        try:
            hub = await self.tables.finder.table(browser, request.path_params["code"])
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        picture = qr_code(self.tables.place(browser, hub.code))
        return Response(picture, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})

    async def events(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The table's stream, from where the reader left off."""
        request = HttpRequest(scope, receive)
        browser = Browser(request)
        try:
            hub = await self.tables.finder.table(browser, scope["path_params"]["code"])
            seq = whole_number(request.headers.get("last-event-id") or request.query_params.get("from", ""))
            behind = hub.is_shared and (seq or 0) > hub.state.seq and not await hub.catch_up()
            if behind or self.tables.house.cut_off:
                raise NotStored("store-unreadable", wait_s=AGAIN_S)  # another process may have told more
            if not self.tables.limiter.stream_opens(browser.address):
                raise Refused("streams", wait_s=FULL_S)
        except (Refused, NotStored) as error:
            await responses.refused(browser, error, self.tables.games)(scope, receive, send)
            return
        stream = Stream(None if browser.wants_page else browser.person, browser.language)  # a link is no page of ours
        address = browser.address

        async def serve(receive: Receive, send: Send) -> None:
            try:
                hub.join(stream)
                if self.tables.house.closed:
                    stream.end(CLOSING)
                stream.begin(hub.spectators.since(hub.state.seq if seq is None else seq, stream.language))
                await stream.serve(receive, send)
            finally:
                hub.leave(stream)
                self.tables.limiter.stream_closed(address)

        scope[STREAM] = serve


@lru_cache(maxsize=256)
def qr_code(address: str) -> bytes:
    """An address as a QR code."""
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(picture, kind="svg", border=4, light="#fff", xmldecl=False)
    return picture.getvalue()
