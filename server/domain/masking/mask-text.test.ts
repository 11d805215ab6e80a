import { expect, test } from 'vitest'
import { maskField, maskText } from './mask-text.ts'

const masked = (text: string, max = 4_096): string => maskText(text, max)
const json = (value: unknown): unknown => JSON.parse(masked(JSON.stringify(value)))

test.each([
  ['+256 772 000 123', '+*** *** *** 123'],
  ['256-772-000-123', '***-***-***-123'],
  ['256.772.000.123', '***.***.***.123'],
  ['(256) 772-000123', '(***) ***-***123'],
  ['+256 (0) 772 000 123', '+*** (*) *** *** 123'],
  ['0772\u00a0000\u00a0123', '****\u00a0***\u00a0123'],
  ['tel:+256772000123;', 'tel:+*********123;'],
  ['tel-256772000123', 'tel-*********123'],
  ['256772000123-abc', '*********123-abc'],
  ['e256772000123', 'e*********123'],
  ['256772000123 256772000124', '*********123 *********124'],
  ['256772000123.0', '*********123.0'],
  ['254708374149 - JANE DOE', '*********149 - ***'],
  ['256&nbsp;772&#160;000&nbsp;123', '*** *** *** 123'],
  ['?q=256%20772%20000%20123', '?q=*** *** *** 123'],
  ['?phone=256+772+000+123', '?phone=***+***+***+123'],
  ['256\u200b772\u00ad000\u2060123', '*********123'],
  ['2\x005\x006\x007\x007\x002\x000\x000\x000\x001\x002\x003', '*********123'],
  ['٢٥٦٧٧٢٠٠٠١٢٣', '*********١٢٣'],
  ['0772000123.00', '*******123.00'],
])('masks the phone number %s', (number, expected) => expect(masked(`no ${number} here`)).toBe(`no ${expected} here`))

test.each([
  ['4242424242424242', '*************242'],
  ['4242 4242 4242 4241', '**** **** **** *241'],
  ['4242-4242-4242-4242', '****-****-****-*242'],
  ['3782 822463 10005', '**** ****** **005'],
  ['6304000000000', '**********000'],
  ['6304000000000000000', '****************000'],
])('masks the card number %s, whatever its check digit', (number, expected) =>
  expect(masked(`card ${number}.`)).toBe(`card ${expected}.`),
)

test.each([
  'at 2026-03-01 08:00:00 and 2026-03-01T08:00:00.123Z, 01-03-2026 08:00',
  'at 20260301080000 and 20260301 080000',
  'at 1795168668456 ms, 1795168668456123 us',
  'order 3fd0c5b2-7a1e-4c0d-9b77-256772000123',
  'payment MLP0123456789012345678901A',
  'AG_20191219_00005797af5d7d75f652 and 29115-34620561-1',
  'ws_CO_191220191020363925',
  'receipt NLJ7RT61SV of 5000000000.00, UGX 1,234,567,890',
  'balance UGX 123456789 is less than 5000000000 UGX',
  'batch 20261126-001 of SHOP-20261126-77, 2026-11-26T18:37:17+03:00',
  '{"created_at":1795168668,"exp":1795168668,"total":5000000000}',
  '{"order":100000123456,"invoice_no":"202600000123","txnRef":"840000012345"}',
  '{"errors":{"msisdn":["The msisdn field is required."],"payer":["The payer field is required."]}}',
  '<b>Warning</b>: Undefined variable $x in <b>/var/www/html/a.php</b> on line <b>12</b><br />',
  '<td>Status</td><td>200</td>',
  'from 196.201.214.200, code 500.001.1001, 1037 2001',
  'shipping=fast&footprint=123&spinner=1',
  '<amount>5000000000</amount><transactionId>1234567890</transactionId>',
  '{"receipt":"123456789012","externalId":"1234567890123","timestamp":1795168668456,"cut',
  '{"name":"ValidationError","bankName":"Stanbic","pinStatus":"BLOCKED","otpRequired":true,"otp":null}',
  '{"Item":[{"Name":"Amount","Value":5000},{"Key":"Reference","Value":"12345678901"}]}',
])('keeps what support needs: %s', (text) => expect(masked(text)).toBe(text))

