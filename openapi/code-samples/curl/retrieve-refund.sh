curl --fail-with-body \
  http://127.0.0.1:8080/collections/refund/REFUND-2026-0001 \
  -H 'public-key: pub_sandbox_demo' \
  -H 'secret-key: sec_sandbox_demo' \
  -H 'x-api-version: 1'
