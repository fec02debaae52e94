#!/usr/bin/env python3
"""Handles one job: the job on standard input, new variables on standard output."""
import json
import sys

CARD_LIMIT = 5000
NOT_RETRYABLE = 100

job = json.load(sys.stdin)
total = job["variables"]["total"]
if total > CARD_LIMIT:
    print(f"the card is good for {CARD_LIMIT}, not for {total}", file=sys.stderr)
    sys.exit(NOT_RETRYABLE)
print(json.dumps({"paymentId": f"pay_{job['id'].lower()}", "charged": total}))
