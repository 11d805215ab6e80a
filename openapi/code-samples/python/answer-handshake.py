import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SECRET = os.environ.get('MALIPO_WEBHOOK_SECRET', 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==')
# Not answered with 404, which would reject your payouts for good.
if not SECRET.startswith('whsec_'):
    raise SystemExit('MALIPO_WEBHOOK_SECRET must begin with whsec_')
KEY = base64.b64decode(SECRET.removeprefix('whsec_'))
TOLERANCE_SECONDS = 300

# Your own records: write a reference here before you send its payout.
sent_payouts = {'PAYOUT-2026-0001'}
# Batches with the number of their payouts, where one handshake per batch is switched on.
sent_batches = {'SALARIES-2026-03': 2}


def is_genuine(headers, body=b''):
    message_id, timestamp = headers.get('webhook-id', ''), headers.get('webhook-timestamp', '')
    if not re.fullmatch(r'[0-9]{10}', timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    # The handshake of a single payout has no body: nothing follows the second full stop.
    expected = 'v1,' + base64.b64encode(hmac.digest(KEY, f'{message_id}.{timestamp}.'.encode() + body, hashlib.sha256)).decode()
    return any(hmac.compare_digest(expected.encode(), given.encode()) for given in headers.get('webhook-signature', '').split())


class Receiver(BaseHTTPRequestHandler):
    def do_GET(self):
        references = parse_qs(urlsplit(self.path).query).get('reference', [])
        # The signature does not cover the reference: only your own records can say yes.
        is_ours = is_genuine(self.headers) and len(references) == 1 and references[0] in sent_payouts
        self.answer(references, is_ours)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('content-length', 0)))
        is_ours = False
        if is_genuine(self.headers, body):
            batch = json.loads(body)['payload']
            is_ours = sent_batches.get(batch['batch_reference']) == batch['payouts']
        self.answer('batch', is_ours)

    def answer(self, about, is_ours):
        print(about, 'yes' if is_ours else 'no', flush=True)
        self.send_response(200 if is_ours else 404)
        self.end_headers()


ThreadingHTTPServer(('127.0.0.1', 3000), Receiver).serve_forever()
