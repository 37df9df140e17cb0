"""Prints the Python client with its operations made anew from the OpenAPI document.

    python3 operations.py incentives.py < openapi.json
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

BEGIN = '# Operations: made by "npm run client" from the OpenAPI document.\n'
END = "# End of operations.\n"
WIDTH = 100
HINTS = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list[str]",
    "object": "Json",
}


def with_operations(source: str, document: dict[str, Any]) -> str:
    methods: dict[str, list[str]] = {}
    for one in operations_of(document):
        methods.setdefault(one["tag"], []).append(method(one))
    classes = [
        f"class _{tag.capitalize()}(_Group):\n" + "\n\n".join(of) for tag, of in methods.items()
    ]
    fields = [f"        self.{tag} = _{tag.capitalize()}(send)" for tag in methods]
    classes.append(
        "class _Operations:\n    def __init__(self, send: _Send) -> None:\n" + "\n".join(fields)
    )
    before, after = source.split(BEGIN)[0], source.split(END)[1]
    return before + BEGIN + "\n\n" + "\n\n\n".join(classes) + "\n\n\n" + END + after


def operations_of(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    def resolved(schema: dict[str, Any]) -> dict[str, Any]:
        name = schema.get("$ref", "").split("/")[-1]
        return resolved(document["components"]["schemas"][name]) if name else schema

    for path, methods in document["paths"].items():
        for http_method, operation in methods.items():
            tag, _, name = operation.get("x-client-method", "").partition(".")
            if not name:
                continue
            fields = [
                {**one, "schema": resolved(one["schema"])}
                for one in operation["parameters"]
                # The header that requests a fault is an option of the client.
                if "$ref" not in one
            ]
            sends_body = http_method in ("post", "put")
            if sends_body and "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                body = resolved(schema)
                if "$ref" not in schema:
                    body = {"properties": {"payload": schema}, "required": ["payload"]}
                fields += [
                    {
                        "name": field,
                        "in": "body",
                        "schema": resolved(of_field),
                        "required": field in body.get("required", []),
                    }
                    for field, of_field in body["properties"].items()
                ]
            reply = operation["responses"]["200"]["content"]["application/json"]["schema"]
            yield {
                "tag": tag,
                "name": re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name),
                "method": http_method.upper(),
                "path": path,
                "about": operation,
                "fields": fields,
                "sends_body": sends_body,
                "reply": [field for field in resolved(reply)["properties"] if field != "status"],
            }


def method(one: dict[str, Any]) -> str:
    about, fields = one["about"], one["fields"]
    ids = [declared(field) for field in fields if field["in"] == "path"]
    named = [declared(field) for field in fields if field["in"] != "path"]
    parameters = ["self", *ids, *(["*", *named] if named else [])]
    paragraphs = [
        ("Deprecated. " if about.get("deprecated") else "") + about["description"],
        f"`{one['method']} {one['path']}` returns "
        + (", ".join(f"`{field}`" for field in one["reply"]) or "no fields")
        + ".",
    ]
    docstring = "\n\n".join(
        textwrap.fill(text, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
        for text in paragraphs
    )
    return (
        f"    def {call(one['name'], parameters, 4, ' -> Json:')}\n"
        f'        """{about["summary"]}.\n\n{docstring}\n        """\n'
        f"        return {call('self._send', list(sent(one)), 8)}"
    )


def sent(one: dict[str, Any]) -> Iterator[str]:
    path = re.sub(r"\{(\w+)\}", r"{_id(\1)}", one["path"])
    yield f'"{one["method"]}"'
    yield ("f" if "{" in path else "") + f'"{path}"'
    query = [field["name"] for field in one["fields"] if field["in"] == "query"]
    if query:
        yield "query=" + fields_of(query)
    body = [field["name"] for field in one["fields"] if field["in"] == "body"]
    if one["sends_body"]:
        yield "body=" + ("payload" if body == ["payload"] else fields_of(body))


def fields_of(names: list[str]) -> str:
    return call("_fields", [f"{name}={name}" for name in names], 12)


def declared(field: dict[str, Any]) -> str:
    schema = field["schema"]
    hint = HINTS[schema["type"]]
    literal = "Literal[" + ", ".join(json.dumps(value) for value in schema.get("enum", [])) + "]"
    if "enum" in schema and len(literal) <= WIDTH // 2:
        hint = literal
    if field.get("required"):
        return f"{field['name']}: {hint}"
    return f"{field['name']}: {hint} | None = None"


def call(name: str, arguments: list[str], indent: int, end: str = "") -> str:
    """Writes a call or a signature on one line, or with a line for each argument."""
    line = f"{name}({', '.join(arguments)}){end}"
    if indent + len(line) + len("return ") <= WIDTH and "\n" not in line:
        return line
    lines = [f"{' ' * (indent + 4)}{argument},\n" for argument in arguments]
    return f"{name}(\n{''.join(lines)}{' ' * indent}){end}"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.buffer.write(with_operations(file.read(), json.load(sys.stdin.buffer)).encode())
