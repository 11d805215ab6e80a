import json
import urllib.request
from decimal import Decimal

request = urllib.request.Request(
    'http://127.0.0.1:8080/data/wallet-balances?currency=UGX',
    headers={'public-key': 'pub_sandbox_demo', 'secret-key': 'sec_sandbox_demo', 'x-api-version': '1'},
)
with urllib.request.urlopen(request, timeout=30) as reply:
    data = json.load(reply, parse_float=Decimal)['data']
for wallet in data['merchant_wallets']:
    print(wallet['wallet_type'], wallet['available_balance'], wallet['currency'])
