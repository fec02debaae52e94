"""What a soak has done and seen."""

import collections


class Tally:
    def __init__(self, seed):
        self.seed = seed
        self.strikes = collections.Counter()  # By fault.
        self.starts = 0
        self.completions = 0
        self.violations = []
        self.failures = []  # What else was not as it should be, as text.

    def add_round(self, load, violations):
        self.starts += len(load.starts)
        self.completions += len(load.completions)
        self.violations += violations

    def is_good(self):
        """Without a strike or an answer nothing was shown."""
        is_shown = self.strikes and self.starts and self.completions
        return bool(is_shown) and not self.violations and not self.failures

    def line(self):
        counts = {**dict(sorted(self.strikes.items())), "starts": self.starts,
                  "completions": self.completions, "violations": len(self.violations), "failures": len(self.failures)}
        fields = " ".join(f"{name}={count}" for name, count in counts.items())
        return f"soak: {'good' if self.is_good() else 'BAD'} seed={self.seed} {fields}"
