"""Checks that the links between the documents lead somewhere: files, and headings within them.

Usage: links.py

Addresses of the web are not fetched. Code and the text of code blocks have no links.
"""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
documents = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "python").glob("*.md"), *(root / "crates").glob("*/*.md")]
failures = []


def prose(text):
    """The text without code blocks and comments."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def anchors(path):
    """The anchors of the headings, as GitHub and mdBook generate them."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", prose(path.read_text()), flags=re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.add(plain if plain not in found else f"{plain}-{sum(one.startswith(plain) for one in found)}")
    return found


checked = 0
for document in sorted(documents):
    text = re.sub(r"`[^`\n]*`", "", prose(document.read_text()))
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"\s]+)"', text)
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        checked += 1
        if not path.exists():
            failures.append(f"{document.relative_to(root)}: {target}: there is no such file")
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            failures.append(f"{document.relative_to(root)}: {target}: there is no such heading")
if failures:
    sys.exit("\n".join(failures))
print(f"{checked} links of {len(documents)} documents lead to files and headings")
