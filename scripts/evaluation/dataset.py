"""dataset.py: dataset lists, the CSV files of dataset/: which graphs, from where, and where they lie."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Optional

from evaluation.command import EvaluationError
from evaluation.files import ROOT

GRAPHS = ROOT / "dataset" / "MM"

# dataset/README.md says what stands in them. Only the name is needed; further columns are let be.
COLUMNS = ("name", "group", "download_path", "vertices", "edges", "kind", "stand_in")

SPEC = r"\w+(:[\w.]+)+"  # spec of a generated graph
NAME = r"[A-Za-z0-9][\w.+-]*"  # becomes a file name, so it must not lead elsewhere
ADDRESS = r"\w+://"

# A graph's file is its name and one of these; gtrav knows the format by the content.
ENDINGS = (
    *(".mtx", ".mtx.gz", ".gtrav", ".txt", ".txt.gz", ".el", ".tsv"),
    *(".gr", ".gr.gz", ".graph", ".graph.gz"),
)
ARCHIVE_ENDINGS = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


@dataclass
class Entry:
    name: str
    group: str = ""
    download_path: str = ""
    vertices: Optional[int] = None
    edges: Optional[int] = None
    kind: str = ""
    stand_in: str = ""

    def named(self, graph):
        """The entry's name in messages and in the status file, where `graph` was measured: of a stand-in both."""
        measured = Path(graph or self.name).name.removesuffix(".gtrav")
        return f"{measured} (for {self.name})" if measured == self.stand_in else self.name

    @property
    def generated(self) -> bool:
        return ":" in self.name

    @property
    def acyclic(self) -> bool:
        return "acyclic" in self.kind

    @property
    def path(self) -> str:
        """Where the archive is, below the collection's address or an address itself."""
        return self.download_path.partition("#")[0]

    @property
    def member(self) -> Optional[str]:
        """The name in the archive of the graph's file; None where the download is that file itself."""
        if not self.path.endswith(ARCHIVE_ENDINGS):
            return None
        return self.download_path.partition("#")[2] or f"{self.name}/{self.name}.mtx"

    def file(self, folder: Path = GRAPHS) -> Path:
        """The graph's file: the one that is there, else the one that a download makes."""
        for ending in ("", *ENDINGS):  # the name may have its ending
            if (folder / (self.name + ending)).is_file():
                return folder / (self.name + ending)
        made_of = self.member or self.path or ".mtx"
        known = [ending for ending in ENDINGS if made_of.endswith(ending)]
        return folder / (self.name + max(known, key=len, default=".txt"))

    def graph(self, folder: Path = GRAPHS, stand_ins: bool = False) -> Optional[str]:
        """Returns the value for --graph; None where the graph is not here."""
        if self.generated:
            return self.name
        if self.file(folder).is_file():
            return str(self.file(folder))
        return (self.stand_in if stand_ins else None) or None

    def where_to_get(self) -> str:
        """For one whose graph is not here: how to have it."""
        if self.download_path:
            return "scripts/download_graphs.py gets it"
        return f"a list without group and download_path takes {self.name}.mtx from dataset/MM"


def read_list(path) -> list[Entry]:
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            if "name" not in (reader.fieldnames or []):
                raise EvaluationError(f"{path}: line 1: no column name (a list has {', '.join(COLUMNS)})")
            entries = [_entry(f"{path}: line {reader.line_num}", row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error
    if not entries:
        raise EvaluationError(f"{path}: no graph in it")
    return entries


def _entry(where, row) -> Entry:
    fields = {name: (row.get(name) or "").strip() for name in COLUMNS}
    for name in ("vertices", "edges"):
        if not re.fullmatch(r"\d*", fields[name]):
            raise EvaluationError(f"{where}: {name}: '{fields[name]}' is not a number")
        fields[name] = int(fields[name]) if fields[name] else None
    entry = Entry(**fields)
    if not re.fullmatch(SPEC if entry.generated else NAME, entry.name):
        raise EvaluationError(f"{where}: name: '{entry.name}' is no name of a graph")
    if entry.generated and (entry.group or entry.download_path):
        raise EvaluationError(f"{where}: {entry.name} is generated: it has no group and no download_path")
    if entry.stand_in and not re.fullmatch(SPEC, entry.stand_in):
        raise EvaluationError(f"{where}: stand_in: '{entry.stand_in}' is not a generator's spec")
    for column, path in (("download_path", entry.path), ("group", entry.group)):
        if ".." in PurePosixPath(path).parts or path.startswith("/"):
            raise EvaluationError(f"{where}: {column}: '{path}' leads out of the collection")
    if entry.group and not entry.download_path:
        entry.download_path = f"MM/{entry.group}/{entry.name}.tar.gz"
    return entry
