"""Edge lists as people have them: separators, headers, quotes, ids of any kind, counts, lone vertices."""

import gzip
import resource

import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok, info, read_mtx


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
QUOTED = (['"5"" disk"', '"Smith, J"', "x y"], {('"Smith, J"', '"5"" disk"'), ('"5"" disk"', "x y")})
KNOW = (["5", "7"], {("5", "7"), ("7", "5")})
SIGNED = (["-5", "3", "9"], {("-5", "3"), ("9", "3")})

# what it is -> the file's name, its text, the ids and edges, words of the notice, options
TABLES = {
    "comma": ("a.csv", "0,1\n2,1\n", PAIR, "directed, comma, columns 1,2, dense ids, no header"),
    "semicolon": ("a.csv", "0;1\n2;1\n", PAIR, "semicolon"),
    "tab": ("a.tsv", "0\t1\n2\t\t1\n", PAIR, "blank"),
    "blank": ("a", " 0  1 \n2\t1\n", PAIR, "blank"),
    "blanks around commas": ("a.csv", "0 , 1, 5\n 2,\t1\t,7\n", PAIR, "comma"),
    "BOM and header": ("a.csv", "\ufeffsrc,dst\n0,1\n2,1\n", PAIR, "columns src,dst"),
    "CRLF, no newline at the end": ("a.csv", "src,dst\r\n0,1\r\n\r\n2,1", PAIR, "columns src,dst"),
    "networkx": ("a.edgelist", "0 1 {}\n2 1 {'weight': 3, 'x': 1}\n", PAIR, "blank, columns 1,2, dense"),
    "networkx, names": ("a.el", "ann bob {'w': 3, 'x': 1}\neve bob {}\n", NAMES, "blank, columns 1,2, text"),
    "dst,src": ("a.csv", "dst,src\n1,0\n1,2\n", PAIR, "columns src,dst"),
    "extra columns": ("a", "id,from,since,to\n9,0,x,1\n8,2,,1\n", PAIR, "columns from,to"),
    "source, target": ("a", "Source;Weight;Target\n0;0,5;1\n2;1,5;1\n", PAIR, "semicolon, columns Source"),
    "FromNodeId": ("a", "FromNodeId\tToNodeId\n0\t1\n2\t1\n", PAIR, "tab, columns FromNodeId,ToNodeId"),
    "unknown names": ("a.csv", "citation,work\n0,1\n2,1\n", PAIR, "columns citation,work"),
    "columns by name": ("a", "a,b,c\n1,x,0\n1,y,2\n", PAIR, "columns c,a", "--columns", "c,a"),
    "columns by number": ("a", "1,x,0\n1,y,2\n", PAIR, "columns 3,1", "--columns", "3,1"),
    "columns over names": ("a", "src,dst,x\n7,1,0\n7,1,2\n", PAIR, "columns x,dst", "--columns", "x,dst"),
    "a column with a comma": ("a", '"a,1",b\n0,1\n2,1\n', PAIR, "columns a,1,b", "--columns", '"a,1",b'),
    "an empty field": ("a.csv", "src,w,dst\n0,,1\n2,,1\n", PAIR, "columns src,dst"),
    "empty tab columns": ("a", "x\tsrc\tdst\n\t0\t1\n\t2\t1\n", PAIR, "tab, columns src,dst"),
    "text": ("a.csv", "ann,bob\neve,bob\n", NAMES, "comma, columns 1,2, text ids"),
    "text and more": ("a.txt", "ann bob of\neve bob of\n", NAMES, "columns 1,2, text ids", "--columns", "1,2"),
    "text and weights": ("a.txt", "ann bob 1.5\neve bob 7\n", NAMES, "columns 1,2, text ids"),
    "text of different lengths": ("a.txt", "ann bob\neve bob x\n", NAMES, "text ids", "--ids", "text"),
    "text with a and b": ("a.csv", "a,b\nann,bob\neve,bob\n", NAMES, "text ids, header", "--header", "yes"),
    "a and b as names": ("a.csv", "b,a\nc,b\n", (["a", "b", "c"], {("b", "a"), ("c", "b")}), "no header"),
    "addresses": ("a", "8.8.4.4 8.8.8.8\n", (["8.8.4.4", "8.8.8.8"], {("8.8.4.4", "8.8.8.8")}), "text ids"),
    "commas at the end": ("a.csv", "0,1,\n2,1\n", PAIR, "dense ids"),
    "a comment behind": ("a.txt", "0 1\n2 1 # both\n", PAIR, "dense ids"),
    "text with header": ("a", "src|dst\nann|bob\neve|bob\n", NAMES, "bar, columns src,dst, text ids, header"),
    "quoted text": ("a", 'src,dst\n"ann",bob\n"eve" , "bob"\n', NAMES, "text ids"),
    "text of numbers": ("a.csv", "0,1\n2,1\n", PAIR, "text ids", "--ids", "text"),
    "negative": ("a.csv", "-5,3\n9,3\n", SIGNED, "any ids"),
    "persons": ("knows", "Person1Id|Person2Id|x\n5|7|\n", KNOW, "undirected, bar, columns Person1Id,Person2Id"),
    "directed": ("k", "Person.id|Person.id\n5|7\n", (["5", "7"], {("5", "7")}), "directed, bar", "--directed"),
    "commas in text": ("a", 'src,dst\n"Smith, J","5"" disk"\n"5"" disk",x y\n', QUOTED, "text ids"),
}


