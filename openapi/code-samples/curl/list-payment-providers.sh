curl --fail-with-body 'http://127.0.0.1:8080/data/payment-providers?currency=UGX&transaction_type=COLLECTION' \
  -H 'public-key: pub_sandbox_demo' \
  -H 'x-api-version: 1'
