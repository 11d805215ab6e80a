"""What the shop asks Malipo for."""

import asyncio
import json
import urllib.error
import urllib.request

from . import settings

TIMEOUT_SECONDS = 10


class Refused(Exception):
    """Malipo answered with an error, or not at all. `status`: 0 when no answer came."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


def ask(path: str, body: dict | None = None, idempotency_key: str | None = None) -> dict:
    headers = {'public-key': settings.PUBLIC_KEY, 'x-api-version': '1', 'content-type': 'application/json'}
    if path.startswith(('/payout/', '/data/events')):
        headers['secret-key'] = settings.SECRET_KEY
    if idempotency_key is not None:
        headers['idempotency-key'] = idempotency_key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(settings.MALIPO_URL + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as reply:
            return json.load(reply)['data']
    except urllib.error.HTTPError as refusal:
        try:
            message = json.load(refusal)['message']
        except (ValueError, KeyError):
            message = f'Malipo answered {refusal.code}'
        raise Refused(refusal.code, message) from None
    except (OSError, ValueError) as fault:
        raise Refused(0, str(fault)) from fault


async def call(path: str, body: dict | None = None, idempotency_key: str | None = None) -> dict:
    """Beside the other requests, which go on meanwhile."""
    return await asyncio.to_thread(ask, path, body, idempotency_key)
