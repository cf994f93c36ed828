"""Small changes of a source text: each replaces one piece of it and leaves all other characters as they are.

The pieces are found in the syntax tree and, where the tree has no places (those of operators), in the tokens.  What
only people or type checkers read is left alone: docstrings, annotations, `__all__`, and the texts of messages.
"""

import ast
import io
import token
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

__all__ = ["Change", "changes", "sound"]

_COMPARED: Final = {  # the boundary first, then the opposite
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
}
_JOINED: Final = {"and": ("or",), "or": ("and",)}
_COMPUTED: Final = {
    "+": ("-",),
    "-": ("+",),
    "*": ("//",),
    "/": ("*",),
    "//": ("*",),
    "%": ("//",),
    "<<": (">>",),
    ">>": ("<<",),
    "&": ("|",),
    "|": ("&",),
    "^": ("&",),
}
_YES_OR_NO: Final = (ast.Compare, ast.BoolOp)


@dataclass(frozen=True, slots=True)
class Change:
    """The characters from `start` to `stop` become `text`; `first` to `last` are the lines of the statement."""

    start: int
    stop: int
    text: str
    first: int
    last: int

    def of(self, source: str) -> str:
        """The source with the change."""
        return source[: self.start] + self.text + source[self.stop :]

    def words(self, source: str) -> str:
        """`line: before -> after`, with the whole lines that it changes."""
        begin = source.rfind("\n", 0, self.start) + 1
        rest = source[self.stop :].partition("\n")[0]
        before, after = source[begin : self.stop] + rest, source[begin : self.start] + self.text + rest
        line = source.count("\n", 0, self.start) + 1
        return f"{line}: {' '.join(before.split())} -> {' '.join(after.split())}"


def changes(source: str) -> list[Change]:
    """All there are, in the order of the source; few of them may be no Python, or none (`sound` tells)."""
    return sorted({*_Places(source).changes(ast.parse(source))}, key=lambda one: (one.start, one.stop, one.text))


def sound(source: str, change: Change) -> bool:
    """Whether it makes Python of another meaning."""
    try:
        tree = ast.parse(change.of(source))
    except SyntaxError:
        return False
    return ast.dump(tree) != ast.dump(ast.parse(source))


class _Places:
    """A source text, and where in it the nodes of its tree and its tokens stand."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = source.splitlines(keepends=True)
        self._begins = [0]
        for line in self._lines:
            self._begins.append(self._begins[-1] + len(line))
        skipped = (token.COMMENT, token.NL, token.NEWLINE, token.INDENT, token.DEDENT)
        self._tokens = [
            (self._begins[row - 1] + column, one.string)
            for one in tokenize.generate_tokens(io.StringIO(source).readline)
            for row, column in [one.start]
            if one.type not in skipped
        ]

    def changes(self, tree: ast.Module) -> Iterator[Change]:
        for statement in _statements(tree):
            header = getattr(statement, "body", None)
            last = header[0].lineno - 1 if header else statement.end_lineno or statement.lineno
            lines = statement.lineno, max(last, statement.lineno)
            for start, stop, text in self._of_statement(statement):
                yield Change(start, stop, text, *lines)

    def _of_statement(self, statement: ast.stmt) -> Iterator[tuple[int, int, str]]:
        match statement:
            case ast.Expr(value=ast.Constant() | ast.Yield() | ast.YieldFrom()):
                pass
            case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Delete():
                yield *self._span(statement), "pass"
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                start, stop = self._span(statement)
                start += len("return ")
                text = self._source[start:stop]
                yield start, stop, f"not ({text})" if isinstance(value, _YES_OR_NO) else "None"
        if isinstance(statement, ast.AugAssign):
            yield from self._operators(statement.target, statement.value, _augmented())
        for expression in _expressions(statement):
            yield from self._of_expression(expression)
        if isinstance(statement, ast.If):
            yield from self._forced(statement.test)

    def _of_expression(self, node: ast.expr) -> Iterator[tuple[int, int, str]]:
        match node:
            case ast.Compare():
                values = [node.left, *node.comparators]
                for left, right in pairwise(values):
                    yield from self._operators(left, right, _COMPARED)
            case ast.BoolOp():
                for left, right in pairwise(node.values):
                    yield from self._operators(left, right, _JOINED)
            case ast.BinOp():
                yield from self._operators(node.left, node.right, _COMPUTED)
            case ast.UnaryOp(op=ast.Not()):
                start, _ = self._span(node)
                yield start, start + len("not "), ""
            case ast.Constant(value=bool() as value):
                yield *self._span(node), str(not value)
            case ast.Constant(value=int() | float() as number):
                yield *self._span(node), repr(number + 1)
                yield *self._span(node), f"({number - 1!r})"
            case ast.Slice():
                for bound in (node.lower, node.upper):
                    if bound is not None:
                        yield *self._span(bound), ""
            case ast.IfExp():
                yield from self._forced(node.test)

    def _forced(self, test: ast.expr) -> Iterator[tuple[int, int, str]]:
        yield *self._span(test), "True"
        yield *self._span(test), "False"

    def _operators(
        self, left: ast.expr, right: ast.expr, others: Mapping[str, tuple[str, ...]]
    ) -> Iterator[tuple[int, int, str]]:
        """What can stand in place of the operator between two nodes, where parentheses may stand, too."""
        _, start = self._span(left)
        stop, _ = self._span(right)
        between = [(at, text) for at, text in self._tokens if start <= at < stop and text not in "()"]
        operator = " ".join(text for _, text in between)
        for other in others.get(operator, ()):
            yield between[0][0], between[-1][0] + len(between[-1][1]), other

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _at(self, line: int, column: int) -> int:
        """The tree counts columns in bytes."""
        return self._begins[line - 1] + len(self._lines[line - 1].encode()[:column].decode())


def _augmented() -> dict[str, tuple[str, ...]]:
    return {f"{one}=": tuple(f"{other}=" for other in others) for one, others in _COMPUTED.items()}


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not _is_names(node):
            yield node


def _is_names(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Import() | ast.ImportFrom():
            return True
    return False


_WITHOUT: Final[dict[type, tuple[str, ...]]] = {  # fields that are not looked into
    ast.arg: ("annotation",),
    ast.AnnAssign: ("annotation",),
    ast.FunctionDef: ("returns",),
    ast.AsyncFunctionDef: ("returns",),
}
_CLOSED: Final = (ast.JoinedStr, ast.pattern)  # before Python 3.12 the places in an f-string are wrong


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Those of the statement itself, not of the statements in it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        for name, value in ast.iter_fields(node):
            if name in _WITHOUT.get(type(node), ()):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, (ast.stmt, *_CLOSED)):
                    waiting.append(child)
                    if isinstance(child, ast.expr):
                        yield child