const SECRET_NAMES =
  'pin otp PIN userPin user_pin new-pin mPIN pinCode OTPCode smsotp cvv cvv2 accessToken client-secret'
const MORE_SECRET_NAMES =
  'Password passkey pass_code consumerKey X-API-Key credentials oneTimePassword securityCode pwd dbPass smsCode senha'
const PERSON_NAMES = 'payerName payer_name payer-name PayerName PAYER_NAME payername customerName customer_name names'
const MORE_PERSON_NAMES = 'accountHolderName fullName surname first-name ReceiverPartyPublicName name email dateOfBirth'
const names = [SECRET_NAMES, MORE_SECRET_NAMES, PERSON_NAMES, MORE_PERSON_NAMES].flatMap((list) => list.split(' '))

test.each(names)('masks the value of %s in every form', (name) => {
  const value = /[Nn]ame|NAME/.test(name) ? 'Jane Doe' : '48291'
  const forms: [string, string][] = [
    [JSON.stringify({ [name]: value, code: 7 }), JSON.stringify({ [name]: '***', code: 7 })],
    [
      JSON.stringify({ a: JSON.stringify({ [name]: value }) }),
      JSON.stringify({ a: JSON.stringify({ [name]: '***' }) }),
    ],
    [`{"${name}":"${value}","code":7,"cut`, `{"${name}":"***","code":7,"cut`],
    [`{"a":"{\\"${name}\\":\\"${value}\\"}","cut`, `{"a":"{\\"${name}\\":\\"***\\"}","cut`],
    [`${name}=${value.replace(' ', '+')}&code=7`, `${name}=***&code=7`],
    [`a[${name}]=${value.replace(' ', '%20')}&code=7`, `a[${name}]=***&code=7`],
    [`<${name}>${value}</${name}><code>7</code>`, `<${name}>***</${name}><code>7</code>`],
    [`<x:${name} a="b">${value}</x:${name}><code>7</code>`, `<x:${name} a="b">***</x:${name}><code>7</code>`],
    [`<${name}><![CDATA[${value}]]></${name}>`, `<${name}>***</${name}>`],
    [`<Key>${name}</Key><Value>${value}</Value>`, `<Key>${name}</Key><Value>***</Value>`],
    [`<field name="${name}" value="${value}"/> 7`, `<field name="${name}" value="***"/> 7`],
    [`{"Key":"${name}","Value":"${value}"},{"cut`, `{"Key":"${name}","Value":"***"},{"cut`],
    [`<${name}>\n<a>${value}</a></${name}> 7`, `<${name}>***</${name}> 7`],
    [
      `<td class="a">${name}</td>\n<td><pre>${value}</pre></td> 7`,
      `<td class="a">${name}</td>\n<td><pre>***</pre></td> 7`,
    ],
    [`<b>${name}:</b> ${value}<br> 7`, `<b>${name}:</b> ***<br> 7`],
    [`["${name}"]=>\n  string(8) "${value}" 7`, `["${name}"]=>\n  string(8) "***" 7`],
    [`data["${name}"] = "${value}" 7`, `data["${name}"] = "***" 7`],
    [`User(${name}=${value}, code=7)`, `User(${name}=***, code=7)`],
    [`form-data; name="${name}"\r\n\r\n${value}\r\n--x`, `form-data; name="${name}"\r\n\r\n***\r\n--x`],
  ]
  // A bare `name="…"` in a tag names a field, not a person.
  if (!/^names?$/.test(name)) forms.push([`<user ${name}="${value}" code="7"/>`, `<user ${name}="***" code="7"/>`])
  for (const [text, expected] of forms) expect(masked(text)).toBe(expected)
})

