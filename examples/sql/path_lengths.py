#!/usr/bin/env python3
"""path_lengths.py: how far apart are 10,000 pairs of people among a million friendships in DuckDB?

The tables have text as keys: knows(src, dst), pairs(src, dst). Needs the package gtrav, duckdb and pyarrow, in a
checkout of gtrav: pip install './python[sql]'
Prints how many pairs have which distance, and how long each step took."""

import argparse
import sys
import time

try:
    import duckdb
    import pyarrow  # noqa: F401 # gtrav.sql needs it

    import gtrav.sql
except ImportError as problem:
    print(f"path_lengths.py: {problem}; in a checkout of gtrav: pip install './python[sql]'", file=sys.stderr)
    sys.exit(2)

TABLES = """
    SELECT setseed(0.5);
    CREATE TABLE knows AS SELECT 'person-' || floor({people} * random() * random())::BIGINT AS src,
                                 'person-' || floor({people} * random())::BIGINT AS dst FROM range({edges});
    CREATE TABLE pairs AS SELECT 'person-' || floor({people} * random())::BIGINT AS src,
                                 'person-' || floor({people} * random())::BIGINT AS dst FROM range({pairs});
"""


RECURSIVE = """
    WITH RECURSIVE edges AS MATERIALIZED (SELECT src, dst FROM knows UNION SELECT dst, src FROM knows),
    walk(src, dst, length) AS (
        SELECT DISTINCT src, src, 0 FROM few
        UNION SELECT walk.src, edges.dst, length + 1
        FROM walk JOIN edges ON walk.dst = edges.src WHERE length < {depth}
    )
    SELECT src, dst, min(length) FROM few JOIN walk USING (src, dst) GROUP BY ALL ORDER BY ALL
"""


def beside_a_recursive_query(db, pairs, depth=4):
    """Finds lengths of the first pairs up to a depth by a recursive query and by gtrav: rows and seconds of each."""
    begin = time.perf_counter()
    db.execute(f"CREATE OR REPLACE TABLE few AS SELECT DISTINCT * FROM (FROM pairs LIMIT {pairs})")
    slow = db.sql(RECURSIVE.format(depth=depth)).fetchall()
    middle = time.perf_counter()
    graph = gtrav.Graph.from_arrow(db.table("knows"), "src", "dst", undirected=True)
    db.register("lengths", gtrav.sql.path_lengths(graph, db.table("few")))
    quick = db.sql(f"FROM lengths WHERE length <= {depth} ORDER BY ALL").fetchall()
    return (slow, middle - begin), (quick, time.perf_counter() - middle)


def answer(db):
    """Counts the pairs of each length by a query on the table of lengths. Also returns the seconds of each step."""
    begin = time.perf_counter()
    graph = gtrav.Graph.from_arrow(db.table("knows"), "src", "dst", undirected=True)
    loaded = time.perf_counter()
    lengths = gtrav.sql.path_lengths(graph, db.table("pairs"), "src", "dst")
    searched = time.perf_counter()
    db.register("lengths", lengths)
    rows = db.sql(
        "SELECT length, count(*) FROM pairs JOIN (SELECT DISTINCT * FROM lengths) USING (src, dst) "
        "GROUP BY length ORDER BY length"
    ).fetchall()
    joined = time.perf_counter()
    return rows, {"graph": loaded - begin, "lengths": searched - loaded, "join": joined - searched}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--recursive", type=int, default=0, help="also answer so many pairs by a recursive query")
    arguments = parser.parse_args()
    db = duckdb.connect()
    db.execute(TABLES.format(**vars(arguments)))
    rows, seconds = answer(db)
    for length, count in rows:
        print(f"{count:6} pairs: {'no path' if length is None else f'length {length}'}")
    steps = ", ".join(f"{step} {1000 * took:.0f} ms" for step, took in seconds.items())
    if arguments.recursive:
        (slow, by_sql), (quick, by_gtrav) = beside_a_recursive_query(db, arguments.recursive)
        print(f"{len(slow)} of {arguments.recursive} pairs: a recursive query {by_sql:.2f} s, gtrav {by_gtrav:.2f} s")
    print(f"{1000 * sum(seconds.values()):.0f} ms: {steps}")


if __name__ == "__main__":
    main()
