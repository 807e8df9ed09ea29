"""XML: documents and XPath expressions made from a seed (PAMIR_XML_SEED, PAMIR_XML_COUNT for a hunt), what is found in them, and rows of XMLTABLE."""
import os
import random

NAMES = ["a", "b", "c", "p:a", "p:d"]
AXES = ["child", "descendant", "parent", "ancestor", "following-sibling", "preceding-sibling", "following", "preceding", "attribute", "self", "descendant-or-self", "ancestor-or-self"]
TEXTS = ["x", "12", " y ", "-3.5", "&lt;&amp;", "é", "", "a b  c"]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def one(self, items):
        return items[int(self.r.random() * len(items))]

    def chance(self, p):
        return self.r.random() < p

    def document(self):
        return f'<r xmlns:p="urn:p">{self.content(3)}</r>'

    def content(self, depth):
        out = ""
        for _ in range(int(self.r.random() * 4) + (depth == 3)):
            k = self.r.random()
            if k < 0.6 and depth:
                out += self.element(depth - 1)
            elif k < 0.85:
                out += self.one(TEXTS)
            elif k < 0.9:
                out += "<!-- n -->"
            elif k < 0.95:
                out += "<![CDATA[q<]]>"
            else:
                out += "<?pi data?>"
        return out

    def element(self, depth):
        name = self.one(NAMES)
        attributes = "".join(f' {k}="{self.one(TEXTS)}"' for k in ["i", "p:j", "k"] if self.chance(0.3))
        body = self.content(depth)
        return f"<{name}{attributes}>{body}</{name}>" if body or self.chance(0.5) else f"<{name}{attributes}/>"

    def test(self):
        return self.one(["*", "node()", "text()", "comment()", "a", "b", "p:a", "p:*", "processing-instruction()", "a", "b", "*"])

    def step(self, depth):
        k = self.r.random()
        if k < 0.1:
            return self.one([".", ".."])
        if k < 0.25:
            step = "@" + self.one(["i", "p:j", "*", "k"])
        elif k < 0.6:
            step = self.one(["a", "b", "c", "p:a", "*", "node()", "text()"])
        else:
            step = f"{self.one(AXES)}::{self.test()}"
        while depth and self.chance(0.3):
            step += f"[{self.predicate(depth - 1)}]"
        return step

    def path(self, depth):
        start = self.one(["/", "//", "", "/r/", "/r//", ".//"])
        return start + self.one(["/", "/", "//"]).join(self.step(depth) for _ in range(int(self.r.random() * 3) + 1))

    def predicate(self, depth):
        k = self.r.random()
        if k < 0.35:
            return self.one(["1", "2", "last()", "position() > 1", "last() - 1", "position() mod 2 = 1"])
        if k < 0.6:
            return self.path(depth)
        return self.value(depth)

    def value(self, depth):
        def arg():
            return self.value(depth - 1) if depth > 0 and self.chance(0.5) else self.one(["1", "2.5", "'x'", "''", "true()", "@i", ".", "..", "a", "-1", "//b"])

        k = self.r.random()
        if k < 0.4:
            return f"{arg()} {self.one(['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', 'div', 'mod', 'and', 'or'])} {arg()}"
        if k < 0.5:
            return f"({self.path(depth)} | {self.path(depth)})"
        return self.one([
            "count({p})", "sum({p})", "string({a})", "number({a})", "boolean({a})", "not({a})", "name({p})", "local-name({p})", "namespace-uri({p})", "concat({a}, {a})",
            "contains({a}, {a})", "starts-with({a}, {a})", "substring({a}, {a})", "substring({a}, {a}, {a})", "substring-before({a}, {a})", "substring-after({a}, {a})",
            "string-length({a})", "normalize-space({a})", "translate({a}, {a}, {a})", "floor({a})", "ceiling({a})", "round({a})", "-({a})", "lang('en')", "({p})[1]", "({p})[last()]",
        ]).replace("{p}", self.path(max(depth - 1, 0))).replace("{a}", arg(), 1).replace("{a}", arg(), 1).replace("{a}", arg())


def quoted(s):
    return "'" + s.replace("'", "''") + "'"


def statements():
    m = Maker(int(os.environ.get("PAMIR_XML_SEED", "1")))
    spaces = "array[array['p', 'urn:p']]"
    for n in range(int(os.environ.get("PAMIR_XML_COUNT", "400"))):
        document = quoted(m.document())
        k = n % 10
        if k < 6:
            expression = m.path(2) if m.chance(0.6) else m.value(2)
            yield f"select xpath({quoted(expression)}, {document}, {spaces})"
        elif k == 6:
            yield f"select xpath_exists({quoted(m.path(2))}, {document}, {spaces})"
        elif k == 7:
            yield (
                f"select * from xmltable(xmlnamespaces('urn:p' as p), {quoted(m.path(1))} passing {document}::xml "
                f"columns n for ordinality, t text path {quoted(m.step(1))}, x xml path {quoted(m.path(1))}, v text path {quoted(m.value(1))} default 'none')"
            )
        elif k == 8:
            yield f"select {document}::xml, xmlserialize(content {document}::xml as text), {document}::xml is document, xmlelement(name e, xmlattributes({quoted(m.one(TEXTS))} as q), {document}::xml, {quoted(m.one(TEXTS))})"
        else:
            broken = m.document()
            at = int(m.r.random() * len(broken))
            broken = broken[:at] + m.one(["<", "&", ">", "", '"', "</a>", " "]) + broken[at + 1 :]
            yield f"select xmlparse(document {quoted(broken)})"
