import json
import sys
import time
import urllib.error
import urllib.request

# Your own references, stored before you ask: sent again, the same batch pays nobody twice.
batch_reference = f'SALARIES-{time.time_ns()}'
request = urllib.request.Request(
    'http://127.0.0.1:8080/payout/batches',
    headers={
        'public-key': 'pub_sandbox_demo',
        'secret-key': 'sec_sandbox_demo',
        'x-api-version': '1',
        'Content-Type': 'application/json',
        'Idempotency-Key': batch_reference,
    },
    data=json.dumps({
        'batch_reference': batch_reference,
        'payouts': [{
            'transaction_method': 'MOBILE_MONEY',
            'provider_code': 'mtn_ug',
            'merchant_reference': f'{batch_reference}-1',
            'account_number': '256772000123',
            'customer_name': 'Grace Auma',
            'currency': 'UGX',
            'amount': 20000,
            'description': 'Salary of March',
        }],
    }).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as reply:
        print('accepted, not yet paid:', json.load(reply)['data']['batch_reference'])
except urllib.error.HTTPError as refusal:
    sys.exit(json.load(refusal)['message'])
except OSError as failure:
    sys.exit(f'No reply: {failure}')
