#!/usr/bin/env python3
"""Prints the examples of .td files as modules, split by `// -----`.

usage: examples.py FILE.td...

An example gives the types of its operands; they become the arguments of a
function around it. Each module starts with the file and line of its example.
Fails if a file defines an op that has none.
"""

import re
import sys

BLOCK = re.compile(r"^ *```mlir\n(.*?)^ *```$", re.M | re.S)
NAME = r"%[a-z]\w*"
OP = re.compile(r'^def LPGEMM_\w+ : LPGEMM_\w*Op<"(\w+)"', re.M)
# What defines a value inside an example.
RESULTS = re.compile(rf"^({NAME}(?::\d+)?(?:, {NAME})*) = ")
ARGUMENT = re.compile(rf"(?<=\()({NAME})(?=[,)])|({NAME})(?= = )|({NAME})(?=\) {{)")
# An op that stands in another one only, and what is put around it.
YIELD = """lpgemm.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x8xbf16>)
      outs(%d : tensor<4x8xf32>) epilogue(%y) {{
        {}
      }} -> tensor<4x8xf32>
"""


def examples(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        indent = re.match(" *", match[1])[0]
        yield f"{path}:{line}", re.sub(f"^{indent}", "", match[1], flags=re.M)


def type_end(text, start):
    """Where the type that starts at `start` ends."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] in "<([":
            depth += 1
        elif text[i] in ">)]" and text[i - 1] != "-":
            depth -= 1
        if depth < 0 or (depth == 0 and text[i] in ", "):
            return i
    return len(text)


def split_types(text):
    """The types of a list of them, which a word may end."""
    while text:
        end = type_end(text, 0)
        yield text[:end]
        text = re.sub(r"^(, | to | -> )", "", text[end:])


def typed_lists(text):
    """The operands of each `%a, %b : T, U`, with their types."""
    for match in re.finditer(rf"((?:{NAME}, )*{NAME}) : ", text):
        position = match.end()
        for name in match[1].split(", "):
            end = type_end(text, position)
            yield name, text[position:end]
            position = end + 2


def tile_operands(text):
    """The operands of an op of the tile level, whose types stand at its end."""
    head, _, tail = re.sub(r"\{.*\}", "", text).rpartition(" : ")
    if not head:
        return [(name, "!lpgemm.token") for name in re.findall(NAME, text)]
    found = [
        (n, "!lpgemm.slot" if is_slot(head, before) else "index")
        for before, b in re.findall(rf"({NAME})?\[(.*?)\]", head)
        for n in re.findall(NAME, b)
    ]
    found += [(name, "i64") for name in re.findall(rf"pitch ({NAME})", head)]
    for typed in re.findall(r"(?:s[ab]|rows|cols)\((.*?)\)", head):
        found += typed_lists(typed)
    tokens = re.match(r"lpgemm\.wait (.*) for ", head)
    if tokens:
        found += [(n, "!lpgemm.token") for n in re.findall(NAME, tokens[1])]
        head = head[tokens.end() :]
    rest = re.sub(r"\[.*?\]|pitch \S+|(?:s[ab]|rows|cols)\(.*?\)", "", head)
    types = list(split_types(tail))
    operands = re.findall(rf"{NAME}(?:#\d+)?", rest)
    types += types[-1:] * (len(operands) - len(types))
    return found + list(zip(operands, [t.strip("()") for t in types]))


def is_slot(head, before):
    """Whether what stands in brackets behind `before` is the slot of a ring."""
    return before == "%pipe" or (head.startswith("lpgemm.view") and before != "")


def inner_operands(text):
    """The operands of the ops in the regions of an op."""
    inner = re.findall(r"^ +(lpgemm\.[^{}]*?)(?=\n *(?:lpgemm\.|\}))", text, re.M)
    flat = (" ".join(op.split()) for op in inner)
    return [operand for op in flat for operand in tile_operands(op)]


def find_operands(statement, flat):
    """The operands of an op, with their types."""
    if re.match(r"lpgemm\.(roles|elect)\b", flat):
        return inner_operands(statement)
    return list(typed_lists(flat) if "ins(" in flat else tile_operands(flat))


def statements(text):
    """Lines that start an op at the outer level, with all that belongs to it."""
    return re.split(r"\n(?=(?:%\w+(?:, %\w+)* = )?lpgemm\.)", text.strip())


def groups(arguments):
    """Values for all `%name#0, %name#1`, of which no argument can be one."""
    text = ""
    for name in sorted({n.split("#")[0] for n in arguments if "#" in n}):
        types = [arguments[n] for n in sorted(arguments) if n.startswith(f"{name}#")]
        text += f"  {name}:{len(types)} = builtin.unrealized_conversion_cast to "
        text += ", ".join(types) + "\n"
    return text


def function(text):
    if text.startswith("lpgemm.yield"):
        text = YIELD.format(text.strip())
    defined, arguments, body = set(), {}, ""
    for statement in statements(text):
        flat = " ".join(statement.split())
        results = RESULTS.match(flat)
        names = re.sub(r":\d+", "", results[1]).split(", ") if results else []
        flat = flat[results.end() :] if results else flat
        outer, _, region = flat.partition(" epilogue(")
        operands = find_operands(statement, flat)
        inner = {n for match in ARGUMENT.findall("(" + region) for n in match}
        for name, kind in operands:
            if name not in defined | inner:
                arguments.setdefault(name, kind)
        defined.update(names)
        if len(names) > 1:
            statement = f"%all:{len(names)} = " + statement.split(" = ", 1)[1]
        body += "".join(f"  {line}\n" for line in statement.split("\n"))
    given = ", ".join(
        f"{name}: {kind}" for name, kind in arguments.items() if "#" not in name
    )
    return f"func.func @example({given}) {{\n{groups(arguments)}{body}  return\n}}\n"


def modules(text):
    if not text.startswith("#"):
        yield function(text)
        return
    for attribute in re.split(r"\n(?=#)", text.strip()):
        yield f"module attributes {{test.example = {attribute}}} {{\n}}\n"


def main():
    found = [
        f"// {place}\n{module}"
        for path in sys.argv[1:]
        for place, text in examples(path)
        for module in modules(text)
    ]
    print("// -----\n".join(found), end="")
    missing = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for op in OP.findall(file.read()):
                if not any(
                    path in x and re.search(rf"lpgemm\.{op}\b", x) for x in found
                ):
                    print(f"{path}: error: no example of {op}", file=sys.stderr)
                    missing = 1
    return missing


if __name__ == "__main__":
    sys.exit(main())
