"""``pubdice doctor``: each thing that can be wrong is done to a house, and it says so in a sentence."""

import os
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from databases.every_event import spend
from pubdice.server.banner import lan_address
from pubdice.server.doctor import examine
from pubdice.server.file_place import FilePlace
from pubdice.server.findings import Finding, Patient, Urgency
from pubdice.server.teller import trouble
from pubdice.store.disk import MOUNTS
from pubdice.store.sqlite.schema import VERSIONS
from pubdice.text.catalogues import language
from support.console import COMMAND, Told, pubdice
from support.ports import free_port
from support.started import Started

ENGLISH = language("en")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A house after an evening."""
    spend(tmp_path / "house.db")
    return tmp_path / "house.db"


def found(file: Path, **more: Any) -> list[Finding]:
    """The doctor's findings, by default at a free port of this machine."""
    known: dict[str, Any] = {
        "host": "127.0.0.1",
        "port": free_port(),
        "address": "",
        "home": None,
        "now_ms": time.time_ns() // 1_000_000,
        "language": ENGLISH,
        "trouble": lambda error: trouble(ENGLISH, error),
    }
    return list(examine(FilePlace(file), Patient(**(known | more))))


def wrong(file: Path, **more: Any) -> list[str]:
    return [each.said for each in found(file, **more) if each.urgency is Urgency.WRONG]


def looks(file: Path, **more: Any) -> list[str]:
    return [each.said for each in found(file, **more) if each.urgency is Urgency.LOOK]


def asked(*words: str) -> Told:
    return pubdice("doctor", "--host", "127.0.0.1", "--port", str(free_port()), *words)


def test_a_sound_house_has_nothing_wrong_and_is_left_as_it_was(file: Path) -> None:
    before = {each.name: each.read_bytes() for each in file.parent.iterdir() if each.is_file()}
    told = asked("--data", str(file))
    assert (told.status, told.err) == (0, "")
    assert told.out.endswith("Nothing is wrong.\n")
    assert f"Fine: {file} can be read, and has " in told.out
    after = {each.name: each.read_bytes() for each in file.parent.iterdir() if each.is_file()}
    assert {name: after.get(name) for name in before} == before


def test_a_folder_that_is_missing_or_cannot_be_written(tmp_path: Path) -> None:
    gone = tmp_path / "none"
    assert wrong(gone / "x.db") == [f"There's no folder {gone}: make it first, or check the name."]
    assert not wrong(gone / "x.db", home=gone), "a house makes the platform's own folder"
    if Path("/proc/self").exists():
        assert wrong(Path("/proc/house.db"))[0].startswith(
            ("The house can't save in /proc", "You may not write in /proc")
        )