@pytest.mark.parametrize("what", TABLES)
def test_table(what, tmp_path):
    name, text, (ids, edges), words, *options = TABLES[what]
    folder = tmp_path / "in"
    folder.mkdir()
    found_ids, found_edges, said = read(put(folder, text, name), tmp_path, *options)
    assert (found_ids, found_edges) == (ids, edges)
    assert words in next(line for line in said.splitlines() if "read as: " in line)
    packed = put(folder, gzip.compress(text.encode()), f"{name}.gz")
    assert read(packed, tmp_path, *options)[:2] == (ids, edges)


# what it is -> the file's text, options, numbers of vertices and edges
COUNTS = {
    "counts": ("5 4\n0 1\n1 2\n2 3\n0 2\n", "", 5, 4),
    "of a matrix": ("5 5 4\n0 1 1\n1 2 1\n2 3 1\n0 2 1\n", "", 5, 4),
    "with commas": ("5,4\n0,1\n1,2\n2,3\n0,2\n", "", 5, 4),
    "an edge more": ("5 3\n0 1\n1 2\n2 3\n0 2\n", "", 6, 5),
    "an id too large": ("3 4\n0 1\n1 2\n2 3\n0 2\n", "", 5, 5),
    "no": ("5 4\n0 1\n1 2\n2 3\n0 2\n", "--header-counts no", 6, 5),
    "yes": ("9 4\n0 1\n1 2\n2 3\n0 2\n", "--header-counts yes", 9, 4),
    "of names": ("4 5\n0 100\n100 2\n2 3\n0 2\n", "--ids any", 6, 5),
    "of all names": ("4 4\n0 4\n4 2\n2 3\n0 2\n", "--ids any --header-counts yes", 4, 4),
    "of texts": ("3 2\na b\nb c\n", "--ids text --header-counts yes", 3, 2),
    "from 1": ("4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n", "", 4, 5),
    "from 1, asked for": ("4 3\n1 2\n2 3\n3 4\n", "--header-counts yes", 4, 3),
    "from 1, with weights": ("3 4\n1 2 7\n2 3 7\n3 1 7\n1 3 7\n", "", 3, 4),
    "from 1, of a matrix": ("3 3 4\n1 2 7\n2 3 7\n3 1 7\n1 3 7\n", "", 3, 4),
    "from 1, an edge": ("4 3\n1 2\n2 3\n3 4\n", "--header-counts no", 5, 4),
    "dense": ("5 2\n0 1\n1 2\n", "--ids dense", 5, 2),
    "a loop": ("0 0\n", "", 1, 0),
    "another loop": ("1 1\n", "", 2, 0),
}


