"""How Sphinx makes the site (see `scripts/docs`)."""

import dataclasses
from pathlib import Path
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, using
from pygments.lexers.shell import BashLexer
from pygments.token import Generic
from sphinx.util.typing import stringify_annotation

import nhlog
from nhlog import __version__

project = "nhlog"
release = __version__
html_title = f"nhlog {release}"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
highlight_language = "text"
smartquotes = False  # they would make a dash of `--`
default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
add_module_names = False
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

HOMES = {name: module for module, names in nhlog._HOMES.items() for name in names}


def main_name(app: Any, environment: Any, node: Any, content: Any) -> Any:
    """The link of a reference to one of the main names, which docstrings use without their module."""
    home = HOMES.get(node["reftarget"])
    if home is None or node["refdomain"] != "py":
        return None
    domain, page = environment.domains["py"], node["refdoc"]
    return domain.resolve_xref(environment, page, app.builder, "obj", f"{home}.{node['reftarget']}", node, content)


def signature(app: Any, what: str, name: str, value: Any, options: Any, found: str | None, result: Any) -> Any:
    """What a class is made from: its fields; nothing where it says nothing, as of protocols and enumerations."""
    if what not in ("class", "exception") or found is None:
        return None
    if dataclasses.is_dataclass(value):
        fields = [field for field in dataclasses.fields(value) if field.init]
        return f"({', '.join(map(told, fields))})", None
    return ("", None) if "*" in found or found == "(value)" else None


def told(field: Any) -> str:
    """A field with its type, and whether it has a default."""
    optional = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
    return f"{field.name}: {stringify_annotation(field.type, 'smart')}{' = ...' if optional else ''}"


class Console(RegexLexer):
    """Commands and what they print: only what stands behind a prompt is the shell's."""

    name = "nhlog console"
    tokens: ClassVar = {
        "root": [(r"^(\$ )(.*\n)", bygroups(Generic.Prompt, using(BashLexer))), (r".*\n", Generic.Output)]
    }


def setup(app: Any) -> None:
    app.add_lexer("console", Console)
    app.connect("autodoc-process-signature", signature)
    app.connect("missing-reference", main_name)
