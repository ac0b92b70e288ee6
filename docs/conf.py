"""How Sphinx makes the site of these pages (``make docs``; docs/decisions/0027-a-site-by-sphinx.md)."""

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]

project = "pubdice"
release = version = PROJECT["version"]
author = "the pubdice project"
copyright = f"the pubdice project, {PROJECT['license']} licence"  # noqa: A001  Sphinx reads this name

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "made_pages"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
highlight_language = "none"
nitpicky = False
autodoc_member_order = "bysource"
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"pubdice {release}"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
if "urls" in PROJECT:
    html_theme_options = {
        "announcement": f'<a href="{PROJECT["urls"]["Homepage"]}">Play now</a>, on this device alone.'
    }

repository = PROJECT.get("urls", {}).get("Repository", "")