@pytest.mark.parametrize("what", COUNTS)
def test_a_first_line_of_counts(what, tmp_path):
    text, options, vertices, edges = COUNTS[what]
    path = put(tmp_path, text, "c.txt")
    facts = info(path, *options.split())
    assert (facts["vertices"], facts["edges"]) == (vertices, edges)
    said = gtrav_ok(f"--info {options}", path).err
    assert ("counts of" in said) == (0 < edges < text.count("\n"))


def test_counts_that_are_asked_for_must_be_right(tmp_path):
    for text in ("5 3\n0 1\n1 2\n", "2 2\n0 1\n1 2\n", "2 2\n0 1\n1 3\n", "a b\n0 1\n"):
        complains(gtrav("--info --header-counts yes", put(tmp_path, text, "c.txt")), "header-counts")
    path = put(tmp_path, "5 2\n0 1\n1 2\n", "c.txt")  # names, of which the file may not have all
    complains(gtrav("--info --ids any", path), "c.txt:1:1", "--header-counts no", "--header-counts yes")
    complains(gtrav("--info --ids any --header-counts yes", path), "5 vertices, but the file has 3")
    path = put(tmp_path, "3 2\n2 1\n1 3\n", "c.txt")  # counts, or the third edge of a triangle
    complains(gtrav("--info", path), "c.txt:1:1", "--header-counts no", "--header-counts yes")


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
    complains(gtrav("--info --quiet", put(tmp_path, text, "x.txt")), where, "not a table of edges", "--columns A,B")


