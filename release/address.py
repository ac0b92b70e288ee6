"""Writes the project's address into every place that names it: ``python -m release.address ACCOUNT``.

Until then no file names an address, as none exists. ``ACCOUNT`` is the account of the code host that publishes.
"""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    "cluster": "host/cluster.html",
    "lab": "build/laboratory.html",
    "pocket": "play/pocket.html",
    "workshop": "build/game.html",
}
"""The page of the site that is about each annex."""
ACCOUNT = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}")
"""Names of accounts, as the code host allows them."""


class Unplaced(Exception):
    """A sentence: the reason why nothing was written."""


def _repository(account: str) -> str:
    return f"https://github.com/{account}/pubdice"


def _site(account: str) -> str:
    return f"https://{account.lower()}.github.io/pubdice/"


def _urls(account: str, page: str) -> str:
    """The table of a project's metadata. page: its document on the site."""
    return (
        "[project.urls]\n"
        f'Homepage = "{_site(account)}"\n'
        f'Repository = "{_repository(account)}"\n'
        f'Documentation = "{_site(account)}docs/{page}"\n'
        f'Issues = "{_repository(account)}/issues"\n'
        f'Changelog = "{_repository(account)}/blob/main/CHANGELOG.md"\n\n'
    )


def _once(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise Unplaced(f"{old.strip()!r} should stand there once, and stands there {text.count(old)} times")
    return text.replace(old, new)


def _metadata(page: str) -> Callable[[str, str], str]:
    def write(text: str, account: str) -> str:
        found = re.search(r"^\[project\.(?:scripts|optional-dependencies|entry-points)", text, re.MULTILINE)
        if not found:
            raise Unplaced("no table follows [project]")
        return text[: found.start()] + _urls(account, page) + text[found.start() :]

    return write


def _readme(text: str, account: str) -> str:
    play = f"[Play now]({_site(account)}) on one phone, or read the [documents]({_site(account)}docs/). At your table:"
    here = "In this folder:\n\n```\n"
    return _once(text, here, f"{play}\n\n```\ngit clone {_repository(account)} && cd pubdice\n")


def _linked(text: str, account: str) -> str:
    """An annex's page at the package index has no folder beside it, so its links lead to the site."""
    led = re.sub(r"\]\(\.\./\.\./docs/([\w/-]+)\.md", rf"]({_site(account)}docs/\1.html", text)
    led = re.sub(r"\]\(\.\./\.\./([\w/.-]+)\)", rf"]({_repository(account)}/blob/main/\1)", led)
    if led == text:
        raise Unplaced("it has no link to the documents")
    return led


def _start(text: str, account: str) -> str:
    here = "in the folder of Pubdice:\n\n```\n"
    return _once(text, here, f"{here}git clone {_repository(account)} && cd pubdice\n")


def _terminal(text: str, account: str) -> str:
    """The package index needs no folder."""
    here = "In the folder of Pubdice, type:\n\n```\n"
    text = _once(text, here, f"{here}git clone {_repository(account)} && cd pubdice\n")
    kept = "`pipx run pubdice` plays at once, `pipx install pubdice` keeps it. Both need"
    text = _once(
        text, "| in every folder | `pipx install .` installs `pubdice`. It needs", f"| without the folder | {kept}"
    )
    text = _once(text, "`pip install .`", "`pip install pubdice`")
    return _once(text, "'.[web]'", "'pubdice[web]'")


def _pocket(text: str, account: str) -> str:
    given = "Open the link that your pub"
    return _once(text, given, f"Open <{_site(account)}>, or the link that your pub")


def _image(text: str, account: str) -> str:
    """The published image needs no build."""
    text = _once(text, "podman build --format docker --file deploy/Containerfile --tag pubdice .\n", "")
    text = re.sub(r"([Bb])uild the image in the folder of a (\[release\]\(#releases\)|release):", _runs, text)
    return _once(text, "localhost/pubdice", f"ghcr.io/{account.lower()}/pubdice")


def _runs(built: re.Match[str]) -> str:
    return f"{'R' if built[1] == 'B' else 'r'}un the image of the newest {built[2]}:"


def _citation(text: str, account: str) -> str:
    return f"{text}repository-code: {_repository(account)}\nurl: {_site(account)}\n"


def _security(text: str, account: str) -> str:
    page = f"{_repository(account)}/security/advisories/new"
    return _once(text, "report it to the maintainers in private", f"[report it in private]({page})")


def _issues(text: str, account: str) -> str:
    page = f"{_repository(account)}/security/advisories/new"
    about = "    about: Please tell us in private.\n"
    return f"{text}contact_links:\n  - name: A way to cheat or to do harm\n    url: {page}\n{about}"


def places(folder: Path) -> dict[str, Callable[[str, str], str]]:
    """Each file that names the address, and the function that writes the address of an account into its text."""
    annexes = sorted(path.name for path in folder.glob("packages/*") if (path / "pyproject.toml").exists())
    return {
        "pyproject.toml": _metadata(""),
        "README.md": _readme,
        "CITATION.cff": _citation,
        "SECURITY.md": _security,
        ".github/ISSUE_TEMPLATE/config.yml": _issues,
        "docs/play/start.md": _start,
        "docs/play/terminal.md": _terminal,
        "docs/play/pocket.md": _pocket,
        "docs/host/club.md": _image,
        "docs/host/operating.md": _image,
        **{f"packages/{name}/pyproject.toml": _metadata(PAGES.get(name, "")) for name in annexes},
        **{f"packages/{name}/README.md": _linked for name in annexes},
    }


def publish(account: str, folder: Path = ROOT) -> list[str]:
    """Write the address of ``account`` into every place, or into none. Returns the files. Raises Unplaced."""
    if not ACCOUNT.fullmatch(account):
        raise Unplaced(f"{account!r} is no name of an account: letters, digits and single hyphens, 39 at most.")
    if "[project.urls]" in (folder / "pyproject.toml").read_text("utf-8"):
        raise Unplaced("The project has an address already: [project.urls] in pyproject.toml names it.")
    written = {}
    for name, write in places(folder).items():
        try:
            written[name] = write((folder / name).read_text("utf-8"), account)
        except Unplaced as error:
            raise Unplaced(f"{name}: {error}. Nothing was written.") from None
    for name, text in written.items():
        (folder / name).write_text(text, "utf-8")
    return list(written)


def main(words: Sequence[str]) -> int:
    """Publish at an account; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m release.address", description="Writes the project's address.")
    parser.add_argument("account", help="the account that publishes the repository")
    try:
        files = publish(parser.parse_args(words).account)
    except Unplaced as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("".join(f"{name}\n" for name in files))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
