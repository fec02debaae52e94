#!/usr/bin/env python3
"""Checks that the documents name only what exists, and that their tables are those of the code."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

FOLDERS = "src|tests|tools|docs|samples|sdk|cmake|bench|fuzz|deploy"

LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)")
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# A path below the root, as the prose and the comments write it. A brace list stands for several.
PATH = re.compile(rf"(?<![\w/.{{}}-])(?:{FOLDERS})/[\w./{{}},*-]*[\w/}}*]")
BRACES = re.compile(r"\{([^{}]*)\}")
REFERENCE = re.compile(r"\bdocs/[\w/.-]*\w")


def documents():
    yield from sorted(ROOT.glob("*.md"))
    for folder in ("docs", "deploy"):
        yield from sorted((ROOT / folder).rglob("*.md"))


def sources():
    for top in ("src", "sdk", "tests"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".hpp", ".cpp") or path.name == "CMakeLists.txt":
                yield path


def expanded(path):
    """src/{a,b}.cpp is two paths."""
    braces = BRACES.search(path)
    if not braces:
        return [path]
    before, after = path[: braces.start()], path[braces.end() :]
    return [each for part in braces[1].split(",") for each in expanded(before + part + after)]


def exists(path):
    """Also for patterns, and for pages named by their number: docs/adr/0001."""
    pattern = path.rstrip("/")
    if "*" in pattern:
        return any(ROOT.glob(pattern))
    if re.search(r"docs/adr/\d{4}$", pattern):
        pattern += "-*.md"
        return any(ROOT.glob(pattern))
    return (ROOT / pattern).exists()


def broken_links(document, text):
    for target in LINK.findall(CODE_BLOCK.sub("", text)):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            continue
        path = target.split("#")[0]
        if not (document.parent / path).exists():
            yield target


def missing_paths(text):
    for name in PATH.findall(text):
        yield from (each for each in expanded(name) if not exists(each))


class LinksTest(unittest.TestCase):
    def test_every_relative_link_leads_somewhere(self):
        for document in documents():
            with self.subTest(document=document.relative_to(ROOT)):
                text = document.read_text(encoding="utf-8")
                self.assertEqual(list(broken_links(document, text)), [])

    def test_every_path_in_a_document_exists(self):
        for document in documents():
            with self.subTest(document=document.relative_to(ROOT)):
                self.assertEqual(list(missing_paths(document.read_text(encoding="utf-8"))), [])

    def test_every_page_that_code_refers_to_exists(self):
        for source in sources():
            with self.subTest(source=source.relative_to(ROOT)):
                names = REFERENCE.findall(source.read_text(encoding="utf-8"))
                self.assertEqual([name for name in names if not exists(name)], [])


class TableOfLayersTest(unittest.TestCase):
    def test_the_architecture_has_the_table_that_tidy_enforces(self):
        import tidy

        rows = re.findall(
            r"^\| `([^|]+)` \|[^|]*\| ([^|]+) \|$",
            (ROOT / "docs/architecture.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        table = {}
        for folders, uses in rows:
            for folder in folders.split("`, `"):
                table[folder] = set(re.findall(r"`([^`]+)`", uses))
        built = {
            folder: set(uses)
            for folder, uses in tidy.LAYERS.items()
            if (ROOT / "src" / folder / "CMakeLists.txt").exists()
        }
        planned = tidy.LAYERS.keys() - built.keys()
        self.assertEqual(table, {folder: uses - planned for folder, uses in built.items()})


class LimitsTest(unittest.TestCase):
    def test_every_limit_stands_on_its_page_and_no_other(self):
        header = (ROOT / "src/core/limits.hpp").read_text(encoding="utf-8")
        page = (ROOT / "docs/reference/limits.md").read_text(encoding="utf-8")
        declared = re.findall(r"^inline constexpr [\w:]+ (k\w+) =", header, re.MULTILINE)
        self.assertGreater(len(declared), 30)
        self.assertCountEqual(re.findall(r"`(k[A-Z]\w+)`", page), declared)


class RoutesTest(unittest.TestCase):
    def test_every_route_stands_on_its_page_and_no_other(self):
        table = (ROOT / "src/api/rest/routes.cpp").read_text(encoding="utf-8")
        page = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8")
        served = re.findall(r'router\.add\("(\w+)", "([^"]+)"', table)
        self.assertGreater(len(served), 15)
        listed = re.findall(r"^\| \[`(\w+) ([^`]+)`\]", page, re.MULTILINE)
        self.assertCountEqual(listed, served)


class FailureModesTest(unittest.TestCase):
    """The page names the test that proves what it says of a fault."""

    TEST = re.compile(r"^class (\w+Test)\b|^    def (test_\w+)", re.MULTILINE)

    def cases_of(self, *scripts):
        """Names of cases, and of their tests alone and after their case."""
        names = set()
        for script in scripts:
            case = ""
            for found in self.TEST.finditer(script.read_text(encoding="utf-8")):
                case = found[1] or case
                names |= {found[1]} if found[1] else {found[2], f"{case}.{found[2]}"}
        return names

    def named(self):
        page = (ROOT / "docs/failure_modes.md").read_text(encoding="utf-8")
        return set(re.findall(r"`(\w+Test(?:\.test_\w+)?|test_\w+)`", page))

    def test_every_test_that_the_page_names_exists(self):
        known = self.cases_of(*(ROOT / "tests/e2e").glob("*_test.py"))
        self.assertGreater(len(self.named()), 10)
        self.assertLessEqual(self.named(), known)

    def test_every_fault_that_is_tested_stands_on_the_page(self):
        tested = self.cases_of(ROOT / "tests/e2e/faults_test.py")
        self.assertLessEqual({each for each in tested if "." in each}, self.named())


class LivesTest(unittest.TestCase):
    """The pages that follow a job and an execution name functions, statements and tests that exist."""

    PAGES = ("docs/life_of_a_job.md", "docs/life_of_an_execution.md")
    # In code marks: a_name, AName or Class::member, and Suite.Test. Plain words are not names.
    NAME = re.compile(r"(?:\w+::)?(?:[A-Za-z]\w*_\w+|(?:[A-Z][a-z0-9]+){2,}|(?<=::)\w+)_?")
    TEST = re.compile(r"([A-Z]\w+)\.(\w+)")
    CASE = re.compile(r"^(?:TEST|TEST_F|TEST_P)\((\w+),\s*(\w+)\)", re.MULTILINE)

    @classmethod
    def setUpClass(cls):
        texts = [path.read_text(encoding="utf-8") for path in sources()]
        scripts = sorted((ROOT / "tests/e2e").glob("*.py"))
        cls.tests = {".".join(case) for text in texts for case in cls.CASE.findall(text)}
        cls.tests |= FailureModesTest().cases_of(*scripts)
        texts += [path.read_text(encoding="utf-8") for path in scripts]
        texts += [path.read_text(encoding="utf-8") for path in (ROOT / "src/store").rglob("*.sql")]
        cls.words = {word for text in texts for word in re.findall(r"\w+", text)}
        cls.statements = {path.name for path in (ROOT / "src/store").rglob("*.sql")}

    def unknown(self, text):
        for marked in re.findall(r"`([^`\n]+)`", CODE_BLOCK.sub("", text)):
            if marked.endswith(".sql") and "/" not in marked:
                is_known = marked in self.statements
            elif self.TEST.fullmatch(marked):
                is_known = marked in self.tests
            elif self.NAME.fullmatch(marked):
                is_known = set(marked.split("::")) <= self.words
            else:
                continue
            if not is_known:
                yield marked

    def test_every_name_on_the_pages_is_one_of_the_tree(self):
        for page in self.PAGES:
            with self.subTest(page=page):
                self.assertEqual(list(self.unknown((ROOT / page).read_text(encoding="utf-8"))), [])

    def test_names_of_nothing_are_found(self):
        wrong = ["no_such.sql", "Breaker.NoSuchTest", "RunStarter::no_such_member", "no_such_function",
                 "NoSuchClass"]
        right = ["lock_lines.sql", "Rank.PriorityIsWorthItsStep", "Dispatcher::hear", "quota_of",
                 "RunStarter", "SqlTest", "at_rate_", "plain", "dispatcher.mode"]
        text = " ".join(f"`{each}`" for each in wrong + right)
        self.assertEqual(list(self.unknown(text)), wrong)


class CheckersTest(unittest.TestCase):
    """Shows the checks a text that is wrong, and one that is not."""

    def test_a_path_that_does_not_exist_is_found(self):
        self.assertEqual(list(missing_paths("see `src/core/nowhere.cpp`.")), ["src/core/nowhere.cpp"])
        self.assertEqual(list(missing_paths("`src/core/{limits,nowhere}.hpp`")), ["src/core/nowhere.hpp"])
        self.assertEqual(list(missing_paths("`src/main.cpp`, build/src/nowhere, `src/*/nowhere`")),
                         ["src/*/nowhere"])

    def test_a_link_that_leads_nowhere_is_found(self):
        document = ROOT / "README.md"
        text = "[a](nowhere.md) [b](CONTRIBUTING.md#start) [c](https://example.com) [d](#here)"
        self.assertEqual(list(broken_links(document, text)), ["nowhere.md"])


if __name__ == "__main__":
    unittest.main()
