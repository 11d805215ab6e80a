curl --get --fail-with-body \
  http://127.0.0.1:8080/data/payment-providers \
  -d currency=UGX \
  -d transaction_type=COLLECTION \
  -H 'public-key: pub_sandbox_demo' \
  -H 'x-api-version: 1'
