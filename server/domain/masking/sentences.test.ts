import { expect, test } from 'vitest'
import { maskText } from './mask-text.ts'

const masked = (text: string): string => maskText(text, 4_096)

test.each([
  ['OTP (482913)', 'OTP (***)'],
  ["OTP '482913' is wrong", "OTP '***' is wrong"],
  ['the OTP "482913" is wrong', 'the OTP "***" is wrong'],
  ['OTP 48 29 13', 'OTP ***'],
  ['OTP — 482-913', 'OTP — ***'],
  ['482 913 is your OTP', '*** is your OTP'],
  ['invalid pin [1234]', 'invalid pin [***]'],
  ['The OTP you entered (482913) is wrong', 'The OTP you entered (***) is wrong'],
  ['OTP sent to +256772000123: 482913', 'OTP sent to +*********123: ***'],
  ['OTP for 0772 000 123 is 482913', 'OTP for **** *** 123 is ***'],
  ['OTP is A1B2C3', 'OTP is ***'],
  ['OTP<b>482913</b>', 'OTP<b>***</b>'],
  ['Your code is 482913', 'Your code is ***'],
  ['Use 482913 to verify', 'Use *** to verify'],
  ['PIN yako ni 1234', 'PIN yako ni ***'],
  ['neno la siri ni 1234', 'neno la siri ni ***'],
  ['votre code secret est 1234', 'votre code secret est ***'],
  ['mot de passe: 1234', 'mot de passe: ***'],
  ['o seu código é 482913', 'o seu código é ***'],
])('masks the OTP in %j', (text, expected) => expect(masked(text)).toBe(expected))

test.each([
  ['wrong password hunter2 for jane', 'wrong password *** for jane'],
  ['Password (hunter2)', 'Password (***)'],
  ['Invalid API Key: sk_test_word', 'Invalid API Key: ***'],
  ['api key f1db798c98', 'api key ***'],
  ['Bearer abcdef123', 'Bearer ***'],
  ['token - c9SQxWWhmdVRlyh0', 'token - ***'],
  ['connect to postgres://malipo:hunter@db:5432/malipo', 'connect to postgres://***@db:5432/malipo'],
  ['redis://:hunter@cache', 'redis://***@cache'],
  ['X=1\nDATABASE_URL=mysql://a:b@h/d\nDB_PASS=hunter', 'X=1\nDATABASE_URL=mysql://***@h/d\nDB_PASS=***'],
  ['x MTc0Mzc5/cGFzc2tleTIwMjYxMTI2MTgz/NzE3aGVsbG8/d29ybGQr== y', 'x *** y'],
])('masks the secret in %j', (text, expected) => expect(masked(text)).toBe(expected))

test.each([
  'Wrong PIN. 404 Not Found',
  'Invalid OTP. 3 attempts left',
  'The PIN must have 4 digits, and the OTP is valid for 300 seconds',
  'password authentication failed for user "malipo"',
  'The password must be at least 8 characters',
  'Unexpected token < in JSON at position 1234567',
  'token expired at 18:37:17',
  'Undefined array key: foo, duplicate key value violates unique constraint "x_pkey"',
  'the error code is 5001 and the status code is 404',
  'Enter PIN to confirm payment of KES 5000',
  'Use 5000 KES to pay',
  'WWW-Authenticate: Bearer realm="x"',
  'traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  'at /collection/v1/accountHolder/msisdn/active/somethingLong/andMore2/index.js:12345:67',
  'see https://pay.example/a?to=amina@shop.example',
])('keeps what is no secret: %s', (text) => expect(masked(text)).toBe(text))
