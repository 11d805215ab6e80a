import type { ExpectedReply } from '../../driver/payment-driver.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { postRequest, withHeader } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { KINDS, ACCEPTED, REFUSED } from './input-requests.ts'
import { LETTERS, PRINTABLE } from './texts.ts'

const ABOUT = 'initializeCollection'
const RFC = 'RFC 9110, section 5: names in any case, blanks around a value are none of it'
const MEDIA = 'RFC 9110, section 8.3.1: type and parameter names in any case'

const JSON_TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json ; charset="utf-8"',
  'Application/JSON',
  'APPLICATION/JSON; Charset=utf-8',
]
const OTHER_TYPES = [
  'text/json',
  'text/plain',
  'application/jsonp',
  'application/x-json',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application',
  'json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain; application/json',
]
const LANGUAGES = [
  'en',
  'sw',
  'en-US,en;q=0.9,*;q=0.1',
  '*',
  'x'.repeat(8_192),
  PRINTABLE.trim(),
  'a\tb',
  'zz-ZZ;q=nothing',
  'fran\u00e7ais',
]
const ACCEPTS = [
  '',
  '*/*',
  'application/json;q=0',
  'application/xml',
  'text/html,application/xhtml+xml,application/xml;q=0.9',
  'application/vnd.api+json',
  'image/*',
  'nothing',
]
const VERSIONS = ['2', '0', '-1', '11', '1, 1', 'one', '1;', 'v1', '1.1', '1 1', '1e0', '+1', '0x1']
const SPELLINGS = ['1.0', '1.00', '01']

type Change = (request: WireRequest) => WireRequest

const named =
  (change: (name: string) => string): Change =>
  (request) => ({
    ...request,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [change(name), value])),
  })
const spaced: Change = (request) => ({
  ...request,
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, values = []]) => [name, values.map((value) => ` \t ${value} \t `)]),
  ),
})
const capital = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** The header sent, the expected status, and the rule that requires it. */
type Row = readonly [change: Change, expected: ExpectedReply, rule: string, source: string]

const rowsOf = (
  name: string,
  values: readonly string[],
  expected: ExpectedReply,
  rule: string,
  source: string,
): readonly Row[] =>
  values.map((value) => [
    (request) => withHeader(request, name, value),
    expected,
    `${name}: ${rule}`,
    `${source}; ${value}`,
  ])

const ROWS: readonly Row[] = [
  ...[named((name) => name.toUpperCase()), named(capital), spaced].map((change): Row => [
    change,
    ACCEPTED,
    'headers: a way to write them is refused',
    RFC,
  ]),
  ...rowsOf('content-type', JSON_TYPES, ACCEPTED, 'a way to write it is refused', MEDIA),
  ...rowsOf('content-type', OTHER_TYPES, { status: 415 }, 'another one is accepted', 'it is not JSON'),
  ...rowsOf('accept-language', LANGUAGES, ACCEPTED, 'one is refused', 'it never makes a request fail'),
  ...rowsOf('accept', ACCEPTS, ACCEPTED, 'one is refused', 'the contract declares no 406 (RFC 9110, section 12.5.1)'),
  ...rowsOf('x-api-version', VERSIONS, REFUSED, 'another one is accepted', 'only 1 exists'),
  ...rowsOf('x-api-version', SPELLINGS, ACCEPTED, 'a spelling of 1 is refused', 'it is a number'),
  [
    (request) => withHeader(request, 'x-api-version', '1', '2'),
    REFUSED,
    'x-api-version: one of two is accepted',
    'only 1 exists',
  ],
]

/** Headers in every form that HTTP allows, and invalid values. */
export async function headers(fixture: DriverFixture): Promise<void> {
  await forEachOf(ROWS, async ([change, expected, rule, source]) => {
    const driver = fixture.driver(rule)
    const request = postRequest(fixture.target, ABOUT, KINDS['a collection'](driver))
    driver.expect(ABOUT, await driver.send(change(request)), expected, rule, source)
  })
  await idempotencyKeys(fixture)
}

/** Each printable character, at most 255 of them; case-sensitive. */
async function idempotencyKeys(fixture: DriverFixture): Promise<void> {
  const mark = fixture.driver('').reference()
  const rows = [PRINTABLE.trim(), `${mark}${'k'.repeat(255)}`.slice(0, 255), '0', `${mark} ${LETTERS} with blanks`]
  await forEachOf(rows, async (key) => {
    const driver = fixture.driver('an Idempotency-Key')
    const source = 'the contract: 1 to 255 printable ASCII characters'
    const rule = 'Idempotency-Key: an allowed one is refused'
    const unique = key.length < 255 ? `${mark}${key}`.slice(0, 255) : key
    const body = KINDS['a collection'](driver)
    driver.expect(ABOUT, await driver.post(ABOUT, body, { 'idempotency-key': unique }), ACCEPTED, rule, source)
    const again = await driver.post(ABOUT, body, { 'idempotency-key': unique })
    driver.expect(ABOUT, again, ACCEPTED, 'Idempotency-Key: the same one does not repeat the reply', source)
    const other = swapped(unique)
    const apart = await driver.post(ABOUT, KINDS['a collection'](driver), { 'idempotency-key': other })
    driver.expect(ABOUT, apart, ACCEPTED, 'Idempotency-Key: another case counts as the same', source)
  })
  await almostAlike(fixture, mark)
  const driver = fixture.driver('an Idempotency-Key that is too long')
  const reply = await driver.post(ABOUT, KINDS['a collection'](driver), { 'idempotency-key': 'k'.repeat(256) })
  driver.expect(ABOUT, reply, REFUSED, 'Idempotency-Key: one that is too long is accepted', 'at most 255 characters')
}

const swapped = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

/** All characters of a key count: a key that differs in any single one is another key. */
async function almostAlike(fixture: DriverFixture, mark: string): Promise<void> {
  const whole = `${mark}${'z'.repeat(255)}`.slice(0, 255)
  const others = [
    ...[32, 64, 100, 128, 200, 254].map((at) => `${whole.slice(0, at)}x${whole.slice(at + 1)}`),
    ...[254, 64, 36, 32].map((length) => whole.slice(0, length)),
    ...['.', '-', '_', '+'].map((sign) => `${mark}${sign}key`),
  ]
  for (const key of [whole, ...others]) {
    const driver = fixture.driver('an Idempotency-Key like another one')
    const reply = await driver.post(ABOUT, KINDS['a collection'](driver), { 'idempotency-key': key })
    const source = 'the contract: a key is a text of up to 255 characters'
    driver.expect(ABOUT, reply, ACCEPTED, 'Idempotency-Key: another one counts as the same', source)
  }
}
