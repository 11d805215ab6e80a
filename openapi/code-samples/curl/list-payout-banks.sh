curl --get --fail-with-body \
  http://127.0.0.1:8080/data/payout-bank-codes \
  -d provider_code=bank_ng \
  -H 'public-key: pub_sandbox_demo' \
  -H 'x-api-version: 1'