test('masks a whole secret or person, and the items of a list by its name', () =>
  expect(
    json({ credentials: { a: 'x' }, tokens: ['x'], customerName: { first: 'A' }, payers: ['256772000123'], n: [5] }),
  ).toEqual({ credentials: '***', tokens: '***', customerName: '***', payers: ['*********123'], n: [5] }))

test('masks digits of accounts by their names, even few digits', () =>
  expect(
    json({ transaction_account: '0772-000-123', accountNumber: '12345678', card_no: 4242424242424242, payer: '12345' }),
  ).toEqual({
    transaction_account: '****-***-123',
    accountNumber: '*****678',
    card_no: '*************242',
    payer: '**345',
  }))

test.each([
  ['customer', 'Jane Doe', '***'],
  ['payer', 'JANE DOE', '***'],
  ['accountHolder', 'Jane Doe', '***'],
  ['recipient', 'Jane Doe 256772000123', '*** *********123'],
  ['accountId', '256772000123', '*********123'],
  ['walletId', '25677 2000 123', '***** **** 123'],
  ['user_id', '0772000123', '*******123'],
  ['update', '256772000123', '*********123'],
  ['msisdn', '256%20772%20000%20123', '*** *** *** 123'],
])('masks whose account or name %s has', (name, value, expected) => {
  expect(json({ [name]: value, code: 7 })).toEqual({ [name]: expected, code: 7 })
  expect(masked(`<${name}>${value}</${name}>`)).toBe(`<${name}>${expected}</${name}>`)
})

test.each([
  ['Your OTP is 482913.', 'Your OTP is ***.'],
  ['482913 is your one-time password', '*** is your one-time password'],
  ['wrong PIN 1234, cvv: 123', 'wrong PIN ***, cvv: ***'],
  ['Customer Name: Jane Doe, PIN code: 1234; 7', 'Customer Name: ***, PIN code: ***; 7'],
  ['Phone Number: 12345 - Jane; 7', 'Phone Number: **345 - ***; 7'],
  ['Cookie: a=b; c=d\nHost: x', 'Cookie: ***\nHost: x'],
  ['https://x.example/cb?token=abc&msisdn=%2B256772000123', 'https://x.example/cb?token=***&msisdn=%2B*********123'],
  ['payload=%7B%22otp%22%3A%22123456%22%7D', 'payload=%7B%22otp%22%3A%22***%22%7D'],
  ['a long eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0 word', 'a long *** word'],
])('masks in text: %s', (text, expected) => expect(masked(text)).toBe(expected))

test('masks the value of a header by its name', () => {
  expect(maskField('X-Api-Key', 'abc', 100)).toBe('***')
  expect(maskField('X-Reference-Id', '256772000123', 100)).toBe('256772000123')
  expect(maskField('X-Other', 'no 256772000123', 100)).toBe('no *********123')
})

const PARTS = ['+256 772 000 123 ', '"pin":"1234",', '<otp>123456</otp>', 'customerName: Jane Doe, ', 'otp=991199&']

test.each(PARTS)('leaves no half of %s wherever a text is cut', (part) => {
  const whole = masked(part)
  for (let lead = 0; lead < part.length + 2; lead += 1) {
    const text = masked(`${'.'.repeat(lead)} ${part.repeat(100)}`, 200)
    expect(text.length).toBeLessThanOrEqual(200)
    expect(`. ${whole.repeat(100)}`).toContain(text.slice(lead + 1))
  }
})

test('masks the start of a long JSON as it would mask all of it', () => {
  const long = JSON.stringify(
    Array.from({ length: 2_000 }, (_, index) => ({ pin: '1234', index, payer: '256772000123' })),
  )
  expect(masked(long, 500)).toBe(masked(long, 1_000_000).slice(0, 500))
  expect(masked(JSON.stringify({ a: 'x '.repeat(50_000) }), 500)).toBe(`{"a":"${'x '.repeat(247)}`)
})