# what it is -> the file's text, options, and the ids and edges, or words of the refusal
CHAIN = {("v1", "v2"), ("v2", "v3")}
DOUBTFUL = {
    "names that recur": ("v1 v2\nv2 v3\n", "", CHAIN),
    "users": ("user1,user2\nuser2,user3\n", "", {("user1", "user2"), ("user2", "user3")}),
    "addresses": ("http://a/ http://b/\n", "", {("http://a/", "http://b/")}),
    "a header that is an id": (
        "start end\nend x\n",
        "",
        "t.txt: the first row",
        "'end'",
        "--header yes or --header no",
    ),
    "it is a header": ("start end\nend x\n", "--header yes", {("end", "x")}),
    "it is an edge": ("start end\nend x\n", "--header no", {("start", "end"), ("end", "x")}),
    "numbers as text": ("p q\n1 2\n", "--ids text", "t.txt:1:1", "--header yes or --header no"),
    "no header": ("a,b\n0,1\n", "--header no", "t.txt:1:1", "--ids text"),
    "a header of numbers": ("7,8\n0,1\n", "--header yes", {("0", "1")}),
    "names without a header": ("a,b\n0,1\n", "--header no --columns a,b", "--header no"),
    "row names": ("src dst\n1 5 6\n2 6 7\n", "", "t.txt:2:1", "--header yes --columns 2,3"),
    "row names, quoted": ('"src" "dst"\n"1" 5 6\n', "--columns src,dst", "t.txt:2:1", "--columns 2,3"),
    "row names, told": ("src dst\n1 5 6\n2 6 7\n", "--header yes --columns 2,3", {("5", "6"), ("6", "7")}),
    "row names, more": ("src,dst,w\n1,5,6,3\n2,6,7,2\n", "", "t.txt:2:1", "--header yes --columns 2,3"),
    "row names, turned": ("w,dst,src\n1,3,6,5\n2,2,7,6\n", "", "t.txt:2:1", "--header yes --columns 4,3"),
    "row names, a header": ("src dst\n1 5 6\n2 6 7\n", "--header yes", "t.txt:2:1", "--columns 2,3"),
    "arrows": ("0 -> 1\n1 -> 2\n", "", "t.txt:1:1", "3 columns", "--columns A,B"),
    "arrows, told": ("0 -> 1\n1 -> 2\n", "--columns 1,3", {("0", "1"), ("1", "2")}),
    "arrows between names": ("a -> b\n", "", "t.txt:1:1", "3 columns", "--columns A,B"),
    "a triple": ("ann\tknows\tbob\n", "", "t.txt:1:1", "3 columns", "--columns"),
    "triples of numbers": ("0 knows 1\n1 knows 2\n", "", "t.txt:1:1", "3 columns", "--columns"),
    "triples, told": ("ann\tknows\tbob\n", "--columns 1,3", {("ann", "bob")}),
    "tuples": ("(0,1)\n(1,2)\n", "", "t.txt:1:1", "'(0'"),
    "a matrix": ("0 1 0\n1 0 1\n0 1 0\n", "", "t.txt:1:1", "matrix", "--columns"),
    "STRING": ("protein1 protein2 score\n9606.E1 9606.E2 490\n", "", {("9606.E1", "9606.E2")}),
    "STRING, an id below": ("protein1 protein2 s\nprotein2 x 4\n", "", "'protein2'", "--header yes or --header no"),
    "names of genes": ("gene1,gene2\nTP53,BRCA1\n", "", {("TP53", "BRCA1")}),
    "other names": ("bait,prey,score\nTP53,BRCA1,4\n", "", "t.txt:1:1", "3 columns", "--columns A,B"),
    "other names, told": ("bait,prey,score\nTP53,BRCA1,4\n", "--header yes", {("TP53", "BRCA1")}),
    "edges with ids": ("edge_id,a,b\n7,0,1\n8,1,2\n", "", "t.txt:1:1", "3 columns", "--columns A,B"),
    "edges with ids, told": ("edge_id,a,b\n7,0,1\n8,1,2\n", "--columns a,b", {("0", "1"), ("1", "2")}),
    "edges with costs": ("a,b,cost\n0,1,7\n1,2,8\n", "", {("0", "1"), ("1", "2")}),
    "weights behind": ("src,dst,w\nann,bob,\nbob,eve,3\n", "", {("ann", "bob"), ("bob", "eve")}),
    "a matrix of reals": (
        "0.0 1.0 0.0\n1.0 0.0 1.0\n0.0 1.0 0.0\n",
        "",
        "t.txt:1:1",
        "'0.0' is neither",
        "--ids text",
    ),
    "a matrix of savetxt": ("0.00000e+00 1.00000e+00\n1.00000e+00 0.00000e+00\n", "", "t.txt:1:1", "--ids text"),
    "a matrix of weights": ("0,0.5,1\n0.5,0,1\n1,0.5,0\n", "", "t.txt:1:1", "'0.5' is neither"),
    "reals as text": ("0.5 1.5\n", "--ids text", {("0.5", "1.5")}),
    "a wide matrix": ("0,5,0,0,1\n1,0,7,0,0\n", "", "t.txt:1:1", "5 columns", "--columns"),
    "two columns of 0 and 1": ("0 1\n1 0\n", "", {("0", "1"), ("1", "0")}),
    "weights of 0 and 1": ("0 1 1\n1 0 0\n", "", {("0", "1"), ("1", "0")}),
    "KONECT, both sides": ("% bip unweighted\n1 1\n1 2\n2 1\n", "", {("1", "-1"), ("1", "-2"), ("2", "-1")}),
    "KONECT, turned": ("% bip\n1 1\n1 2\n2 1\n", "--columns 2,1", {("-1", "1"), ("-2", "1"), ("-1", "2")}),
    "KONECT, any": ("% bip x\n1 1\n1 2\n2 1\n", "--ids any", {("1", "-1"), ("1", "-2"), ("2", "-1")}),
    "KONECT, text": ("% bip x\n1 1\n1 2\n2 1\n", "--ids text", "t.txt: '% bip'", "--ids any"),
    "KONECT, names": ("% bip x\nann x\nx bob\n", "", "t.txt: '% bip'"),
    "KONECT, bare": ("% bip\n1 1\n2 1\n", "", {("1", "-1"), ("2", "-1")}),
    "KONECT, CRLF": ("% bip\r\n1 1\r\n2 1\r\n", "", {("1", "-1"), ("2", "-1")}),
    "KONECT, tabs": ("%\tbip\t\n1 1\n2 1\n", "", {("1", "-1"), ("2", "-1")}),
    "KONECT, no blank": ("%bip\n1 1\n2 1\n", "", {("1", "-1"), ("2", "-1")}),
    "KONECT, two blanks": ("%  bip unweighted\n1 1\n2 1\n", "", {("1", "-1"), ("2", "-1")}),
    "a comment on bipeds": ("% bipeds\n1 2\n2 3\n", "", {("1", "2"), ("2", "3")}),
    "KONECT, from 0": ("% bip unweighted\n0 1\n1 2\n", "", "t.txt:2:1", "--ids dense"),
    "KONECT, one set": ("% asym weighted\n% 2 3 3\n1 2 1 5\n2 3 1 6\n", "", {("1", "2"), ("2", "3")}),
}


