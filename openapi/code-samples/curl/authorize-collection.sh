# The internal reference is in the reply to your collection. In the sandbox, numbers that end in 005 ask for the password 123456.
curl --fail-with-body \
  http://127.0.0.1:8080/collections/authorize \
  -H 'public-key: pub_sandbox_demo' \
  -H 'x-api-version: 1' \
  -H 'Content-Type: application/json' \
  -d '{
    "internal_reference": "MLPSVQSA9PFZYCMK46KMQQBKS",
    "otp": 123456
  }'
