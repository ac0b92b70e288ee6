"""A language that nobody speaks, of the code "qps": every sentence is the English one with marks and longer words.

So tests see whether a sentence was translated at all, and how a page bears words a third longer. It has three forms of
a plural, as Polish does.
"""

import json
import re
from io import StringIO
from pathlib import Path

from babel.messages.pofile import read_po

from catalogue_notes import quoted
from catalogues import begin
from catalogues import write as write_catalogues

CODE, NAME = "qps", "Ķaþðik"
FACTS = {
    "code": CODE,
    "forms": 3,
    "plural": "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2)",
    "name": NAME,
    "point": ",",
    "thousands": "\N{NO-BREAK SPACE}",
}
_MARKED = str.maketrans("aeiouyAEIOUYncs", "àéîöûýÀÉÎÖÛÝñçš")
_HELD = re.compile(r"(\{[^}]*\}|\b[A-Z][A-Z_]+\b|--\w[\w-]*|<[^>]*>)")
"""What stays: facts, names in capitals, flags."""


def marked(text: str) -> str:
    """A text with marks, a third longer."""
    parts = _HELD.split(text)
    return "".join(
        part if at % 2 else re.sub(r"([àéîöû])", r"\1\1", part.translate(_MARKED)) for at, part in enumerate(parts)
    )


def _filled(text: str) -> str:
    """A catalogue with all of its empty translations filled in."""
    head = text.partition("\n\n")[0]
    entries = list[str]()
    for message in read_po(StringIO(text)):
        if isinstance(message.id, str):
            context = [("msgctxt", message.context)] if message.context else []
            told = [*context, ("msgid", message.id), ("msgstr", marked(message.id))] if message.id else []
        else:
            one, many = message.id
            forms = [marked(one), marked(many), marked(many)]
            told = [("msgid", one), ("msgid_plural", many), *((f"msgstr[{at}]", form) for at, form in enumerate(forms))]
        entries += ["", *(f"{name} {quoted(said)}" for name, said in told)]
    return "\n".join((head, *entries, ""))


def write(source: Path) -> None:
    """Put the language into the folder of a copy of pubdice: new files, and nothing else."""
    while lacking := [path for path, number in write_catalogues(CODE, FACTS, source).items() if number]:
        for path in lacking:
            path.write_text(_filled(path.read_text(encoding="utf-8")), encoding="utf-8")
    for path in begin(CODE, source):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            words = json.loads(text)
            told = {
                part: {key: marked(said) for key, said in words[part].items()} for part in words if part != "noscript"
            }
            path.write_text(json.dumps({"noscript": marked(words["noscript"]), **told}, ensure_ascii=False), "utf-8")
        elif path.suffix in (".md", ".txt"):
            path.write_text("\n".join(marked(line) for line in text.split("\n")), "utf-8")