@pytest.mark.parametrize("what", DOUBTFUL)
def test_no_edge_is_lost_or_invented(what, tmp_path):
    text, options, *expected = DOUBTFUL[what]
    path = put(tmp_path, text, "t.txt")
    if isinstance(expected[0], set):
        ids, edges, _ = read(path, tmp_path, *options.split())
        assert edges == expected[0]
        dense = {str(v) for v in range(1 + max(map(int, ids)))} if all(i.isdigit() for i in ids) else set()
        assert set(ids) in ({v for edge in edges for v in edge}, dense)
    else:
        complains(gtrav("--info", path, *options.split()), *expected)


def test_a_wrong_comment_of_snap_is_told(tmp_path):
    text = "# Directed graph\n# Nodes: {} Edges: {}\n# FromNodeId\tToNodeId\n0\t5\n5\t6\n"
    for nodes, edges, said in (
        (3, 2, "says 3 nodes (--ids any"),
        (7, 3, "says 3 edges, and there are 2"),
        (7, 2, None),
    ):
        err = gtrav_ok("--info", put(tmp_path, text.format(nodes, edges), "t.txt")).err
        assert (said or "comment") in err if said else "comment" not in err
    assert "comment" not in gtrav_ok("--info --ids any", put(tmp_path, text.format(3, 2), "t.txt")).err


# what it is -> edges, vertices, options, numbers of vertices and edges
VERTICES = {
    "numbers": ("2,1\n", "id,name\n4,x\n1,y\n", "", 3, 1),
    "dense": ("0,1\n", "id,name\n4,x\n1,y\n", "--ids dense", 5, 1),
    "any": ("0,10\n", "7\n10\n", "--ids any", 3, 1),
    "from 1": ("src,dst\n1,2\n", "id,name\n1,ann\n2,bob\n3,eve\n", "", 3, 1),
    "text": ("ann,bob\n", "name\nJohn Doe\nbob\n", "--ids text", 3, 1),
    "column": ("0,1\n", "x,y\n9,3\n", "--vertex-column y", 3, 1),
    "number": ("0,1\n", "9,3\n", "--vertex-column 2", 3, 1),
    "two sides, the left": ("% bip x\n1 1\n1 2\n2 1\n", "id\n1\n2\n3\n", "", 5, 3),
    "two sides, the right": ("% bip x\n1 1\n1 2\n2 1\n", "-1\n-3\n3\n", "", 6, 3),
}


