"""Loaded by Schemathesis: makes two runs with one seed send the same bytes, and keeps once-only values fresh."""

import json
import os
import re

import schemathesis
from schemathesis import generation

SEED = int(os.environ["SCHEMATHESIS_RUNNER_SEED"])
RULES = [
    (rule["in"], rule["name"], re.compile(rule["pattern"]))
    for rule in json.loads(os.environ["SCHEMATHESIS_RUNNER_FRESH"])
]

# The id of a test case travels in a header; without a seed it is the only thing that differs between two runs.
generation.RANDOM.seed(SEED)
sent = 0


def freshened(pattern, value):
    match = pattern.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value  # Not a valid value: it was made to be refused, and stays as it is.
    start, end = match.span("fresh")
    counter = str(sent).zfill(end - start)
    return value[:start] + counter[len(counter) - (end - start) :] + value[end:]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Just before sending, so that the counter follows the order of the requests and not the order of their making."""
    global sent
    sent += 1
    done = set()
    for place, name, pattern in RULES:
        holder = case.headers if place == "header" else case.body
        if (place, name) in done or not hasattr(holder, "keys") or name not in holder:
            continue
        value = freshened(pattern, holder[name])
        if value != holder[name]:
            holder[name] = value
            done.add((place, name))
