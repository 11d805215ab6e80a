# Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody pays twice.
order="ORDER-$(date +%s)"
curl --fail-with-body \
  http://127.0.0.1:8080/collections/initialize \
  -H 'public-key: pub_sandbox_demo' \
  -H 'x-api-version: 1' \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $order" \
  -d @- <<JSON
{
  "transaction_method": "MOBILE_MONEY",
  "provider_code": "mtn_ug",
  "merchant_reference": "$order",
  "msisdn": "256772000123",
  "currency": "UGX",
  "amount": 5000,
  "description": "Order 2026-0001"
}
JSON