@pytest.mark.parametrize("how", ["--data", "--store", "PUBDICE_STORE"])
def test_a_named_file_that_does_not_exist_is_wrong(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a typo.db"
    if how == "PUBDICE_STORE":
        monkeypatch.setenv(how, str(file))
    told = asked(*([how, str(file)] if how.startswith("--") else []))
    assert told.status == 1
    assert (
        f"Wrong: {file} doesn't exist, so there are no tables. If they are elsewhere, name their file with --data. "
        f"To begin a house in this one: pubdice serve --data '{file}'\n"
    ) in told.out
    assert not file.exists()


def test_without_a_name_no_tables_yet_is_how_a_house_begins(tmp_path: Path) -> None:
    told = pubdice("doctor", "--host", "127.0.0.1", "--port", str(free_port()), data=tmp_path)
    assert told.status == 0
    assert f"Fine: There are no tables yet. The house that opens makes {tmp_path / 'house.db'}.\n" in told.out


def test_a_full_disk(file: Path) -> None:
    (said,) = wrong(file, least_free=10**18)
    assert said.startswith("Only ")
    assert said.endswith(f" MB are left on the disk of {file.parent}. Make room.")


@pytest.mark.parametrize("to", [len(VERSIONS) - 1, len(VERSIONS) + 1])
def test_another_version_of_the_file(file: Path, to: int) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute(f"PRAGMA user_version = {to}")
    if to > len(VERSIONS):
        assert wrong(file) == [f"{file} was written by a newer pubdice. This one leaves it alone."]
    else:
        assert looks(file)[0].startswith(f"An older pubdice wrote {file}.")


def test_a_file_that_is_no_house(tmp_path: Path) -> None:
    (tmp_path / "house.db").write_bytes(b"not a database, but long enough to be taken for one" * 20)
    assert wrong(tmp_path / "house.db")[0].startswith("Couldn't read tables from ")


def test_a_port_that_is_taken(file: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()

        def hang_up() -> None:
            other.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        port = other.getsockname()[1]
        assert wrong(file, port=port) == [f"Port {port} is in use already. Pick another with --port."]
    assert wrong(file, host="192.0.2.77") == ["This machine has no address 192.0.2.77."]


def test_a_port_that_a_house_has(file: Path) -> None:
    port = free_port()
    with Started("serve", "--data", file, "--port", str(port), "--no-qr", environ=os.environ) as house:
        house.stdout.readline()
        said = [each.said for each in found(file, port=port)]
        house.send_signal(signal.SIGTERM)
    assert f"A house is open at port {port} already." in said


EVERY_HOST = "0.0.0.0"


@pytest.mark.skipif(lan_address() is None, reason="needs a network")
@pytest.mark.parametrize("host", ["127.0.0.1", EVERY_HOST])
def test_a_house_is_asked_at_the_address_that_phones_type(host: str, file: Path) -> None:
    port = free_port()
    words = ("serve", "--data", file, "--host", host, "--port", str(port), "--no-qr")
    with Started(*words, environ=os.environ) as house:
        house.stdout.readline()
        said = [each.said for each in found(file, host=EVERY_HOST, port=port)]
        house.send_signal(signal.SIGTERM)
    alone = "Only this machine can reach a house at 127.0.0.1. To let phones in: pubdice serve --host 0.0.0.0"
    phones = f"Phones in the same network type http://{lan_address()}:{port}/"
    assert (alone in said, phones in said) == ((True, False) if host == "127.0.0.1" else (False, True))


def test_no_phone_is_told_an_address_that_the_house_cannot_have(file: Path, tmp_path: Path) -> None:
    assert [each.said for each in found(file, host="192.0.2.77", root=tmp_path)][-1] == (
        "This machine has no address 192.0.2.77."
    )
    told = pubdice("doctor", "--port", "0", "--data", str(file))
    assert (told.status, told.out) == (2, "")
    assert told.err == "pubdice doctor: --port is a whole number: 1 to 65535.\n"


def test_a_file_of_no_bytes_is_empty_and_no_house_wrote_it(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    assert looks(empty)[0] == f"{empty} is empty. The house that opens makes its tables in it."


def test_an_address_that_only_this_machine_reaches(file: Path) -> None:
    (said,) = looks(file)
    assert said == ("Only this machine can reach a house at 127.0.0.1. To let phones in: pubdice serve --host 0.0.0.0")
    assert not looks(file, host="0.0.0.0", root=file.parent)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs root, to take the network away")
def test_a_machine_without_a_network(file: Path) -> None:
    words = ["unshare", "--net", str(COMMAND), "doctor", "--data", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "Wrong: This machine is in no network, so no phone can reach it.\n" in done.stdout
    assert done.returncode == 1


def test_a_firewall_is_named_with_the_command_that_opens_it(file: Path, tmp_path: Path) -> None:
    conf = tmp_path / "etc/ufw/ufw.conf"
    conf.parent.mkdir(parents=True)
    port = free_port()
    conf.write_text("# on or off\nENABLED=no\n", "utf-8")
    assert not looks(file, host="0.0.0.0", port=port, root=tmp_path)
    conf.write_text("# on or off\nENABLED=yes\n", "utf-8")
    (tmp_path / "run/firewalld").mkdir(parents=True)
    one, two = looks(file, host="0.0.0.0", port=port, root=tmp_path)
    assert one == f"A firewall is on: ufw. If phones can't get in: sudo ufw allow {port}/tcp"
    assert two.startswith("A firewall is on: firewalld.")


def test_a_clock_that_was_never_set_or_went_back(file: Path) -> None:
    assert "It is not set" in wrong(file, now_ms=86_400_000)[0]
    with closing(sqlite3.connect(file)) as db:
        (newest,) = db.execute("SELECT max(updated) FROM tables").fetchone()
        later = time.time_ns() // 1_000_000 + 3_600_000
        db.execute("UPDATE tables SET updated = ? WHERE updated = ?", (later, newest))
        db.commit()
    assert "but the newest table is from" in wrong(file)[0]


@contextmanager
def tls(folder: Path) -> Iterator[int]:
    """The port of a server on this machine with a certificate of no authority."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    asked_for = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    made = [openssl, "req", *asked_for, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def answer() -> None:
            with suppress(OSError):
                context.wrap_socket(listening.accept()[0], server_side=True).close()

        threading.Thread(target=answer, daemon=True).start()
        yield listening.getsockname()[1]


def test_an_address_is_looked_up_called_and_its_tls_checked(file: Path, tmp_path: Path) -> None:
    assert looks(file, address="http://dice.example") == [
        "http://dice.example has no TLS: fine in your own network, not on the internet. "
        'See "A house for your club" in the documents.'
    ]
    assert wrong(file, address="https://no-such-name.invalid") == [
        "The name no-such-name.invalid leads nowhere. Has its DNS record been set?"
    ]
    port = free_port()
    (said,) = wrong(file, address=f"https://127.0.0.1:{port}")
    assert said.startswith(f"https://127.0.0.1:{port} does not answer.")
    with tls(tmp_path) as port:
        (said,) = wrong(file, address=f"https://127.0.0.1:{port}")
    assert said.startswith("Browsers will refuse the certificate of 127.0.0.1: ")


@pytest.mark.parametrize("command", ["doctor", "serve"])
def test_an_address_that_is_none_or_more_than_a_name_is_refused(command: str, tmp_path: Path) -> None:
    for address, why in (
        ("https://dice.example:0", 'The house has no such address as "https://dice.example:0": it is a name, such as '
         "dice.example."),
        ("https://dice.example/dice/", "A house's address is a name alone, with no path, query or user. Write "
         "https://dice.example."),
    ):  # fmt: skip
        told = pubdice(command, "--port", "1", "--address", address, data=tmp_path)
        assert (told.status, told.out, told.err) == (2, "", f"pubdice {command}: {why}\n")


def test_tables_on_a_network_file_system_are_wrong(file: Path, tmp_path: Path) -> None:
    mounts = tmp_path / "root" / MOUNTS
    mounts.parent.mkdir(parents=True)
    mounts.write_text(f"1 1 0:1 / / rw - ext4 /dev/vda rw\n2 1 0:2 / {file.parent} rw - nfs4 nas:/ rw\n")
    (said,) = wrong(file, root=tmp_path / "root")
    assert said.startswith(f"{file.parent} is on a network file system (nfs4), where SQLite loses data.")
    mounts.unlink()
    assert wrong(file, root=tmp_path / "root") == []
