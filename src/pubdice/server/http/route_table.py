"""Every route of the house as data: what it is for, what it may answer, and with which codes it may refuse.

A test holds the table against the app's routes, and others hold answers of a real house against it.
"""

from dataclasses import dataclass

from pubdice.server.web.refusals import NO_DAY, REFUSED

JSON, PAGE, TEXT, FORM = "application/json", "text/html", "text/plain", "application/x-www-form-urlencoded"
EVENTS, PICTURE = "text/event-stream", "image/svg+xml"
FINDING = ("guesses", "no-table", "code-retired", "no-link", "log-damaged", "store-unreadable")
"""Why a table is not found, or not shown."""
NIGHT = ("guesses", "no-night", "no-link", "no-seals", "store-unreadable")
"""Why a duplicate night is not found."""
KEEPING = ("store-unwritable", "store-unreadable", "not-known")
"""Why a setting is not stored."""
READING = ("json", "kind", "fields", "shape")
"""Why a body is not read; the notation in it may be at fault too, which has the same status."""
OPENING = ("often", "tables-here", "tables-in-all", "key-used", "no-code", "store-unwritable", "not-known", "moved-on")
"""Why a table is not set up."""
ASKING = ("fields", "often", "asks-waiting", "no-answer")
"""Why a question about a position has no answer; the position may be at fault too, or too large to solve."""
DAYS = (*ASKING, *NO_DAY)
"""Why a day's position is not shown; text instead of a date, and a house without solved games, have 422."""
DRILL = ("no-page", *ASKING)
"""Why a position of the drill is not shown."""
DAY: dict[int, tuple[str, ...]] = {200: (PAGE, JSON), 202: (PAGE,)}
WORKED: dict[int, tuple[str, ...]] = {200: (PAGE, JSON), 202: (PAGE, JSON)}
BOOK = ("often", "store-unwritable", "store-unreadable", "log-damaged")
"""Why the players' book is not shown; a name that nobody may have, and text that is no form, have 422 and 4xx."""
DAY_FORM = ((FORM, "DayForm"),)
OPENED = ("no-page", "record-closed", *ASKING, "no-move", "no-question", "no-questions", "no-choice")
"""Why an opened record has no answer; a house opens none, so there all of this is no page."""
OVER = (*FINDING, "not-over", *ASKING)
"""Why a question about a finished match has no answer."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route: what it is for, what it may answer with (content types by status), parameters and bodies it takes.

    refuses: the codes of its own refusals, besides the guard's.
    """

    method: str
    path: str
    said: str
    gives: dict[int, tuple[str, ...]]
    refuses: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    carries: str = ""


