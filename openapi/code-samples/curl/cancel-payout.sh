curl --fail-with-body \
  http://127.0.0.1:8080/payout/cancel \
  -H 'public-key: pub_sandbox_demo' \
  -H 'secret-key: sec_sandbox_demo' \
  -H 'x-api-version: 1' \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: cancel-PAYOUT-2026-0001' \
  -d '{ "merchant_reference": "PAYOUT-2026-0001" }'
