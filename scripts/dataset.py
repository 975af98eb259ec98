"""dataset.py: dataset lists, the CSV files of dataset/: which graphs, from where, and where they lie."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parent.parent
GRAPHS = ROOT / "dataset" / "MM"

# name        of the graph, and of its file; of a generated one its spec, such as dag:5000:0.4
# group       of the SuiteSparse Matrix Collection; empty: generated
# download_path, below the collection's address; empty: MM/GROUP/NAME.tar.gz
# vertices, edges   as published, edges counted as stored arcs; empty: not published (generated)
# kind        in the collection's words; "acyclic" in it makes the graph one for DAG algorithms
# stand_in    spec of a generated graph like it, for machines without a network; may be empty
COLUMNS = ("name", "group", "download_path", "vertices", "edges", "kind", "stand_in")
REQUIRED = ("name", "group", "download_path")


class ListError(Exception):
    """A dataset list that cannot be used; the message is one line."""


@dataclass
class Entry:
    name: str
    group: str
    download_path: str
    kind: str
    stand_in: str

    def file(self, folder: Path = GRAPHS) -> Path:
        return folder / f"{self.name}.mtx"

    def graph(self, folder: Path = GRAPHS, stand_ins: bool = False) -> Optional[str]:
        """What to give to --graph; None where the graph is not here."""
        if not self.group:
            return self.name
        if self.file(folder).is_file():
            return str(self.file(folder))
        return (self.stand_in if stand_ins else None) or None


def read_list(path) -> list[Entry]:
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            absent = [name for name in REQUIRED if name not in (reader.fieldnames or [])]
            if absent:
                raise ListError(f"{path}: line 1: no column {absent[0]} (a list has {', '.join(COLUMNS)})")
            return [_entry(path, reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError) as error:
        raise ListError(f"cannot read {path}: {error}") from error


def _entry(path, line, row) -> Entry:
    fields = {name: (row.get(name) or "").strip() for name in ("name", "group", "kind", "stand_in")}
    # The name becomes a file name, so it must not lead elsewhere.
    allowed = r"[A-Za-z0-9][\w.+-]*" if fields["group"] else r"\w+(:[\w.]+)+"
    if not re.fullmatch(allowed, fields["name"]):
        raise ListError(f"{path}: line {line}: name: '{fields['name']}' is no name of a graph")
    default = f"MM/{fields['group']}/{fields['name']}.tar.gz" if fields["group"] else ""
    return Entry(download_path=(row["download_path"] or "").strip() or default, **fields)