@pytest.mark.parametrize("what", VERTICES)
def test_vertices_without_edges(what, tmp_path):
    text, vertices, options, count, edges = VERTICES[what]
    facts = info(put(tmp_path, text), "--vertices", put(tmp_path, vertices, "v.csv"), *options.split())
    assert (facts["vertices"], facts["edges"], facts["self_loops_dropped"]) == (count, edges, 0)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("t.csv --vertices v.csv --columns 1,2", ["v.csv:2:1", "vertex id"]),
        ("t.csv", ["t.csv:1:1", "3 columns", "--columns"]),
        ("bip.txt --vertices zero.csv", ["zero.csv:2:1", "none is 0"]),
        ("t.csv --vertices none --columns 1,2", ["none", "No such file"]),
        ("t.csv --vertices v.csv --vertex-column id --columns 1,2", ["no column", "'id'"]),
        ("t.csv --vertex-column 1", ["--vertices"]),
        ("path:3 --vertices v.csv", ["--vertices", "generator"]),
        ("s.mtx --ids any", ["s.mtx", "Matrix Market"]),
        ("c.gtrav --ids dense", ["--ids", "c.gtrav"]),
        ("t.csv --columns b,x", ["t.csv:1:1", "'x'", "a,b,a"]),
        ("t.csv --columns a,b", ["2 columns are named 'a'", "numbers"]),
        ("t.csv --columns b,b", ["b,b is one column"]),
        ("t.csv --columns 2,2", ["2,2 is one column"]),
        ("t.csv --columns 2,b", ["2,b is one column"]),
        ("t.csv --columns a", ["two columns"]),
        ("t.csv --columns 0,1", ["from 1"]),
        ("t.csv --columns 1,7", ["t.csv:1:6", "too few columns"]),
        ("t.csv --directed --undirected", ["--directed", "--undirected"]),
        ("m.graph --directed", ["m.graph", "no directions"]),
        ("s.mtx --directed", ["s.mtx", "no directions"]),
        ("c.col --directed", ["c.col", "no directions"]),
        ("cycle:5 --directed", ["undirected"]),
        ("c.gtrav --directed", ["c.gtrav", "undirected"]),
    ],
)
def test_wrong_options(line, words, tmp_path):
    put(tmp_path, "a,b,a\n0,1,2\n")
    put(tmp_path, "2\nx\n", "v.csv")
    put(tmp_path, "% bip x\n1 1\n", "bip.txt")
    put(tmp_path, "2\n0\n", "zero.csv")
    put(tmp_path, "2 1\n2\n1\n", "m.graph")
    put(tmp_path, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "s.mtx")
    put(tmp_path, "p edge 2 1\ne 1 2\n", "c.col")
    gtrav_ok("cycle:5 --write c.gtrav", cwd=tmp_path)
    complains(gtrav(line, "--info", cwd=tmp_path), *words)


def test_directions(tmp_path):
    table = put(tmp_path, "0,1\n")
    assert info(table, "--directed")["edges"] == 1
    assert info(table, "--undirected")["edges"] == 2
    assert info("dag:9:0.5", "--directed")["name"] == "dag:9:0.5+directed"
    assert info(put(tmp_path, "a,b,a\n0,1,2\n"), "--columns", "a,a")["vertices"] == 3


def test_caches_are_of_one_way_of_reading(tmp_path):
    path = put(tmp_path, "4 3 9\n0 1 2\n1 2 1\n2 3 9\n", "c.txt")
    table = put(tmp_path, "8\n", "v.txt")
    for _ in range(2):
        assert info(path, "--cache")["vertices"] == 5
        assert info(path, "--cache", "--columns", "2,3")["vertices"] == 10
        assert info(path, "--cache", "--vertices", table)["vertices"] == 6
        assert info(path, "--cache", "--ids", "text")["vertices"] == 5
    table.write_text("12\n")
    assert info(path, "--cache", "--vertices", table, "--ids", "dense")["vertices"] == 13


def test_sources_are_ids_of_the_file(tmp_path):
    path = put(tmp_path, 'src,dst\n"Smith, J",bob\nbob,#eve\n')
    listed = put(tmp_path, '"Smith, J"  # as in CSV\n\n# none\n"#eve"\nbob # too\n', "sources.txt")
    complains(gtrav("bfs --quiet", path, "--sources-file", listed), f"{listed}:1")
    listed.write_text('"Smith, J"\n\n# none\n"#eve"\nbob # too\n')
    gtrav_ok("bfs", path, "--sources-file", listed)
    gtrav_ok("bfs", path, "--source", '"Smith, J",bob')
    complains(gtrav("bfs --source Smith --quiet", path), "Smith is not a vertex", "ids of its file")


def test_vertex_numbers_end_below_2_to_the_32(tmp_path):
    for number in (2**32 - 1, 2**32, 2**32 + 1, 2**63, 2**64 + 1):
        path = put(tmp_path, f"0 1\n{number} 1\n", "far.txt")
        complains(gtrav("--info --ids dense", path), f"{path}:2:1", "vertex id too large")


