"""Which tables a statement locks, and which it reads beside them.

After a wait for a lock PostgreSQL reads the locked row again, and only that one: what the statement has
joined to it is as old as its snapshot. So a statement that locks rows reads no table that it does not
lock; what else is needed is read by a statement of its own when all locks are held.
"""

import re

TOKEN = re.compile(r"--[^\n]*|'(?:[^']|'')*'|[A-Za-z_][\w.]*|[(),;]|\S")
ENDS_OF_FROM = {"WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FOR", "RETURNING", "SET",
                "SELECT", "VALUES"}
VERBS = {"SELECT", "UPDATE", "DELETE", "INSERT"}

# Statement and table -> why what it reads there cannot be old.
DEFINITIONS = "definitions never change, and go only with a workspace in which nothing is open"
EXCEPTIONS = {
    ("load_instances", "definition"): DEFINITIONS,
    ("load_free_instances", "definition"): DEFINITIONS,
    ("lock_executions", "instance"): "locked by load_instances before, and what is read never changes",
}


def tokens_of(text):
    """Words, and lists of them for what stands in parentheses. Comments and texts are left out."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token.startswith(("--", "'")) or token == ";":
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(token)
    return stack[0]


def upper(token):
    return token.upper() if isinstance(token, str) else ""


class Block:
    """One SELECT, UPDATE, DELETE or INSERT without those inside it."""

    def __init__(self, tokens, tables_of_ctes):
        self.words = tokens
        self.ctes = tables_of_ctes  # Name -> the blocks behind it.
        self.verb = next((upper(token) for token in tokens if upper(token) in VERBS), "")
        self.aliases = {}  # In its FROM, by alias.
        self.sources = []  # CTEs that it reads.
        self.inner = [block for token in tokens if isinstance(token, list)
                      for block in blocks_of(token, self.ctes)]
        self.read_from()

    def read_from(self):
        """Tables come after FROM, JOIN, USING, INTO, UPDATE, and after commas among them."""
        is_open = False
        for place, token in enumerate(self.words):
            word = upper(token)
            is_update = word == "UPDATE" and self.verb == "UPDATE"
            is_first = word in ("FROM", "JOIN", "USING", "INTO") or is_update
            is_open = (is_open or is_first) and word not in ENDS_OF_FROM
            if is_first or (is_open and token == ","):
                self.add_table(place + 1)

    def add_table(self, place):
        name = self.words[place] if place < len(self.words) else ""
        if upper(name) == "LATERAL":
            return
        following = self.words[place + 1] if place + 1 < len(self.words) else ""
        is_call = isinstance(following, list) and upper(self.words[place - 1]) != "INTO"
        if not isinstance(name, str) or not re.match(r"[A-Za-z_]", name) or is_call:
            return
        if name in self.ctes:
            self.sources.append(name)
            return
        alias = self.words[place + 2] if upper(following) == "AS" else name
        self.aliases[alias] = name

    def lock_clause(self):
        """What follows FOR UPDATE and its like: the names that are locked, or None."""
        for place, token in enumerate(self.words):
            following = [upper(word) for word in self.words[place + 1 : place + 4]]
            is_lock = upper(token) == "FOR" and (
                following[:1] in (["UPDATE"], ["SHARE"])
                or following[:2] == ["KEY", "SHARE"]
                or following[:3] == ["NO", "KEY", "UPDATE"]
            )
            if not is_lock:
                continue
            rest = self.words[place + 1 :]
            if "OF" not in [upper(word) for word in rest]:
                return list(self.aliases)
            start = next(i for i, word in enumerate(rest) if upper(word) == "OF")
            names = [word for word in rest[start + 1 :] if isinstance(word, str) and word != ","]
            return [name for name in names if name in self.aliases]
        return None

    def locked(self):
        """The tables that it locks; empty when it only reads."""
        if self.verb == "SELECT":
            names = self.lock_clause()
            return {self.aliases[name] for name in names} if names is not None else set()
        words = list(map(upper, self.words))
        if self.verb == "INSERT" and not ("CONFLICT" in words and "UPDATE" in words):
            return set()
        return set(list(self.aliases.values())[:1])  # Its target.

    def is_locked_before(self):
        """Whether the rows of its target come out of a locking SELECT."""
        behind = [block for name in self.sources for block in self.ctes[name]]
        return self.verb in ("UPDATE", "DELETE") and any(
            block.has_lock() for block in [*self.inner, *behind]
        )

    def waits(self):
        """Whether it may wait for a lock, and then tell of a snapshot that is long past."""
        words = {upper(word) for word in self.words if isinstance(word, str)}
        return self.lock_clause() is not None and not words & {"SKIP", "NOWAIT"}

    def has_lock(self):
        behind = [block for name in self.sources for block in self.ctes[name]]
        is_locking = self.verb == "SELECT" and self.lock_clause() is not None
        return is_locking or any(block.has_lock() for block in [*self.inner, *behind])

    def tables_read(self):
        """All tables, but those of blocks that lock their own."""
        tables = set(self.aliases.values())
        behind = [block for name in self.sources for block in self.ctes[name]]
        for block in [*self.inner, *behind]:
            if not (block.verb == "SELECT" and block.lock_clause() is not None):
                tables |= block.tables_read()
        return tables


def blocks_of(tokens, ctes):
    """The blocks of a statement or of a part in parentheses, those inside them left to them."""
    ctes = dict(ctes)
    rest = tokens
    if tokens and upper(tokens[0]) == "WITH":
        place = 1
        while True:
            place += 1 if upper(tokens[place]) == "RECURSIVE" else 0
            name = tokens[place]
            while not (isinstance(tokens[place], list) and upper(tokens[place - 1]) in
                       ("AS", "MATERIALIZED")):
                place += 1
            ctes[name] = []  # It may name itself.
            ctes[name] = blocks_of(tokens[place], ctes)
            place += 1
            if place >= len(tokens) or tokens[place] != ",":
                break
            place += 1
        rest = tokens[place:]
    parts, start = [], 0
    for place, token in enumerate(rest):
        if upper(token) in ("UNION", "EXCEPT", "INTERSECT"):
            parts.append(rest[start:place])
            start = place + 1
    parts.append(rest[start:])
    here = [Block(part, ctes) for part in parts]
    here = [block for block in here if block.verb or block.inner]
    return here + [block for name, made in ctes.items() if name in _names(tokens) for block in made]


def _names(tokens):
    return {tokens[i - 1] for i, token in enumerate(tokens) if upper(token) == "AS" and i > 0
            and isinstance(tokens[i - 1], str)}


def all_blocks(blocks):
    for block in blocks:
        yield block
        yield from all_blocks(block.inner)


def problems_of(name, text):
    """Yields a sentence when a table is read beside a lock and not locked."""
    found = set()
    blocks = list(all_blocks(blocks_of(tokens_of(text), {})))
    for block in blocks:
        locked = block.locked()
        if not locked or block.is_locked_before():
            continue
        for table in block.tables_read() - locked:
            if (name, table) not in EXCEPTIONS:
                found.add(f"locks {', '.join(sorted(locked))} and reads {table} beside it")
    if any(block.waits() for block in blocks) or "pg_advisory" in text:
        locked = set().union(*(block.locked() for block in blocks))
        for table in set().union(*(block.tables_read() for block in blocks)) - locked:
            if (name, table) not in EXCEPTIONS:
                found.add(f"waits for a lock and reads {table} beside it")
    yield from sorted(found)[:1]
