"""docs/scale.md: words of ``page.md``, and sections that are computed. ``benchmarks.scale --page FILE`` writes it."""

from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.queueing.figures import Figures, costs_of
from benchmarks.queueing.sections import (
    SPREADS_S,
    after_death,
    at_utilisation,
    busy_section,
    check_section,
    death_section,
    figures_section,
    knee_section,
    knees,
    percent,
    routes_section,
    window_section,
)
from benchmarks.queueing.sizes import PHONES, bends_section, egress_usd, size_of, sizes_section

SECTIONS: Mapping[str, Callable[[Figures], str]] = {
    "figures": figures_section,
    "check": check_section,
    "busy": busy_section,
    "window": window_section,
    "knee": knee_section,
    "routes": routes_section,
    "death": death_section,
    "sizes": sizes_section,
    "bends": bends_section,
}
SLOW = frozenset({"knee", "routes", "death", "bends"})
"""Sections that take more than five seconds."""

WORDS = Path(__file__).with_name("page.md")


def short(figures: Figures) -> dict[str, str]:
    """The numbers of the page's first part."""
    costs, last = costs_of(figures), size_of(PHONES[-1], figures)
    one, many = at_utilisation(costs, 0.6), knees(costs, 16)[0]
    pace_s, seats = figures["pace"].value, figures["seats"].value
    month_s = figures["busy_hours"].value * 3600 * 30
    tb = last.moves_s * seats * figures["bytes_delivery"].value * month_s / 1e12
    return {
        "room": percent(0.6),
        "moves": f"{one.setting.rate:,.0f}",
        "phones": f"{one.setting.rate * pace_s * seats:,.0f}",
        "first": f"{knees(costs, 1)[0].setting.rate:,.0f}",
        "processes": f"{many.setting.processes}",
        "hearing": percent(many.database),
        "stream": f"{figures['join'].value:,.0f}",
        "quick": f"{1000 * after_death(figures, 8, 0.3, SPREADS_S[0])[0].p99_s:,.0f}",
        "slow": f"{1000 * after_death(figures, 8, 0.3, SPREADS_S[1])[0].p99_s:,.0f}",
        "most_cells": f"{last.cells}",
        "all_processes": f"{last.processes}",
        "traffic": f"{tb:,.0f}",
        "usd": f"{egress_usd(tb):,.0f}",
        "eur": f"{tb * figures['traffic_cheap'].value:,.0f}",
    }


def page(figures: Figures) -> str:
    """The whole page as Markdown, simulated afresh."""
    sections = {name: section(figures) for name, section in SECTIONS.items()}
    return WORDS.read_text(encoding="utf-8").format(**short(figures), **sections)
