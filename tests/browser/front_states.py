"""The front page, as pages that stand there."""

from playwright.sync_api import Page, expect

from browser.scene import Scene
from support.browser import open_table


def front_empty(scene: Scene) -> Page:
    return scene.at("/")


def front_tried(scene: Scene) -> Page:
    page = scene.at("/")
    page.locator("#trial button").click()
    expect(page.locator("#trial [name=keep]")).to_have_count(6)
    return page


def front_refused(scene: Scene) -> Page:
    page = scene.at("/")
    page.locator("#open .main").click()
    expect(page.locator("#refusal")).to_be_visible()
    return page


def front_code_refused(scene: Scene) -> Page:
    page = scene.at("/")
    page.locator("#code").fill("ABC")
    page.locator("#find button").click()
    expect(page.locator("#find .refusal")).to_be_visible()
    return page


def front_filled(scene: Scene) -> Page:
    host, _ = scene.table(people=2, listed=True)
    open_table(host, bots=["tip"])
    page = scene.at("/", host)
    expect(page.locator(".tables li").nth(1)).to_be_visible()
    return page


def front_priced(scene: Scene) -> Page:
    page = scene.at("/")
    page.locator(".game label", has_text="Ship").click()
    page.locator("#house > summary").click()
    page.locator("#house .fair > summary").click()
    expect(page.get_by_role("button", name="Take this order")).to_be_visible(timeout=60_000)
    return page
