import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
import traceback
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get('MALIPO_WEBHOOK_SECRET', 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==')
KEY = base64.b64decode(SECRET.removeprefix('whsec_'))
TOLERANCE_SECONDS = 300
BODY_BYTES_MAX = 65536

# In production a unique index in your database, written together with what you book.
handled = set()
one_at_a_time = threading.Lock()


def is_genuine(headers, body):
    message_id, timestamp = headers.get('webhook-id', ''), headers.get('webhook-timestamp', '')
    if not re.fullmatch(r'[0-9]{10}', timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f'{message_id}.{timestamp}.'.encode() + body
    expected = 'v1,' + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    return any(hmac.compare_digest(expected.encode(), given.encode()) for given in headers.get('webhook-signature', '').split())


def book(payload):
    if 'transaction_type' not in payload:
        return  # The end of a batch: each of its payouts reports itself.
    total = payload['total_credit'] if payload['transaction_type'] == 'COLLECTION' else payload['total_debit']
    print(payload['merchant_reference'], payload['transaction_status'], total, payload['transaction_currency'], flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get('content-length', '0'))
        body = self.rfile.read(min(length, BODY_BYTES_MAX))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        try:
            with one_at_a_time:
                if self.headers['webhook-id'] not in handled:
                    book(json.loads(body, parse_float=Decimal)['payload'])
                    # Only now: what could not be booked must come again.
                    handled.add(self.headers['webhook-id'])
        except Exception:
            traceback.print_exc()
            return self.answer(500)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(('127.0.0.1', 3000), Receiver).serve_forever()
