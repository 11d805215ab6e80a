"""Loaded by Schemathesis: makes two runs with one seed send the same bytes, keeps once-only values fresh, and asks the
runner about each request where it has hooks of its own."""

import base64
import http.client
import json
import os
import re

import schemathesis
from schemathesis import generation

SEED = int(os.environ["SCHEMATHESIS_RUNNER_SEED"])
RULES = [
    (rule["in"], rule["name"], re.compile(rule["pattern"]), rule.get("start", 0))
    for rule in json.loads(os.environ["SCHEMATHESIS_RUNNER_FRESH"])
]

BRIDGE = os.environ.get("SCHEMATHESIS_RUNNER_BRIDGE")
BRIDGE_SECONDS_MAX = 120

# The id of a test case travels in a header; without a seed it is the only thing that differs between two runs.
generation.RANDOM.seed(SEED)
sent = 0


@schemathesis.deserializer("text/csv")
def as_text(context, response):
    """A file is one text: its schema says what it may contain."""
    return response.content.decode("utf-8")


ROWS_MAX = 10_000


def freshened(pattern, start_at, value, row):
    match = pattern.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value  # Not a valid value: it was made to be refused, and stays as it is.
    start, end = match.span("fresh")
    counter = str(start_at + sent + row * ROWS_MAX).zfill(end - start)
    return value[:start] + counter[len(counter) - (end - start) :] + value[end:]


def passed_on(request):
    """What the runner makes of a request that is ready to be sent: other keys, more headers."""
    port, secret = BRIDGE.split(":")
    body = request.body.encode() if isinstance(request.body, str) else request.body
    headers = request.headers.items()
    asked = {
        "method": request.method,
        "url": request.url,
        "headers": {name: text if isinstance(text, str) else text.decode("latin-1") for name, text in headers},
        "body": base64.b64encode(body).decode() if isinstance(body, bytes) else None,
    }
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=BRIDGE_SECONDS_MAX)
    try:
        connection.request("POST", "/", json.dumps(asked), {"Authorization": "Bearer " + secret})
        response = connection.getresponse()
        text = response.read()
    finally:
        connection.close()
    if response.status != 200:
        raise RuntimeError("a hook of the runner failed")
    answer = json.loads(text)
    request.url = answer["url"]
    for name, value in answer["headers"].items():
        if value != asked["headers"].get(name):
            request.headers[name] = value
    return request


def freshen(holder, place, row):
    done = set()
    for of, name, pattern, start_at in RULES:
        if of != place or name in done or not hasattr(holder, "keys") or name not in holder:
            continue
        value = freshened(pattern, start_at, holder[name], row)
        if value != holder[name]:
            holder[name] = value
            done.add(name)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Just before sending, so that the counter follows the order of the requests and not the order of their making."""
    global sent
    sent += 1
    freshen(case.headers, "header", 0)
    freshen(case.body, "body", 0)
    lists = case.body.values() if hasattr(case.body, "values") else []
    rows = [row for each in lists if isinstance(each, list) for row in each]
    for at, row in enumerate(rows):
        freshen(row, "body", at + 1)
    if BRIDGE is not None:
        kwargs["auth"] = passed_on