# what it is -> the pairs, options, and the rows of the answer; on the graph 0>1, 1>2, 3>2
PAIRS = {
    "extra and quoted": ('id;"to";from\n7;"2";0\n8;1;"0"\n', "", ["0,2,2", "0,1,1"]),
    "by name": ("a,b,c\n2,x,0\n", "--pair-columns c,a", ["0,2,2"]),
    "by number": ("2,x,0\n", "--pair-columns 3,1", ["0,2,2"]),
    "absent": ("9,1\n0,2\n-1,0\n0,77777777777777777777777\n", "", ["9,1,-1", "0,2,2", "-1,0,-1"]),
    "all absent": ("9,8\n", "", ["9,8,-1"]),
    "BOM, CRLF": ("\ufeffsrc,dst\r\n0,2\r\n\r\n", "", ["0,2,2"]),
}


@pytest.mark.parametrize("what", PAIRS)
def test_pairs_as_people_have_them(what, tmp_path):
    text, options, rows = PAIRS[what]
    edges, pairs = put(tmp_path, "0,1\n1,2\n3,2\n"), put(tmp_path, text, "p.csv")
    run = f"msbfs {edges} --variant serial {options}"
    reported = gtrav_ok(run, "--pairs", pairs)
    assert reported.out.splitlines()[: 1 + len(rows)] == ["src,dst,length", *rows]
    assert ("name a vertex that is not in" in reported.err) == ("absent" in what)
    assert gtrav_ok(run, "--pairs", "-", input=text.encode()).out == reported.out
    document = gtrav_json(run, "--paths", "--pairs", pairs)
    assert [pair["length"] if pair["length"] is not None else -1 for pair in document["pairs"]] == [
        int(row.rpartition(",")[2]) for row in reported.out.splitlines()[1:]
    ]


def test_pairs_of_names(tmp_path):
    edges = put(tmp_path, 'src,dst\n"Smith, J",x y\nx y,"5"" disk"\n')
    pairs = put(tmp_path, 'dst,src\n"5"" disk","Smith, J"\nnobody,x y\n', "p.csv")
    reported = gtrav_ok("msbfs --variant serial --paths", edges, "--pairs", pairs)
    assert reported.out.splitlines()[1:] == [
        '"Smith, J","5"" disk",2,"""Smith, J"" ""x y"" ""5"""" disk"""',
        "x y,nobody,-1,",
    ]
    assert "1 of 2 pairs" in reported.err
    document = gtrav_json("msbfs --variant serial --paths", edges, "--pairs", pairs)
    assert document["pairs"] == [
        {"src": "Smith, J", "dst": '5" disk', "length": 2, "path": ["Smith, J", "x y", '5" disk']},
        {"src": "x y", "dst": "nobody", "length": None, "path": None},
    ]
    complains(gtrav("msbfs --quiet", edges, "--pairs", put(tmp_path, "a,\n", "q.csv")), "q.csv:1:3")


# what it is -> the pairs, options, and the rows of the answer; on the graph start>end, end>x, x>1
PAIRS_OF_TEXT = {
    "a header": ("src dst\nstart x\n", "", ["start,x,2"]),
    "a pair of names of columns": ("start end\nstart x\n", "", ["start,end,1", "start,x,2"]),
    "a header over numbers": ("p,q\n1,1\n", "", ["1,1,0"]),
    "a header by name": ("start,q,r\nend,x,1\n", "--pair-columns q,r", ["x,1,1"]),
}


@pytest.mark.parametrize("what", PAIRS_OF_TEXT)
def test_a_header_of_pairs(what, tmp_path):
    text, options, rows = PAIRS_OF_TEXT[what]
    edges, pairs = put(tmp_path, "start end\nend x\nx 1\n"), put(tmp_path, text, "p.csv")
    run = gtrav_ok(f"msbfs {edges} --header no --ids text --variant serial --pairs {pairs} {options}")
    assert run.out.splitlines()[1:] == rows
    header = "no header" if "names of" in what else "header"
    assert f"{pairs}: read as: " in run.err and f"ids of the graph's file, {header}" in run.err


