"""Edge lists as people have them: separators, headers, quotes, ids of any kind, counts, lone vertices."""

import gzip
import os
import subprocess

import pytest

from helpers import GTRAV, complains, gtrav, gtrav_json, gtrav_ok, info, read_mtx


def put(folder, text, name="t.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(path, tmp_path, *options):
    """The ids of the vertices in order, the edges between ids, and the notices."""
    out = tmp_path / "ids.csv"
    (tmp_path / "edges").mkdir(exist_ok=True)
    said = gtrav_ok(path, *options, "--write", tmp_path / "edges" / "a.mtx").err
    count, edges = read_mtx(tmp_path / "edges" / "a.mtx")
    gtrav_ok("closeness", path, *options, "--sources", "1", "--output", out, "--quiet")
    rows = out.read_text().splitlines()[1:]
    ids = [row.rpartition(",")[0] for row in rows]
    assert len(ids) == count
    return ids, {(ids[u], ids[v]) for u, v in edges}, said


PAIR = (["0", "1", "2"], {("0", "1"), ("2", "1")})
NAMES = (["ann", "bob", "eve"], {("ann", "bob"), ("eve", "bob")})

# what it is -> the file, its text, options, the ids and edges, words of the notice
TABLES = {
    "comma": ("a.csv", "0,1\n2,1\n", (), PAIR, "directed, comma, columns 1,2, dense ids, no header"),
    "semicolon": ("a.csv", "0;1\n2;1\n", (), PAIR, "semicolon"),
    "bar": ("a.csv", "0|1\n2|1\n", (), PAIR, "bar"),
    "tab": ("a.tsv", "0\t1\n2\t\t1\n", (), PAIR, "blank"),
    "blank": ("a", " 0  1 \n2\t1\n", (), PAIR, "blank"),
    "blanks around commas": ("a.csv", "0 , 1\n 2,\t1\t,7\n", (), PAIR, "comma"),
    "BOM": ("a.csv", "\ufeff0,1\n2,1\n", (), PAIR, "comma"),
    "BOM and header": ("a.csv", "\ufeffsrc,dst\n0,1\n2,1\n", (), PAIR, "columns src,dst"),
    "CRLF, no newline at the end": ("a.csv", "src,dst\r\n0,1\r\n\r\n2,1", (), PAIR, "columns src,dst"),
    "networkx": ("a.edgelist", "0 1 {}\n2 1 {'weight': 3, 'x': 1}\n", (), PAIR, "blank, columns 1,2, dense"),
    "networkx, names": (
        "a.el",
        "ann bob {'w': 3, 'x': 1}\neve bob {}\n",
        (),
        NAMES,
        "blank, columns 1,2, text",
    ),
    "weights and words": ("a.txt", "0 1 0.5 heavy\n2 1 x\n", (), PAIR, "columns 1,2"),
    "dst,src": ("a.csv", "dst,src\n1,0\n1,2\n", (), PAIR, "columns src,dst"),
    "extra columns": ("a", "id,from,since,to\n9,0,x,1\n8,2,,1\n", (), PAIR, "columns from,to"),
    "source and target": (
        "a",
        "Source;Weight;Target\n0;0,5;1\n2;1,5;1\n",
        (),
        PAIR,
        "semicolon, columns Source",
    ),
    "FromNodeId": ("a", "FromNodeId\tToNodeId\n0\t1\n2\t1\n", (), PAIR, "tab, columns FromNodeId,ToNodeId"),
    "twins": ("a", "node1,node2\n0,1\n2,1\n", (), PAIR, "columns node1,node2"),
    "quoted header": ("a.csv", '"src","dst"\n"0","1"\n2,1\n', (), PAIR, "columns src,dst"),
    "unknown names": ("a.csv", "citation,work\n0,1\n2,1\n", (), PAIR, "columns citation,work"),
    "columns by name": ("a", "a,b,c\n1,x,0\n1,y,2\n", ("--columns", "c,a"), PAIR, "columns c,a"),
    "columns by number": ("a", "1,x,0\n1,y,2\n", ("--columns", "3,1"), PAIR, "columns 3,1"),
    "columns over names": ("a", "src,dst,x\n7,1,0\n7,1,2\n", ("--columns", "x,dst"), PAIR, "columns x,dst"),
    "a column with a comma": ("a", '"a,1",b\n0,1\n2,1\n', ("--columns", '"a,1",b'), PAIR, "columns a,1,b"),
    "an empty field": ("a.csv", "src,w,dst\n0,,1\n2,,1\n", (), PAIR, "columns src,dst"),
    "empty tab columns": ("a", "x\tsrc\tdst\n\t0\t1\n\t2\t1\n", (), PAIR, "tab, columns src,dst"),
    "text": ("a.csv", "ann,bob\neve,bob\n", (), NAMES, "comma, columns 1,2, text ids"),
    "text and more": (
        "a.txt",
        "ann bob friend of\neve bob foe of\n",
        (),
        NAMES,
        "blank, columns 1,2, text ids",
    ),
    "one row of text": ("a.txt", "ann bob since\n", (), (["ann", "bob"], {("ann", "bob")}), "text ids"),
    "text of different lengths": ("a.txt", "ann bob\neve bob x\n", ("--ids", "text"), NAMES, "text ids"),
    "text with header": (
        "a",
        "src|dst\nann|bob\neve|bob\n",
        (),
        NAMES,
        "directed, bar, columns src,dst, text ids, header",
    ),
    "quoted text": ("a", 'src,dst\n"ann",bob\n"eve" , "bob"\n', (), NAMES, "text ids"),
    "text of numbers": ("a.csv", "0,1\n2,1\n", ("--ids", "text"), PAIR, "text ids"),
    "text without an ending": ("a", "ann bob\neve bob\n", ("--ids", "text"), NAMES, "blank"),
    "negative": ("a.csv", "-5,3\n9,3\n", (), (["-5", "3", "9"], {("-5", "3"), ("9", "3")}), "any ids"),
    "persons": (
        "knows",
        "Person1Id|Person2Id|x\n5|7|\n",
        (),
        (["5", "7"], {("5", "7"), ("7", "5")}),
        "undirected, bar, columns Person1Id,Person2Id, any ids",
    ),
    "persons, directed": (
        "knows",
        "Person.id|Person.id\n5|7\n",
        ("--directed",),
        (["5", "7"], {("5", "7")}),
        "directed, bar, columns Person.id,Person.id, any ids",
    ),
    "commas and quotes in text": (
        "a.csv",
        'src,dst\n"Smith, J","5"" disk"\n"5"" disk",x y\n',
        (),
        (
            ['"5"" disk"', '"Smith, J"', "x y"],
            {('"Smith, J"', '"5"" disk"'), ('"5"" disk"', "x y")},
        ),
        "text ids",
    ),
}


@pytest.mark.parametrize("what", TABLES)
def test_table(what, tmp_path):
    name, text, options, (ids, edges), words = TABLES[what]
    folder = tmp_path / "in"
    folder.mkdir()
    found_ids, found_edges, said = read(put(folder, text, name), tmp_path, *options)
    assert (found_ids, found_edges) == (ids, edges)
    assert words in next(line for line in said.splitlines() if "read as: " in line)
    packed = put(folder, gzip.compress(text.encode()), f"{name}.gz")
    assert read(packed, tmp_path, *options)[:2] == (ids, edges)


@pytest.mark.parametrize("ids", ["dense", "any", "text"])
def test_threads_do_not_matter(ids, tmp_path):
    lines = [f"{i * i % 1009},{i * 7 % 997}" for i in range(100_000)]
    path = put(tmp_path, "a,b\n" + "\n".join(lines) + "\n")
    files = []
    for threads in (1, 4):
        files.append(tmp_path / f"{threads}.gtrav")
        gtrav_ok(path, "--columns", "a,b", "--ids", ids, "--threads", threads, "--write", files[-1])
    assert files[0].read_bytes() == files[1].read_bytes()


COUNTS = {
    "counts": ("5 4\n0 1\n1 2\n2 3\n0 2\n", (), 5, 4),
    "of a matrix": ("5 5 4\n0 1 1\n1 2 1\n2 3 1\n0 2 1\n", (), 5, 4),
    "with commas": ("5,4\n0,1\n1,2\n2,3\n0,2\n", (), 5, 4),
    "an edge more": ("5 3\n0 1\n1 2\n2 3\n0 2\n", (), 6, 5),
    "an id too large": ("3 4\n0 1\n1 2\n2 3\n0 2\n", (), 5, 5),
    "no": ("5 4\n0 1\n1 2\n2 3\n0 2\n", ("--header-counts", "no"), 6, 5),
    "yes": ("9 4\n0 1\n1 2\n2 3\n0 2\n", ("--header-counts", "yes"), 9, 4),
    "of names": ("4 5\n0 100\n100 2\n2 3\n0 2\n", ("--ids", "any"), 6, 5),
    "below": ("101 4\n0 100\n100 2\n2 3\n0 2\n", ("--ids", "any"), 4, 4),
    "of texts": ("9 2\na b\nb c\n", ("--ids", "text"), 3, 2),
}


@pytest.mark.parametrize("what", COUNTS)
def test_a_first_line_of_counts(what, tmp_path):
    text, options, vertices, edges = COUNTS[what]
    path = put(tmp_path, text, "c.txt")
    facts = info(path, *options)
    assert (facts["vertices"], facts["edges"]) == (vertices, edges)
    said = gtrav_ok(path, *options, "--info").err
    assert ("counts of" in said) == (edges < text.count("\n"))


def test_counts_that_are_asked_for_must_be_right(tmp_path):
    for text in ("5 3\n0 1\n1 2\n", "2 2\n0 1\n1 2\n", "a b\n0 1\n"):
        complains(gtrav(put(tmp_path, text, "c.txt"), "--info", "--header-counts", "yes"), "header-counts")


PROSE = {
    "lines": ("It was the best of times,\nit was the worst of times: it was the age\n", "x.txt:2:1"),
    "a line": ("Not a graph at all\n", "x.txt:1:1"),
    "a word twice": ("the cat and the dog\nsat on a mat\n", "x.txt:2:1"),
    "a letter": ("from Ann to Bob\n\nDear Bob\n", "x.txt:3:1"),
    "the end without a newline": ("two words\nthree more words", "x.txt:2:1"),
}


@pytest.mark.parametrize("what", PROSE)
def test_prose_is_no_graph(what, tmp_path):
    text, where = PROSE[what]
    complains(gtrav(put(tmp_path, text, "x.txt"), "--info", "--quiet"), where, "not a graph", "--ids text")


VERTICES = {
    "dense": ("0,1\n", "id,name\n4,x\n1,y\n", (), 5, 1),
    "any": ("0,10\n", "7\n10\n", ("--ids", "any"), 3, 1),
    "text": ("ann,bob\n", "name\nJohn Doe\nbob\n", ("--ids", "text"), 3, 1),
    "column": ("0,1\n", "x,y\n9,3\n", ("--vertex-column", "y"), 4, 1),
    "number": ("0,1\n", "9,3\n", ("--vertex-column", "2"), 4, 1),
}


@pytest.mark.parametrize("what", VERTICES)
def test_vertices_without_edges(what, tmp_path):
    text, vertices, options, count, edges = VERTICES[what]
    path, table = put(tmp_path, text), put(tmp_path, vertices, "v.csv")
    facts = info(path, "--vertices", table, *options)
    assert (facts["vertices"], facts["edges"], facts["self_loops_dropped"]) == (count, edges, 0)


def test_wrong_vertices(tmp_path):
    path, table = put(tmp_path, "0,1\n"), put(tmp_path, "2\nx\n", "v.csv")
    complains(gtrav(path, "--info", "--vertices", table), f"{table}:2:1", "vertex id")
    complains(gtrav(path, "--info", "--vertices", tmp_path / "none"), "none", "No such file")
    complains(gtrav(path, "--info", "--vertices", table, "--vertex-column", "id"), "no column", "'id'")
    complains(gtrav(path, "--info", "--vertex-column", "1"), "--vertices")
    complains(gtrav("path:3", "--info", "--vertices", table), "--vertices", "generator")


def test_wrong_columns(tmp_path):
    path = put(tmp_path, "a,b,a\n0,1,2\n")
    complains(gtrav(path, "--info", "--columns", "b,x"), f"{path}:1:1", "'x'", "a,b,a")
    complains(gtrav(path, "--info", "--columns", "a,b"), "'a' is 2", "numbers")
    complains(gtrav(path, "--info", "--columns", "a"), "two columns")
    complains(gtrav(path, "--info", "--columns", "0,1"), "from 1")
    complains(gtrav(path, "--info", "--columns", "1,7"), f"{path}:1:6", "too few columns")
    assert info(path, "--columns", "a,a")["vertices"] == 3


def test_directions(tmp_path):
    table, metis = put(tmp_path, "0,1\n"), put(tmp_path, "2 1\n2\n1\n", "m.graph")
    mtx = put(tmp_path, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "s.mtx")
    col = put(tmp_path, "p edge 2 1\ne 1 2\n", "c.col")
    complains(gtrav(table, "--info", "--directed", "--undirected"), "--directed", "--undirected")
    for path in (metis, mtx, col):
        complains(gtrav(path, "--info", "--directed"), str(path), "no directions")
    complains(gtrav("cycle:5", "--info", "--directed"), "undirected")
    assert info(table, "--directed")["edges"] == 1
    assert info(table, "--undirected")["edges"] == 2
    assert info("dag:9:0.5", "--directed")["name"] == "dag:9:0.5+directed"
    gtrav_ok("cycle:5", "--write", tmp_path / "c.gtrav")
    complains(gtrav(tmp_path / "c.gtrav", "--info", "--directed"), "c.gtrav", "undirected")


def test_binary_files_keep_text_ids(tmp_path):
    path = put(tmp_path, 'src,dst\n"Smith, J",bob\nbob,eve\n')
    kept, reordered, out = (tmp_path / name for name in ("k.gtrav", "r.gtrav", "out.csv"))
    gtrav_ok(path, "--write", kept)
    gtrav_ok(kept, "--reorder", "random", "--write", reordered)
    negative = put(tmp_path, "-3,4\n", "n.csv")
    gtrav_ok(negative, "--write", tmp_path / "n.gtrav")
    for file in (path, kept, reordered):
        gtrav_ok("bfs", file, "--source", '"Smith, J"', "--output", out)
        assert out.read_text() == 'vertex,level\n"Smith, J",0\nbob,1\neve,2\n'
    gtrav_ok("bfs", kept, "--undirected", "--source", "eve", "--output", out)
    assert out.read_text() == 'vertex,level\n"Smith, J",2\nbob,1\neve,0\n'
    gtrav_ok("bfs", tmp_path / "n.gtrav", "--source=-3", "--output", out)
    assert out.read_text() == "vertex,level\n-3,0\n4,1\n"
    damaged = bytearray(kept.read_bytes())
    damaged[-2] ^= 1
    complains(gtrav(put(tmp_path, bytes(damaged), "d.gtrav"), "--info"), "d.gtrav", "write it anew")
    complains(gtrav(put(tmp_path, bytes(damaged[:-1]), "d.gtrav"), "--info"), "d.gtrav", "write it anew")


def test_caches_are_of_one_way_of_reading(tmp_path):
    path = put(tmp_path, "4 3 9\n0 1 2\n1 2 1\n2 3 9\n", "c.txt")
    table = put(tmp_path, "8\n", "v.txt")
    for _ in range(2):
        assert info(path, "--cache")["vertices"] == 5
        assert info(path, "--cache", "--columns", "2,3")["vertices"] == 10
        assert info(path, "--cache", "--vertices", table)["vertices"] == 9
        assert info(path, "--cache", "--ids", "text")["vertices"] == 5
    table.write_text("12\n")
    assert info(path, "--cache", "--vertices", table)["vertices"] == 13


def test_sources_are_ids_of_the_file(tmp_path):
    path = put(tmp_path, 'src,dst\n"Smith, J",bob\nbob,#eve\n')
    listed = put(tmp_path, '"Smith, J"  # as in CSV\n\n# none\n"#eve"\nbob # too\n', "sources.txt")
    complains(gtrav("bfs", path, "--sources-file", listed, "--quiet"), f"{listed}:1")
    listed.write_text('"Smith, J"\n\n# none\n"#eve"\nbob # too\n')
    gtrav_ok("bfs", path, "--sources-file", listed)
    gtrav_ok("bfs", path, "--source", '"Smith, J",bob')
    complains(gtrav("bfs", path, "--source", "Smith", "--quiet"), "source Smith", "ids of its file")


def test_pipes(tmp_path):
    text = b"src,dst\nann,bob\neve,bob\n"
    for given in (text, gzip.compress(text)):
        run = subprocess.run([GTRAV, "-", "--info", "--json"], input=given, capture_output=True, timeout=600)
        assert run.returncode == 0, run.stderr
        assert b'"vertices": 3' in run.stdout
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([GTRAV, pipe, "--info", "--json"], stdout=subprocess.PIPE) as run:
        pipe.write_bytes(text)
        assert b'"vertices": 3' in run.communicate(timeout=600)[0]


def test_vertex_numbers_end_below_2_to_the_32(tmp_path):
    for number in (2**32 - 1, 2**32, 2**32 + 1, 2**63, 2**64 + 1):
        path = put(tmp_path, f"0 1\n{number} 1\n", "far.txt")
        complains(gtrav(path, "--info", "--ids", "dense"), f"{path}:2:1", "vertex id too large")


# what it is -> the pairs, options, and the rows of the answer; on the graph 0>1, 1>2, 3>2
PAIRS = {
    "plain": ("0,2\n2,0\n", (), ["0,2,2", "2,0,-1"]),
    "dst,src": ("dst,src\n2,0\n", (), ["0,2,2"]),
    "extra and quoted": ('id;"to";from\n7;"2";0\n8;1;"0"\n', (), ["0,2,2", "0,1,1"]),
    "by name": ("a,b,c\n2,x,0\n", ("--pair-columns", "c,a"), ["0,2,2"]),
    "by number": ("2,x,0\n", ("--pair-columns", "3,1"), ["0,2,2"]),
    "absent": ("9,1\n0,2\n-1,0\n0,77777777777777777777777\n", (), ["9,1,-1", "0,2,2", "-1,0,-1"]),
    "all absent": ("9,8\n", (), ["9,8,-1"]),
    "BOM, CRLF": ("\ufeffsrc,dst\r\n0,2\r\n\r\n", (), ["0,2,2"]),
}


@pytest.mark.parametrize("what", PAIRS)
def test_pairs_as_people_have_them(what, tmp_path):
    text, options, rows = PAIRS[what]
    edges, pairs = put(tmp_path, "0,1\n1,2\n3,2\n"), put(tmp_path, text, "p.csv")
    reported = gtrav_ok("msbfs", edges, "--variant", "serial", "--pairs", pairs, *options)
    assert reported.out.splitlines()[: 1 + len(rows)] == ["src,dst,length", *rows]
    assert ("name a vertex that is not in" in reported.err) == ("absent" in what)
    piped = subprocess.run(
        [GTRAV, "msbfs", edges, "--variant", "serial", "--pairs", "-", *options],
        input=text.encode(),
        capture_output=True,
        timeout=600,
    )
    assert piped.stdout.decode() == reported.out
    document = gtrav_json("msbfs", edges, "--variant", "serial", "--pairs", pairs, "--paths", *options)
    assert [pair["length"] if pair["length"] is not None else -1 for pair in document["pairs"]] == [
        int(row.rpartition(",")[2]) for row in reported.out.splitlines()[1:]
    ]


def test_pairs_of_names(tmp_path):
    edges = put(tmp_path, 'src,dst\n"Smith, J",x y\nx y,"5"" disk"\n')
    pairs = put(tmp_path, 'dst,src\n"5"" disk","Smith, J"\nnobody,x y\n', "p.csv")
    reported = gtrav_ok("msbfs", edges, "--variant", "serial", "--pairs", pairs, "--paths")
    assert reported.out.splitlines()[1:] == [
        '"Smith, J","5"" disk",2,"""Smith, J"" ""x y"" ""5"""" disk"""',
        "x y,nobody,-1,",
    ]
    assert "1 of 2 pairs" in reported.err
    document = gtrav_json("msbfs", edges, "--variant", "serial", "--pairs", pairs, "--paths")
    assert document["pairs"] == [
        {"src": "Smith, J", "dst": '5" disk', "length": 2, "path": ["Smith, J", "x y", '5" disk']},
        {"src": "x y", "dst": "nobody", "length": None, "path": None},
    ]
    complains(gtrav("msbfs", edges, "--pairs", put(tmp_path, "a,\n", "q.csv"), "--quiet"), "q.csv:1:3")
