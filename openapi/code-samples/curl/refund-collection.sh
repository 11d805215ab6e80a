# Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is refunded twice.
refund="REFUND-$(date +%s)"
curl --fail-with-body \
  http://127.0.0.1:8080/collections/refund \
  -H 'public-key: pub_sandbox_demo' \
  -H 'secret-key: sec_sandbox_demo' \
  -H 'x-api-version: 1' \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $refund" \
  -d @- <<JSON
{
  "merchant_reference": "$refund",
  "amount": 2000,
  "collection_reference": "ORDER-2026-0001",
  "reason": "One of two items returned"
}
JSON
