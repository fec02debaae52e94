"""The text that a server exports its metrics in, and what PromQL expressions ask of it."""

import re

TYPE = re.compile(r"^# TYPE (\w+) (\w+)$", re.MULTILINE)
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
PART = re.compile(r"_(bucket|sum|count)$")

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
BRACES = re.compile(r"\{[^{}]*\}")
RANGE = re.compile(r"\[[^\]]*\]")
GROUPING = re.compile(r"\b(by|without|on|ignoring)\s*\(([^()]*)\)")
WORD = re.compile(r"(?<![\w.])[a-zA-Z_]\w*(?!\w*\s*\()")
OPERATORS = {"and", "or", "unless", "bool", "by", "without", "on", "ignoring", "offset"}
OF_PROMETHEUS = {"up"}  # Made by whoever scrapes.


class Exposition:
    """What one scrape has shown."""

    def __init__(self, text):
        self.types = dict(TYPE.findall(text))
        self.labels = {}
        for name, labels, _ in SAMPLE.findall(text):
            family = self.family(name)
            found = self.labels.setdefault(family, {})
            for label, value in LABEL.findall(labels):
                if label != "le":
                    found.setdefault(label, set()).add(value)

    def family(self, name):
        """The metric that a series belongs to: a histogram has several."""
        whole = PART.sub("", name)
        return whole if self.types.get(whole) == "histogram" else name

    def has(self, name):
        return self.family(name) in self.types


def metrics_of(expression):
    """The names of the series in an expression, by taking away everything that is not one."""
    text = STRING.sub('""', expression)
    text = GROUPING.sub("", RANGE.sub("", BRACES.sub("", text)))
    return {word for word in WORD.findall(text) if word not in OPERATORS} - OF_PROMETHEUS


def selectors_of(expression):
    """(metric, label, operator, value) of each condition on a label."""
    for name, conditions in re.findall(r"(\w+)\{([^{}]*)\}", expression):
        for label, operator, value in re.findall(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"', conditions):
            yield name, label, operator, value


def groupings_of(expression):
    """The labels that an expression groups by."""
    for _, labels in GROUPING.findall(expression):
        yield from (label.strip() for label in labels.split(",") if label.strip())