# ---- ids that are far apart: reported before memory is taken, and names when asked for ----


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def test_sparse_ids_are_reported_before_memory_is_taken(tmp_path):
    path = put(tmp_path, "0 2147483646\n", "far.txt")
    result = gtrav("--info --threads 1", path, preexec_fn=little_memory)
    complains(result, str(path), "2147483646", "2 distinct", "--ids any", "--ids dense")
    complains(gtrav("--info --undirected --quiet", path), "2 distinct")
    complains(gtrav("--info --cache --quiet", path), "2 distinct")
    assert list(tmp_path.iterdir()) == [path]


# The largest id, how many distinct ids there are, and whether that is sparse: more than a million vertices,
# and more than 16 for each id.
RULE = [(999_999, 2, False), (1_000_000, 2, True), (1_599_999, 100_000, False), (1_600_000, 100_000, True)]


@pytest.mark.parametrize(("largest", "distinct", "sparse"), RULE)
@pytest.mark.parametrize("loops", [False, True])
def test_the_rule(largest, distinct, sparse, loops, tmp_path):
    lines = [f"{v} {v if loops else v + 1}" for v in range(distinct - (1 if loops else 2))]
    path = put(tmp_path, "\n".join([*lines, f"{0 if loops or distinct == 2 else 1} {largest}"]) + "\n")
    if sparse:
        complains(gtrav("--info --quiet", path), f"only {distinct} distinct")
    else:
        assert info(path)["vertices"] == largest + 1
    assert info(path, "--ids", "dense")["vertices"] == largest + 1
    assert info(path, "--ids", "any")["vertices"] == distinct


def test_any_ids_are_names(tmp_path):
    high, higher = 4_000_000_000, 9_000_000_000_000_000_000
    path = put(tmp_path, f"{higher} 7\n7 {high}\n{high} 30\n30 30\n")
    gtrav_ok("--ids any", path, "--write", tmp_path / "n.mtx")
    assert read_mtx(tmp_path / "n.mtx") == (4, {(3, 0), (0, 2), (2, 1)})
    out = tmp_path / "out.csv"
    gtrav_ok("bfs --ids any --source 7", path, "--output", out)
    assert out.read_text() == f"vertex,level\n7,0\n30,2\n{high},1\n{higher},-1\n"
    pairs = put(tmp_path, f"{higher},30\n30,7\n", "pairs.csv")
    lengths = gtrav_ok("msbfs --ids any --paths --verify all", path, "--pairs", pairs).out
    assert lengths == f"src,dst,length,path\n{higher},30,3,{higher} 7 {high} 30\n30,7,-1,\n"
    complains(gtrav("bfs --ids any --source 0 --quiet", path), "0 is not a vertex", "ids of its file")
    assert info(path)["vertices"] == 4  # ids that cannot be vertex numbers are names without an option
    complains(gtrav("bfs --ids dense --quiet", path), "too large", "--ids any")
    both = info(path, "--ids", "any", "--undirected")
    assert (both["vertices"], both["edges"], both["self_loops_dropped"]) == (4, 6, 1)


def test_ids_of_64_bits(tmp_path):
    out = tmp_path / "out.csv"
    path = put(tmp_path, f"0 1\n1 {2**64 - 1}\n")
    gtrav_ok("bfs", path, "--source", 2**64 - 1, "--output", out)
    assert out.read_text() == f"vertex,level\n0,-1\n1,-1\n{2**64 - 1},0\n"
    path = put(tmp_path, f"0 1\n1 {-(2**63)}\n-7 1\n")
    gtrav_ok("bfs --source -7", path, "--output", out)
    assert out.read_text() == f"vertex,level\n{-(2**63)},2\n-7,0\n0,-1\n1,1\n"
    for beyond in (2**64, -(2**63) - 1):
        path = put(tmp_path, f"0 1\n1 {beyond}\n")
        complains(gtrav("--info --ids any", path), f"{path}:2:3", "64 bits", "--ids text")
        assert info(path, "--ids", "text")["vertices"] == 3
