"""Tests of the script that keeps the front page. At the next start, the page must be as the house would show it."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from pocket.shell_pages import BELOW, engine, visit

SCENE = f"""async () => {{
  const {{ Front }} = await import('/{BELOW}pocket/front.js');
  const {{ keptFileSystem }} = await import('/{BELOW}pocket/kept_files.js');
  class File {{
    constructor(path, room = 1e6) {{
      Object.assign(this, {{ path, room, bytes: new Uint8Array(), size: 0 }});
    }}
    truncate(size) {{
      this.done?.push(`${{this.path}}: ${{size}} bytes`);
      this.bytes = this.bytes.slice(0, size);
      this.size = size;
    }}
    write(bytes) {{
      this.done?.push(`${{this.path}}: written`);
      if (this.fails) throw new DOMException('', 'QuotaExceededError');
      this.bytes = bytes.slice(0, this.room);
      return (this.size = this.bytes.length);
    }}
    read(buffer) {{
      buffer.set(this.bytes.subarray(0, buffer.length));
    }}
    call(path) {{
      this.done?.push(`${{this.path}}: called "${{path}}"`);
      this.path = path;
      if (!path) this.truncate(0);
    }}
  }}
  const begin = (files, version = '1') => new Front(files, version, '/a/');
  const draw = (front, body, {{ status = 200, during = () => {{}}, ...more }} = {{}}) => {{
    const noted = front.noting({{ method: 'GET', target: '/a/', ofPage: true, near: false, ...more }});
    noted?.begin(status, [['content-type', 'text/html']]);
    for (const byte of new TextEncoder().encode(body)) noted?.part(new Uint8Array([byte]));
    during();
    if (noted) front.keep(noted);
    return !!noted;
  }};
  const body = front => front.shown?.body ?? front.shown;
  window.scene = {{ File, begin, draw, body, keptFileSystem }};
}}"""


@pytest.fixture
def page(home: BrowserContext) -> Page:
    """A page with the script, and with objects in place of the files of a pool."""
    page = visit(home, engine())
    page.evaluate(SCENE)
    return page


def found(page: Page, script: str) -> Any:
    """Return the value of a script that can use ``File``, ``begin``, ``draw``, ``body`` and ``keptFileSystem``."""
    return page.evaluate(f"() => {{ const {{ File, begin, draw, body, keptFileSystem }} = scene; {script} }}")


def test_only_a_house_without_files_is_shown_as_shipped(page: Page) -> None:
    empty = "begin([]).shown, begin([new File('')]).shown"
    files = "begin([new File('house.db')]).shown, begin([new File(null)]).shown"
    assert found(page, f"return [{empty}, {files}];") == [True, True, None, None], "one whose name can't be read is one"


def test_where_tables_are_the_page_is_shown_as_it_was_drawn_last(page: Page) -> None:
    before, after = found(
        page,
        """const files = [new File('house.db'), new File('')];
        const first = begin(files);
        const before = body(first);
        draw(first, 'Ann’s tables');
        return [before, body(begin(files))];""",
    )
    assert before is None, "an empty house would look as if all were lost"
    assert after == "Ann’s tables"


def test_a_kept_page_goes_once_a_move_is_written(page: Page) -> None:
    kept, again, meanwhile = found(
        page,
        """const files = [new File('house.db'), new File('')], front = begin(files);
        draw(front, 'one');
        front.writing();
        const kept = body(begin(files));
        draw(front, 'two');
        const again = body(begin(files));
        front.writing();
        draw(front, 'three', { during: () => front.writing() });
        return [kept, again, body(begin(files))];""",
    )
    assert (kept, again, meanwhile) == (None, "two", None)


def test_another_version_and_a_damaged_one_are_not_shown(page: Page) -> None:
    other, gone, damaged, mended = found(
        page,
        """const files = [new File('house.db'), new File('')];
        draw(begin(files), 'one');
        const other = body(begin(files, '2')), gone = files.every(({ path }) => path !== 'front');
        const front = begin(files);
        draw(front, 'two');
        files.find(({ path }) => path === 'front').bytes[0] = 0;
        const last = begin(files), damaged = body(last);
        last.writing();
        draw(last, 'three');
        return [other, gone, damaged, body(begin(files))];""",
    )
    assert (other, gone, damaged, mended) == (None, True, None, "three")


def test_a_kept_page_in_other_languages_is_not_shown(page: Page) -> None:
    other, asked, again = found(
        page,
        """const files = [new File('house.db'), new File('')];
        Object.defineProperty(navigator, 'languages', { value: ['de-AT', 'de'], configurable: true });
        draw(begin(files), 'eins');
        Object.defineProperty(navigator, 'languages', { value: ['en-GB', 'en'] });
        const front = begin(files), other = body(front), asked = new Map(front.asks().headers);
        draw(front, 'one');
        return [other, asked.get('accept-language'), front.asks()];""",
    )
    assert (other, asked, again) == (None, "en-GB,en", None)


def test_a_kept_page_is_whole_before_it_has_its_name(page: Page) -> None:
    kept, made, written, shown = found(
        page,
        """const done = [];
        const pool = ['house.db', ''].map(path => Object.assign(new File(path), { done, generation: 1 }));
        const since = () => done.splice(0), front = begin(pool);
        draw(front, 'one');
        const kept = since();
        class ErrnoError {}
        const createNode = (parent, name) => ({ parent, name });
        const FS = { ErrnoError, createNode, isDir: () => false, isFile: () => true };
        const root = keptFileSystem(FS, pool, () => {}, () => front.writing()).mount();
        root.node_ops.mknod(root, 'log', 1);
        const made = since();
        pool[1].call('', 0);
        draw(front, 'two');
        since();
        const node = root.node_ops.lookup(root, 'house.db');
        node.stream_ops.write({ node }, new Uint8Array(4), 0, 4, 0);
        return [kept, made, since(), body(begin(pool))];""",
    )
    assert kept == [": 0 bytes", ": written", ': called "front"']
    assert made[:2] == ['front: called ""', ": 0 bytes"], "it has the last file without a name"
    assert made[-1] == ': called "log"'
    assert written == ['front: called ""', ": 0 bytes", "house.db: written"]
    assert shown is None


def test_other_answers_are_not_kept_nor_is_one_twice(page: Page) -> None:
    assert found(
        page,
        """const files = [new File('house.db'), new File('')], front = begin(files);
        const others = [{ method: 'POST' }, { near: true }, { ofPage: false }, { target: '/a/rules' }];
        const noted = others.map(other => draw(front, 'another', other));
        draw(front, 'failed', { status: 503 });
        const kept = body(begin(files));
        return [...noted, kept, draw(front, 'one'), draw(front, 'one')];""",
    ) == [False, False, False, False, None, True, False]


def test_where_there_is_no_room_nothing_is_kept(page: Page) -> None:
    assert found(
        page,
        """const found = [], tables = new File('house.db'), fails = Object.assign(new File(''), { fails: true });
        for (const spare of [[], [new File('', 10)], [fails]]) {
          const files = [tables, ...spare];
          draw(begin(files), 'one');
          found.push(body(begin(files)), spare[0]?.size);
        }
        return found;""",
    ) == [None, None, None, 0, None, 0], "what came of it takes no room from moves"
