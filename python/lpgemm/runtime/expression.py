# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The expressions of a manifest, without running what they say as Python."""

import ast
import fractions
import math
import operator

BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: fractions.Fraction,
    ast.Mod: operator.mod,
}
COMPARISONS = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
FUNCTIONS = {"ceil": math.ceil, "floor": math.floor}


class ExpressionError(ValueError):
    """A text that is no expression, or one that has no value."""


class Expression:
    """A text over names with + - * / %, ceil(), floor(), and one comparison.

    Numbers are rational: `ceil(K / 128)` rounds up what is no floating-point
    number (docs/manifest.md).
    """

    def __init__(self, text):
        self.text = text
        self.names = set()
        try:
            tree = ast.parse(text.strip(), mode="eval").body
            self._is_condition = isinstance(tree, ast.Compare)
            self._evaluate = self._compile(tree)
        except (SyntaxError, RecursionError, MemoryError):
            raise ExpressionError(f"malformed expression '{text}'") from None

    def __str__(self):
        return self.text

    def __call__(self, values):
        """The value where names have `values`: an int, a Fraction or a bool."""
        try:
            value = self._evaluate(values)
        except KeyError as error:
            raise ExpressionError(f"'{self}': no value for {error}") from None
        except ZeroDivisionError:
            raise ExpressionError(f"'{self}': division by zero") from None
        if isinstance(value, fractions.Fraction) and value.denominator == 1:
            return int(value)
        return value

    @property
    def is_condition(self):
        """Whether the value is true or false, not a number."""
        return self._is_condition

    @property
    def name(self):
        """The name that the expression is, or None."""
        return self.text if self.names == {self.text} else None

    def _compile(self, node):
        compilers = {
            ast.Constant: self._compile_number,
            ast.Name: self._compile_name,
            ast.BinOp: self._compile_binary,
            ast.Compare: self._compile_comparison,
            ast.Call: self._compile_call,
        }
        compiled = compilers.get(type(node), lambda node: None)(node)
        if compiled is None:
            part = ast.get_source_segment(self.text.strip(), node)
            raise ExpressionError(f"'{self}': unexpected '{part}'")
        return compiled

    def _compile_number(self, node):
        # bool is an int, but no number here.
        return (lambda values: node.value) if type(node.value) is int else None

    def _compile_name(self, node):
        self.names.add(node.id)
        return lambda values: values[node.id]

    def _compile_binary(self, node):
        function = BINARY.get(type(node.op))
        if function is None:
            return None
        lhs, rhs = self._compile(node.left), self._compile(node.right)
        return lambda values: function(lhs(values), rhs(values))

    def _compile_comparison(self, node):
        function = COMPARISONS.get(type(node.ops[0]))
        if function is None or len(node.ops) != 1:
            return None
        lhs, rhs = self._compile(node.left), self._compile(node.comparators[0])
        return lambda values: function(lhs(values), rhs(values))

    def _compile_call(self, node):
        known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
        if not known or len(node.args) != 1 or node.keywords:
            return None
        function, argument = FUNCTIONS[node.func.id], self._compile(node.args[0])
        return lambda values: function(argument(values))
