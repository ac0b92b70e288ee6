"""The Caddyfile against the house: its paths are routes, what is asked twice counts once, idle lines close in time."""

import re

from starlette.applications import Starlette

from deploy.deployed import DEPLOY, PACKAGE, PATHS, compose
from pubdice.server.app import ROUTES
from pubdice.server.serve import configured
from pubdice.server.wire import Asked

TEXT = re.sub(r"#.*", "", (DEPLOY / "Caddyfile").read_text("utf-8"))
COUNTED_BY_KEY = ("/tables", "/t/{code}", "/night/{code}")
"""POSTs that carry an idempotency key."""
TABLES = {"/tables", "{{ here }}", "{{ '/tables/forget' if row.codes else row.href }}", "{{ page.here }}"}
"""Where forms with a key go to: new tables, tables, an evening's, a night's tables."""
FORM = re.compile(r'<form[^>]*method="post"[^>]*action="([^"#]*).*?>(.*?)</form>', re.DOTALL)
SETTINGS = ("/language", "/names")
"""POSTs that set a cookie to what they say."""


def setting(name: str) -> str:
    """What follows a directive that stands once."""
    (found,) = re.findall(rf"^\s*{name} (.+)$", TEXT, re.MULTILINE)
    return str(found)


def matching(pattern: str, path: str) -> bool:
    """Whether a path matches as Caddy matches paths: * at the end is any rest."""
    return path == pattern or (pattern.endswith("*") and path.startswith(pattern[:-1]))


def test_the_paths_it_names_are_routes() -> None:
    closed = setting("@operators path").split()
    assert set(closed) <= PATHS
    assert setting("health_uri") in PATHS


def test_only_posts_that_count_once_are_asked_again() -> None:
    *pages, posts = re.findall(r"lb_retry_match \{([^}]*)\}", TEXT)
    assert {" ".join(each.split()) for each in pages} == {"method GET HEAD"}
    assert "method POST" in posts
    (patterns,) = re.findall(r"path (.+)", posts)
    posted = {route.path for route in ROUTES if route.method == "POST"}
    retried = {path for path in posted if any(matching(each, path) for each in patterns.split())}
    assert retried == {*COUNTED_BY_KEY, *SETTINGS}


def test_every_form_that_is_asked_again_has_a_key() -> None:
    keyed = []
    for template in sorted([*PACKAGE.glob("server/pages/*.html"), *PACKAGE.glob("server/web/templates/*.html")]):
        for action, form in FORM.findall(template.read_text("utf-8")):
            if action in TABLES:
                keyed.append(action)
                assert '<input type="hidden" name="key"' in form, f"{template.name}: {action}"
    assert set(keyed) == TABLES
    assert "key" in Asked.__struct_fields__


def test_it_closes_idle_lines_before_the_house_does() -> None:
    assert int(setting("keepalive").removesuffix("s")) < configured(Starlette).timeout_keep_alive
    assert "flush_interval" not in TEXT, "with -1 a stream outlives its phone"


def test_compose_gives_it_what_it_reads_and_repeats_what_its_caddy_can() -> None:
    given = compose()["services"]["caddy"]["environment"]
    assert given.keys() == set(re.findall(r"\{\$(\w+)", TEXT))
    assert re.findall(rf"^\({given['PUBDICE_REPEATS']}\) \{{(.*?)^\}}", TEXT, re.MULTILINE | re.DOTALL)
    image, _, tag = compose()["services"]["caddy"]["image"].partition(":")
    assert image.endswith("/caddy")
    assert tuple(map(int, tag.split(".")[:2])) >= (2, 11), "an older one sends no body twice"
