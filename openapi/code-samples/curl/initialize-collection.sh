# Use one key per order: when no reply arrives, send the same again, and nobody pays twice.
curl --fail-with-body http://127.0.0.1:8080/collections/initialize \
  -H 'public-key: pub_sandbox_demo' \
  -H 'x-api-version: 1' \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: order-2026-0001' \
  -d '{
    "transaction_method": "MOBILE_MONEY",
    "provider_code": "mtn_ug",
    "merchant_reference": "ORDER-2026-0001",
    "msisdn": "256772000123",
    "currency": "UGX",
    "amount": 5000,
    "description": "Order 2026-0001"
  }'
