"""What people may call themselves where others see it."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.core.errors import BadNotation, Refused
from pubdice.match.header import LONGEST
from pubdice.room import commands as ask
from pubdice.room.nickname import is_alike, read_nickname, skeleton, width
from pubdice.text.emoji import is_printable
from room.scripted_room import evening


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Zoë",
        "O'Hara",
        "J. R.",
        "R2-D2",
        "Tom & Co",
        "Ж",
        "李小龍",
        "7 of 9",
        "Nguyễn",
        "Søren",
        "שָׁלוֹם",
        "محمد",
        "Ida",
        "Hosta",
        "Younes",
        "Platon",
        "Botho",
        "Duc",
        "Alle Meyer",
        "Kaʻahumanu",
        "Kɔfi",
        "佐々木ハルー",
        "鈴木 一",
        "ǀXam",
        "一",
        "김 Ann",
        "राम",
        "สมชาย",
        "Юля 2",
        "007",
        "二〇",
        "علي ٢",
        "राम २",
        "สมชาย ๒",
        "Mª José",
        "٤٢",
        "०",
        "๐๐",
        "x" * 24,
        "O’Brien",
        "Oʼbrien",
        "O´Brien",
        "’t Hooft",
        "R2–D2",
        "Marcel·la",
        "ジョン・スミス",
        "Ann/Bob",
        "🎲",
        "🎲 Zoë",
        "♥",
        "👩\u200d👩\u200d👧\u200d👦",
        "👍🏽",
        "🇩🇪 Ann",
        "李🎲",
        "🎲" * 12,
        "7️⃣ of 9",
        "👑",
    ],
)
def test_names_people_have_are_taken(name: str) -> None:
    assert read_nickname(name)


@pytest.mark.parametrize(
    "other",
    [
        "Ann",
        "ann",
        "ANN",
        "Ann.",
        "Ann-",
        "A.n.n",
        "А" + "nn",
        "Α" + "nn",
        "\uff21\uff2e\uff2e",
        "Аnn_",
        " Ann ",
        "Annʼ",
        "Annʹ",
        "Annˌ",
        "Annꞌ",
        "Annǃ",
        "Annـ",
        "ᴀnn",
        "Aɴɴ",
        *(f"Ann{sign}" for sign in "ーｰ一⼀ヽヾゝゞㆍㅡㅣ丨丶丿〱〻ǀǁǂ"),
        "Annーー",
        "Ann゛",
        "Ann゜",
        "Ann 一",
        "一Ann",
        "Anーn",
        "Аnnー",
    ],
)
def test_a_name_that_looks_like_anothers_is_taken_already(other: str) -> None:
    with pytest.raises(Refused, match="name-taken"):
        read_nickname(other, ["Bob", "Ann"])


@pytest.mark.parametrize(
    ("one", "two"), [("Biǀǀ", "Bill"), ("Ian", "lan"), ("Bob", "B0b"), ("ВОВ", "BOB"), ("Ιda", "Ida"), ("Ida", "IDA")]
)
def test_letters_that_look_alike_are_one(one: str, two: str) -> None:
    assert is_alike(one, two)
    assert is_alike(two, one)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ann", "Ann\ufe0f"),
        ("Аnn 🎲", "Ann🎲"),
        ("🎲 Ann", "Ann 🎲"),
        ("👍🏽", "👍🏿"),
        ("👍", "👍🏿"),
        ("♥️", "❤️"),
        ("👩\u200d👧", "👩👧"),
        ("😀", "😃"),
        ("🕐", "🕥"),
        ("🇷🇴", "🇹🇩"),
        ("🇦🇳🇳🇦", "Anna"),
        ("🇩🇪", "DE"),
        ("O’Brien", "OBrien"),
        ("7️⃣", "7"),
    ],
)
def test_names_that_differ_in_what_nobody_sees_or_remembers_are_one(one: str, two: str) -> None:
    assert is_alike(one, two)
    assert is_alike(two, one)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ann", "Ann🎲"),
        ("Ann🎲", "Ann🎯"),
        ("Ann🎲", "Ann🎲🎲"),
        ("🎲", "🎯"),
        ("🇩🇪", "🇫🇷"),
        ("👩\u200d👧", "👩\u200d👦"),
        ("Ann", "Anna"),
        ("Zoe", "Zoë"),
        ("Kim", "Tim"),
        ("Jan", "Ján"),
        ("李", "季"),
        ("林", "林一"),
        ("林", "林 一"),
        ("ハル", "ハルー"),
        ("Ann", "Ann 一郎"),
        ("一", "ー"),
        ("いす", "いすゞ"),
        ("김", "김ㅣ"),
    ],
)
def test_other_names_are_others(one: str, two: str) -> None:
    assert not is_alike(one, two)


@pytest.mark.parametrize(
    "name",
    [
        "You",
        "YOU",
        "y o u",
        "Y.o.u",
        "Уou",
        "Nobody",
        "no one",
        "Host",
        "the host",
        "H0st",
        "The House",
        "Seat 2",
        "seat2",
        "Player 1",
        "Du",
        "Niemand",
        "Gastgeber",
        "Das Haus",
        "Platz 3",
        "Spieler 1",
        "Draw",
        "Bot",
        "Everybody",
        "pubdice",
        "Yᴏu",
        "You won",
        "Your turn",
        "You 2",
        "Y0u-2",
        "Youʼre next",
        "Hostー",
        "Seat 2一",
        "Youー won",
        "Du hast gewonnen",
        "Tú",
        "Te toca",
        "Nadie",
        "La casa",
        "Sitio 3",
        "Número 1",
        "The host of it",
        "you🎲",
        "🎲 You won",
        "'You won",
        "🎲 'Your turn",
        "y🎲ou",
        "You🎲won",
        "🇩🇺",
        "Seat 2 🎲",
        "♥️Host",
    ],
)
def test_the_houses_own_words_are_nobodys_name(name: str) -> None:
    with pytest.raises(BadNotation, match="name-reserved"):
        read_nickname(name)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Z" + "\u0301" * 23, "name-characters"),
        ("a" + "\u0316\u0301\u0302\u0303", "name-characters"),
        ("Ann rolled 666666", "name-characters"),
        ("\ufdfa" * 24, "name-long"),
        ("李" * 13, "name-long"),
        ("\U00012031" * 13, "name-long"),
        ("A\u202eB", "name-characters"),
        ("", "name-missing"),
        ("ʼʼ", "name-characters"),
        ("ꓮnn", "name-script"),
        ("Ꭺnn", "name-script"),
        ("Ⲁnn", "name-script"),
        ("\U000102a0nn", "name-script"),
        ("\U00010300nn", "name-script"),
        ("Annꓸ", "name-script"),
        ("ꓧꓳꓢꓔ", "name-script"),
        ("Bжb", "name-script"),
        ("Bob٥", "name-script"),
        ("Ann½", "name-characters"),
        ("Seat ②", "name-reserved"),
        ("1٥", "name-script"),
        ("علي ٢3", "name-script"),
        ("६6", "name-script"),
        ("🎲" * 13, "name-long"),
        ("Bжb🎲", "name-script"),
        ("🅰nn", "name-characters"),
        ("★ Ann", "name-characters"),
        ("Ann ✅", "name-characters"),
        ("7️⃣" * 5, "name-characters"),
    ],
)
def test_a_name_that_is_too_much_is_refused(name: str, fault: str) -> None:
    with pytest.raises(BadNotation, match=fault):
        read_nickname(name)


@given(st.text(max_size=40))
def test_any_text_is_a_name_of_bounded_width_or_refused(text: str) -> None:
    try:
        name = read_nickname(text)
    except BadNotation:
        return
    assert 0 < width(name) <= LONGEST
    assert is_printable(name)
    assert read_nickname(name) == name
    assert is_alike(name, name)
    assert skeleton(name) == skeleton(name.casefold()) or "I" in normalize("NFD", name)
    assert is_alike(name, name + "\ufe0f")


def test_a_letter_with_a_mark_is_looked_at_under_the_mark() -> None:
    assert is_alike("Хоё", "Xoë")


def test_a_name_of_an_earlier_version_is_read_and_keeps_its_seat() -> None:
    table = evening("pig", 3)
    table.sit("ann", "bob")
    older = [line.replace("Bob", "ꓧꓳꓢꓔ") for line in table.log]
    assert older != table.log
    state = list(table.room.replay(table.room.start(), older))[-1].after
    assert "ꓧꓳꓢꓔ" in state.names


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("H₂O", "H2O"), ("CO₂-Max", "CO2-Max"), ("Ludwig Ⅱ", "Ludwig II"), ("Ann²", "Ann2"), ("AnnⅠ", "AnnI"), ("①", "1")],
)
def test_a_numeral_that_is_a_sign_is_kept_as_all_read_it(typed: str, kept: str) -> None:
    assert read_nickname(typed) == kept
    with pytest.raises(Refused, match="name-taken"):
        read_nickname(typed, [kept])
    with pytest.raises(Refused, match="name-taken"):
        read_nickname(kept, [read_nickname(typed)])


@pytest.mark.parametrize("typed", ["AnnⅠ", "Annⅰ", "Ann²", "Ann₂", "Ann①", "²Ann", "А" + "nn²"])
def test_a_sign_beside_a_name_makes_no_other_name(typed: str) -> None:
    with pytest.raises(Refused, match="name-taken"):
        read_nickname(typed, ["Bob", "Ann"])
    assert read_nickname("H₂O", ["Bob", "Ann"]) == "H2O"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("٥٥", "oo"),
        ("٥٥", "00"),
        ("٥٥", "55"),
        ("١", "I"),
        ("١", "1"),
        ("०", "O"),
        ("๐๐", "oo"),
        ("٤٢", "42"),
        ("٤٢", "۴۲"),
        ("४२", "٤٢"),
        ("৪", "8"),
        ("৪", "4"),
        ("علي ٢", "علي 2"),
        ("०", "٠"),
    ],
)
def test_digits_of_another_script_pass_for_what_they_look_like_and_for_what_they_are(one: str, two: str) -> None:
    assert is_alike(one, two)
    assert is_alike(two, one)
    assert not is_alike(one, two + "7")


def test_numerals_that_pass_for_a_sign_or_a_letter_are_nobodys_name_beside_those_they_pass_for() -> None:
    table = evening("pig", 3)
    table.sit("ann")
    table.ask("bob", ask.Sit(None, "Io"))
    for name in ("AnnⅠ", "Ann²", "١٥", "10"):
        assert table.refused("cid", ask.Sit(None, name)) == "name-taken"
    assert table.refused("bob", ask.Rename("Ann²")) == "name-taken"
    table.ask("cid", ask.Sit(None, "٤٢"))


def test_who_sits_down_waits_or_is_renamed_looks_like_nobody_else() -> None:
    table = evening("pig", 3)
    table.sit("ann")
    for name in ("Ann", "Аnn", "ann-"):
        assert table.refused("bob", ask.Sit(None, name)) == "name-taken"
    table.ask("bob", ask.Sit(None, "Bob"))
    assert table.refused("bob", ask.Rename("Αnn")) == "name-taken"
