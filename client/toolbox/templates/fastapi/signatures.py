"""Whether a message is Malipo's. Bytes are verified as they came, before anything reads them."""

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Mapping

from . import settings

TOLERANCE_SECONDS = 300
WEBHOOK_KEY = base64.b64decode(settings.WEBHOOK_SECRET.removeprefix('whsec_'))


def is_genuine(headers: Mapping[str, str], body: bytes) -> bool:
    """Callbacks and handshakes (Standard Webhooks): id, time and body under one of the signatures."""
    message_id, timestamp = headers.get('webhook-id', ''), headers.get('webhook-timestamp', '')
    if not re.fullmatch('[0-9]{10}', timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f'{message_id}.{timestamp}.'.encode() + body
    expected = b'v1,' + base64.b64encode(hmac.digest(WEBHOOK_KEY, signed, hashlib.sha256))
    # While a secret is being changed there are two.
    given = headers.get('webhook-signature', '').split(' ')
    return any(hmac.compare_digest(expected, one.encode()) for one in given)


SIGNED_IN_REDIRECT = ('event', 'merchant_reference', 'internal_reference', 'transaction_type', 'transaction_status')


def is_genuine_redirect(query: Mapping[str, str]) -> bool:
    """The address that a customer brings back. Neither amount nor time is signed: it chooses a page, no more."""
    text = ':'.join(query.get(name, '') for name in SIGNED_IN_REDIRECT)
    expected = hmac.new(settings.SIGNING_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
    given = re.fullmatch('t=[0-9]+,s=([0-9a-f]{64})', query.get('hmac_signature', ''))
    return given is not None and hmac.compare_digest(expected, given[1])
