# Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is expected twice.
order="ORDER-$(date +%s)"
curl --fail-with-body \
  http://127.0.0.1:8080/collections/expect \
  -H 'public-key: pub_sandbox_demo' \
  -H 'secret-key: sec_sandbox_demo' \
  -H 'x-api-version: 1' \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $order" \
  -d @- <<JSON
{
  "merchant_reference": "$order",
  "amount": 5000,
  "provider_code": "mtn_ug",
  "customer_reference": "auto",
  "currency": "UGX",
  "description": "Invoice 2026-1"
}
JSON
