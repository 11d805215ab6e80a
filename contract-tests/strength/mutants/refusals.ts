import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
import { present } from '../../harness/part.ts'
import type { RecorderReply } from './recorder.ts'
import {
  bankPayout,
  BOTH_KEYS,
  collect,
  HEADERS,
  JSON_TYPE,
  mobileCollection,
  mobilePayout,
  OTP,
  pay,
  providers,
  type MutantFixture,
} from './fixture.ts'

// Refused requests: with wrong keys, unreadable bodies, and against rules.

/** The refusals that no single field causes: keys, references, providers, limits, media types, sizes, methods. */
export async function refusals(fixture: MutantFixture): Promise<void> {
  for (const request of everyOperation()) await wrongKeysAndBodies(fixture, request)
  await fixture.recorder.send(undefined, { method: 'PUT', path: '/collections/initialize', headers: BOTH_KEYS })
  await fixture.recorder.send(undefined, { method: 'GET', path: '/data/nowhere', headers: BOTH_KEYS })
  await rulesOfMoney(fixture, collect, mobileCollection, 'msisdn')
  await rulesOfMoney(fixture, pay, mobilePayout, 'account_number')
  await rulesOfSettings(fixture)
}

type RefusalCase = readonly [operationId: string, method: string, path: string, body?: unknown]
/** A request to each operation. */
export const everyOperation = (): readonly RefusalCase[] => [
  ['listPaymentProviders', 'GET', providers('UGX', 'PAYOUT')],
  ['listPayoutBanks', 'GET', '/data/payout-bank-codes?provider_code=bank_ng'],
  ['listWalletBalances', 'GET', '/data/wallet-balances'],
  ['verifyTransaction', 'GET', '/data/transaction/verify/MUTANT-UNKNOWN'],
  ['initializeCollection', 'POST', '/collections/initialize', mobileCollection()],
  ['authorizeCollection', 'POST', '/collections/authorize', { internal_reference: `MLP${'0'.repeat(22)}`, otp: OTP }],
  ['sendFunds', 'POST', '/payout/send-funds', mobilePayout()],
]

const { 'public-key': _key, ...nobody } = HEADERS

async function wrongKeysAndBodies(
  { recorder }: MutantFixture,
  [operationId, method, path, body]: RefusalCase,
): Promise<void> {
  const send = (headers: object, text?: string): Promise<RecorderReply> =>
    recorder.send(operationId, {
      method,
      path,
      headers: { ...(body !== undefined && JSON_TYPE), ...headers },
      body: text ?? body,
    })
  for (const headers of [
    nobody,
    { ...nobody, 'secret-key': DEMO_KEYS['secret-key'] },
    { ...HEADERS, 'public-key': 'pub_unknown' },
    { ...HEADERS, 'secret-key': 'sec_wrong' },
    HEADERS,
    BOTH_KEYS,
  ])
    await send(headers)
  if (body === undefined) return
  await send({ ...BOTH_KEYS, 'content-type': 'text/plain' })
  for (const text of [
    '',
    '{"amount": }',
    '[]',
    twice(body),
    JSON.stringify({ ...Object(body), description: 'x'.repeat(70_000) }),
  ])
    await send(BOTH_KEYS, text)
}

/** The body with its first number repeated. */
function twice(body: unknown): string {
  const fields = Object(body) as Readonly<Record<string, unknown>>
  const [name, value] = present(
    Object.entries(fields).find(([, each]) => typeof each === 'number'),
    'number in the body',
  )
  return JSON.stringify(body).replace(/\}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`)
}

async function rulesOfMoney(
  fixture: MutantFixture,
  send: typeof collect,
  request: (changes?: object) => Record<string, unknown>,
  account: 'msisdn' | 'account_number',
): Promise<void> {
  const key = { 'idempotency-key': `once-${request.name}` }
  const body = request()
  for (const again of [body, body, request()]) await send(fixture, again, key)
  await send(fixture, body)
  for (const changes of [
    { [account]: '256752000123' },
    { amount: 5000.5 },
    { amount: 499 },
    { description: ' '.repeat(12) },
    { description: 'Amina \u202eNakato' },
    { customer_name: 'Amina \u202eNakato' },
    { currency: 'USD' },
    { provider_code: 'mtn_xx' },
    { provider_code: 'bank_ng' },
    { provider_code: 'mtn_zm', currency: 'ZMW' },
    { provider_code: 'airtel_zm', currency: 'ZMW' },
    { provider_code: 'xx' },
  ])
    await send(fixture, request(changes))
  for (let times = 0; times < 3; times += 1)
    await send(fixture, request({ [account]: '256779999123', amount: 3_000_000 }))
  // A refusal frees its key: the same request is refused afresh.
  for (const [name, refused] of [
    ['range', request({ amount: 499 })],
    ['used', body],
  ] as const)
    for (let times = 0; times < 2; times += 1)
      await send(fixture, refused, { 'idempotency-key': `${name}-${request.name}` })
}

async function rulesOfSettings(fixture: MutantFixture): Promise<void> {
  const { gateway } = fixture
  for (const redirect_url of [
    'http://shop.example/paid',
    'https://shop.example/50%',
    'https://shop.example/a|b',
    'https://amina:x@shop.example/',
    'https://shop.example:99999/',
  ])
    await collect(fixture, mobileCollection({ redirect_url }))
  await collect(fixture, mobileCollection({ mobile_money_hpp: true }))
  for (const bank_code of ['no_such_bank', 'closed_ng']) await pay(fixture, bankPayout({ extra_params: { bank_code } }))
  await gateway.pool.query(`update merchants set verification_url = null, redirect_hosts = '{pay.shop.example}'`)
  await gateway.refresh()
  await pay(fixture, mobilePayout())
  await collect(fixture, mobileCollection({ redirect_url: 'https://shop.example/paid' }))
  await gateway.pool.query(
    `update merchants set redirect_hosts = null, verification_url = replace(payout_callback_url, '/callbacks/payout', '/handshake')`,
  )
  await gateway.refresh()
}