ROUTES: tuple[Route, ...] = (
    Route("GET", "/", "The front page.", {200: (PAGE,)}),
    Route(
        "POST",
        "/tables",
        "Set up a table.",
        {201: (JSON,), 303: ()},
        (*READING, *OPENING),
        takes=((JSON, "Order"), (FORM, "OrderForm")),
        carries="Opened",
    ),
    Route(
        "GET",
        "/find",
        "From a code or a link to its table, or its duplicate night.",
        {303: ()},
        FINDING,
        query=("code",),
    ),
    Route("GET", "/t/{code}", "A table's page; a bare code leads to its link.", {200: (PAGE,), 307: ()}, FINDING),
    Route(
        "POST",
        "/t/{code}",
        "Ask something of a table.",
        {200: (JSON,), 303: ()},
        tuple(REFUSED),
        takes=((JSON, "Request"), (FORM, "RequestForm")),
        carries="Done",
    ),
    Route("GET", "/t/{code}/state", "A table as it stands.", {200: (JSON,)}, FINDING, carries="State"),
    Route(
        "GET",
        "/t/{code}/events",
        "A table's events from one on, as they happen: each message's data is an Update.",
        {200: (EVENTS,)},
        (*FINDING, "streams"),
        query=("from",),
    ),
    Route("GET", "/t/{code}/big", "The table for a big screen.", {200: (PAGE,)}, FINDING),
    Route("GET", "/t/{code}/record", "The match so far as a record.", {200: (TEXT,)}, (*FINDING, "often", "no-record")),
    Route("GET", "/t/{code}/qr.svg", "The table's address as a QR code.", {200: (PICTURE,)}, FINDING),
    Route("GET", "/rules/{game}", "The rules of a game.", {200: (PAGE,)}, ("no-page",)),
    Route(
        "GET",
        "/ask",
        "Ask the house about a position of any game.",
        {200: (PAGE, JSON), 202: (PAGE,), 303: ()},
        (*ASKING, "own-turn"),
        query=("record",),
        carries="PositionAnswer",
    ),
    Route(
        "GET",
        "/ask/{game}",
        "Ask the house about a position of a game: a field for each flag of advise.",
        {200: (PAGE, JSON), 202: (PAGE,)},
        ("no-page", *ASKING, "own-turn"),
        carries="PositionAnswer",
    ),
    Route(
        "GET",
        "/t/{code}/ask/{number}",
        "A decision of a finished match, by its number.",
        {200: (PAGE, JSON), 202: (PAGE,)},
        OVER,
        carries="PositionAnswer",
    ),
    Route(
        "GET",
        "/t/{code}/receipt",
        "What decided a finished match; its moves one by one; its costly keeps as questions.",
        {200: (PAGE, JSON), 202: (PAGE,)},
        (*OVER, "no-move", "no-question", "no-questions", "no-choice"),
        query=("step", "again", "keep"),
        carries="ReceiptAnswer",
    ),
    Route("GET", "/t/{code}/receipt.svg", "Its result as a picture.", {200: (PICTURE,), 202: ()}, OVER),
    Route(
        "GET",
        "/t/{code}/evening",
        "The evening of a table: tally, who buys, every match, the dearest keep and the luckiest roll.",
        WORKED,
        (*FINDING, "often"),
        carries="EveningAnswer",
    ),
    Route(
        "GET",
        "/t/{code}/evening/records",
        "The records of an evening's finished matches, one after the other.",
        {200: (TEXT,)},
        (*FINDING, "often", "no-match-over", "evening-large"),
    ),
    Route("GET", "/verify", "Check the sealed dice of a record.", {200: (PAGE,)}),
    Route("GET", "/verify.html", "The same check as one file that needs no house.", {200: (PAGE,)}),
    Route(
        "GET",
        "/t/{code}/verify",
        "Check the sealed dice of a table's match.",
        {200: (PAGE,)},
        (*FINDING, "often", "no-record", "not-sealed"),
    ),
    Route("GET", "/record", "In a pocket, the form that opens a saved record.", {200: (PAGE,)}, ("no-page",)),
    Route(
        "POST",
        "/record",
        "In a pocket, open a saved record, or those of an evening.",
        {200: (PAGE,), 303: ()},
        ("no-page", *READING, "not-over", "dice-differ"),
        takes=((FORM, "RecordForm"),),
    ),
    Route("GET", "/record/{opened}", "To what decided the match of an opened record.", {303: ()}, ("no-page",)),
    Route(
        "GET",
        "/record/{opened}/receipt",
        "What decided the match of an opened record, as of a table's.",
        {200: (PAGE, JSON), 202: (PAGE,)},
        OPENED,
        query=("step", "again", "keep"),
        carries="ReceiptAnswer",
    ),
    Route("GET", "/record/{opened}/receipt.svg", "Its result as a picture.", {200: (PICTURE,), 202: ()}, OPENED),
    Route(
        "GET",
        "/record/{opened}/ask/{number}",
        "A decision of an opened record, by its number.",
        {200: (PAGE, JSON), 202: (PAGE,)},
        OPENED,
        carries="PositionAnswer",
    ),
    Route("GET", "/daily", "Today's position of Last orders.", DAY, DAYS, carries="DayPosition"),
    Route("POST", "/daily", "Answer it.", {303: ()}, (*DAYS, *READING, "day-over", "day-soon"), takes=DAY_FORM),
    Route("GET", "/daily/{date}", "A day's position; once it is over, answered.", DAY, DAYS, carries="DayPosition"),
    Route("GET", "/drill", "The games that can be drilled.", {200: (PAGE,)}),
    Route("GET", "/drill/{game}", "To the position of its drill to answer next.", {303: ()}, ("no-page",)),
    Route(
        "GET",
        "/drill/{game}/{number}",
        "A position of a game's drill; with keep, graded.",
        DAY,
        DRILL,
        query=("keep",),
        carries="DayPosition",
    ),
    Route(
        "POST",
        "/drill/{game}/{number}",
        "Answer it.",
        {303: ()},
        (*DRILL, *READING, "day-soon"),
        takes=((FORM, "DrillForm"),),
    ),
    Route("GET", "/night", "The form that begins a duplicate night.", {200: (PAGE,)}),
    Route(
        "POST",
        "/night",
        "Begin a duplicate night, whose tables have the same dice.",
        {303: ()},
        (*READING, *ASKING, *KEEPING, "night-counting", "no-code", "no-seals"),
        takes=((FORM, "NightForm"),),
    ),
    Route(
        "GET",
        "/night/{code}",
        "A duplicate night, and who gave least away at its tables; a bare code leads to its link.",
        {**WORKED, 307: ()},
        (*NIGHT, *ASKING, "log-damaged"),
        carries="NightAnswer",
    ),
    Route(
        "POST",
        "/night/{code}",
        "Set up a table of the night.",
        {303: ()},
        (*NIGHT, *READING, *OPENING, "night-once", "night-full", "night-here"),
        takes=((FORM, "NightTableForm"),),
    ),
    Route("GET", "/best-play/{game}", "Best play in figures.", WORKED, ("no-page", *ASKING), carries="Figures"),
    Route(
        "POST",
        "/prices",
        "From a form that opens a table to what the rules of its match change, for so many players.",
        {303: ()},
        (*READING, "no-page"),
        takes=((FORM, "OrderForm"),),
    ),
    Route(
        "GET",
        "/prices/{game}",
        "What each rule of a match does for the player who goes first: a field for each flag of odds.",
        WORKED,
        ("no-page", *ASKING),
        carries="RulePrices",
    ),
    Route("GET", "/book", "The players' book: one's own page, or a form to be written in.", {200: (PAGE,)}, BOOK),
    Route(
        "POST",
        "/book",
        "Be written into the book, come in by four words, draw others, leave, or be erased.",
        {200: (PAGE,), 303: ()},
        (*BOOK, *READING, "guesses", "asks-waiting", "book-words", "book-full", "book-here", "not-in-book"),
        takes=((FORM, "BookForm"),),
    ),
    Route(
        "GET",
        "/book/export",
        "All that the book holds about the player whose browser asks.",
        {200: (JSON,)},
        (*BOOK, "not-in-book"),
        carries="BookExport",
    ),
    Route("GET", "/help", "How to play here.", {200: (PAGE,)}),
    Route("GET", "/privacy", "What the house keeps of people, and for how long.", {200: (PAGE,)}),
    Route("GET", "/words", "Moved to /privacy.", {308: ()}),
    Route("GET", "/preview.png", "The picture that chats show of a link.", {200: ("image/png",)}),
    Route(
        "POST",
        "/language",
        "Choose a language.",
        {303: ()},
        READING,
        takes=((FORM, "LanguageForm"),),
    ),
    Route("POST", "/names", "Forget the names of those who share this phone.", {303: ()}),
    Route("GET", "/openapi.json", "This description.", {200: (JSON,)}),
    Route("GET", "/ready", "Whether a balancer may send people here.", {200: (TEXT,), 503: (TEXT,)}),
    Route("GET", "/healthz", "Whether the house can store what is played.", {200: (TEXT,), 503: (TEXT,)}),
    Route("GET", "/metrics", "Metrics for Prometheus.", {200: (TEXT,)}),
    Route("GET", "/static/{hash}/{name}", "Styles, scripts and pictures.", {200: ()}, ("no-page",)),
)
"""Every route of the house."""
