import { expect, test } from 'vitest'
import { mtnMomo } from './mtn-momo.ts'
import { CREDENTIALS, testWorld } from './testing/connected.ts'

const GIVEN = { base_url: 'http://127.0.0.1:1', target_environment: 'sandbox' }
const world = testWorld()
const connect = (given: Readonly<Record<string, string>>) => () => mtnMomo.connect(given, world)
const only = (product: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(CREDENTIALS).filter(([name]) => name.startsWith(product)))

test.each(['collection', 'disbursement'])('%s alone is enough', (product) =>
  expect(connect({ ...GIVEN, ...only(product) })).not.toThrow(),
)

test('refuses settings without any product', () =>
  expect(connect(GIVEN)).toThrow('it needs the credentials of Collections, of Disbursements or of both'))

test.each(Object.keys(CREDENTIALS))('%s cannot be missing alone', (name) => {
  const { [name]: _left, ...others }: Readonly<Record<string, string>> = { ...GIVEN, ...CREDENTIALS }
  expect(connect(others)).toThrow('belong together: give all of them or none')
})

test.each(['base_url', 'target_environment'])('%s cannot be missing', (name) => {
  const { [name]: _left, ...others }: Readonly<Record<string, string>> = { ...GIVEN, ...CREDENTIALS }
  expect(connect(others)).toThrow(`${name} is missing`)
})

test.each([
  ['target_environment', 'MTN Uganda', 'must be lower-case letters'],
  ['collection_api_user', 'me', 'must be a UUID'],
  ['collection_api_key', 'two\nlines', 'must be up to 200 letters, digits and signs, without spaces'],
  ['customer_text', "it's yours", 'must be 1 to 160 letters, digits and spaces'],
  ['customer_text', 'x'.repeat(161), 'must be 1 to 160 letters, digits and spaces'],
  ['ask_after_seconds', '300,', 'must be up to 20 whole numbers of seconds'],
  ['ask_after_seconds', '0', 'must be up to 20 whole numbers of seconds'],
  ['not_found_after_seconds', '0', 'must be a whole number of seconds from 1 to 999999'],
])('%s %j is refused, and no secret repeated', (name, value, why) => {
  const attempt = connect({ ...GIVEN, ...CREDENTIALS, [name]: value })
  expect(attempt).toThrow(`${name} ${why}`)
  if (name.endsWith('key')) expect(attempt).not.toThrow(value)
})

test('sets the intervals between polls; the last holds for all that follow', () => {
  const { pollAfterMs } = mtnMomo
    .connect({ ...GIVEN, ...CREDENTIALS, ask_after_seconds: '5,10' }, world)
    .traitsOf('COLLECTION')
  expect([0, 1, 2, 100].map(pollAfterMs)).toEqual([5_000, 10_000, 10_000, 10_000])
})

test('keys are secret, and nothing else is', () =>
  expect(Object.keys(mtnMomo.settings).filter((name) => mtnMomo.settings[name]?.secret)).toEqual([
    'collection_subscription_key',
    'collection_api_key',
    'disbursement_subscription_key',
    'disbursement_api_key',
  ]))
