"""Times as the API writes them."""

import datetime


def instant(text):
    return datetime.datetime.fromisoformat(text)
