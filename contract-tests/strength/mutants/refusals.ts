import type { Gateway } from '../../../server/main.ts'
import { DEMO_KEYS } from '../../../server/testing/gateway.ts'
import { present } from '../../harness/part.ts'
import { applyTo, bodySchemaOf, bodyVariants, parameterVariants, type Variant } from './boundaries.ts'
import { declaredIn, follow, type Declared } from './contract.ts'
import type { Recorded } from './corpus.ts'
import { startRecorder, type Answer } from './recorder.ts'
import {
  authorize,
  bankCollection,
  bankPayout,
  BOTH_KEYS,
  collect,
  get,
  HEADERS,
  JSON_TYPE,
  mobileCollection,
  mobilePayout,
  newReference,
  OTP,
  pay,
  providers,
  verify,
  type Scene,
} from './scene.ts'

// Requests that the gateway refuses, or is asked to: with wrong keys, against rules, at limits and beyond, while its
// database is away.

/** The refusals that no field alone brings about: keys, references, providers, limits, media types, sizes, methods. */
export async function refusals(scene: Scene): Promise<void> {
  const { gateway, recorder } = scene
  const { 'public-key': _key, ...nobody } = HEADERS
  const asks: readonly (readonly [string, string, string, unknown])[] = [
    ['listPaymentProviders', 'GET', providers('UGX', 'PAYOUT'), undefined],
    ['listPayoutBanks', 'GET', '/data/payout-bank-codes?provider_code=bank_ng', undefined],
    ['listWalletBalances', 'GET', '/data/wallet-balances', undefined],
    ['verifyTransaction', 'GET', '/data/transaction/verify/MUTANT-UNKNOWN', undefined],
    ['initializeCollection', 'POST', '/collections/initialize', mobileCollection()],
    ['authorizeCollection', 'POST', '/collections/authorize', { internal_reference: `MLP${'0'.repeat(22)}`, otp: OTP }],
    ['sendFunds', 'POST', '/payout/send-funds', mobilePayout()],
  ]
  for (const [operationId, method, path, body] of asks) {
    const send = (headers: object, text?: string): Promise<Answer> =>
      recorder.ask(operationId, {
        method,
        path,
        headers: { ...(body !== undefined && JSON_TYPE), ...headers },
        ...(body !== undefined && { body: text ?? JSON.stringify(body) }),
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
    if (body === undefined) continue
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
  await recorder.ask(undefined, { method: 'PUT', path: '/collections/initialize', headers: BOTH_KEYS })
  await recorder.ask(undefined, { method: 'GET', path: '/data/nowhere', headers: BOTH_KEYS })

  for (const [send, request] of [
    [collect, mobileCollection],
    [pay, mobilePayout],
  ] as const) {
    const key = { 'idempotency-key': `once-${request.name}` }
    const body = request()
    for (const again of [body, body, request()]) await send(scene, again, key)
    await send(scene, body)
    const [account, foreign] =
      request === mobileCollection
        ? [{ msisdn: '256779999123' }, { msisdn: '256752000123' }]
        : [{ account_number: '256779999123' }, { account_number: '256752000123' }]
    for (const changes of [
      foreign,
      { amount: 5000.5 },
      { amount: 499 },
      { description: ' '.repeat(12) },
      { currency: 'USD' },
      { provider_code: 'mtn_xx' },
      { provider_code: 'bank_ng' },
      { provider_code: 'mtn_zm', currency: 'ZMW' },
      { provider_code: 'airtel_zm', currency: 'ZMW' },
      { provider_code: 'xx' },
    ])
      await send(scene, request(changes))
    for (let times = 0; times < 3; times += 1) await send(scene, request({ ...account, amount: 3_000_000 }))
    // A refusal frees its key: the same again is refused afresh.
    for (const [name, refused] of [
      ['range', request({ amount: 499 })],
      ['used', body],
    ] as const)
      for (let times = 0; times < 2; times += 1)
        await send(scene, refused, { 'idempotency-key': `${name}-${request.name}` })
  }
  await collect(scene, mobileCollection({ redirect_url: 'http://shop.example/paid' }))
  await collect(scene, mobileCollection({ mobile_money_hpp: true }))
  for (const bank_code of ['no_such_bank', 'closed_ng']) await pay(scene, bankPayout({ extra_params: { bank_code } }))
  await gateway.pool.query(`update merchants set verification_url = null, redirect_hosts = '{pay.shop.example}'`)
  await gateway.refresh()
  await pay(scene, mobilePayout())
  await collect(scene, mobileCollection({ redirect_url: 'https://shop.example/paid' }))
  await gateway.pool.query(
    `update merchants set redirect_hosts = null, verification_url = replace(payout_callback_url, '/callbacks/payout', '/handshake')`,
  )
  await gateway.refresh()
}

/** The body with its first number a second time. */
function twice(body: unknown): string {
  const fields = Object(body) as Readonly<Record<string, unknown>>
  const [name, value] = present(
    Object.entries(fields).find(([, each]) => typeof each === 'number'),
    'number in the body',
  )
  return JSON.stringify(body).replace(/\}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`)
}

/** Every field of every request at its limits, beyond them, and wrong. */
export async function boundaries(scene: Scene): Promise<void> {
  const { contract } = scene
  const bodies: Readonly<Record<string, readonly (() => Record<string, unknown>)[]>> = {
    initializeCollection: [mobileCollection, () => bankCollection(scene.shop)],
    sendFunds: [mobilePayout, bankPayout],
    authorizeCollection: [() => ({ internal_reference: `MLP${'0'.repeat(22)}`, otp: OTP })],
  }
  for (const operation of declaredIn(contract).filter(({ answeredBy }) => answeredBy === 'gateway')) {
    const schema = bodySchemaOf(contract, operation)
    for (const variant of parameterVariants(contract, operation))
      await askVariant(scene, operation, variant, bodies[operation.operationId]?.[0]?.())
    // Two branches of one request share fields: what the first has shown of them, the second shows again.
    for (const base of bodies[operation.operationId] ?? [])
      for (const variant of bodyVariants(contract, present(schema, 'schema of the body'), base()))
        await askVariant(scene, operation, variant, base())
    for (const request of examplesOf(scene, operation)) await send(scene, operation, {}, '', request)
  }
}

/**
 * The examples of the contract itself, made new: a reference is taken once, and an example names banks and shops of its
 * own.
 */
const examplesOf = ({ contract, shop }: Scene, { body }: Declared): Record<string, unknown>[] =>
  Object.values(body?.content['application/json']?.examples ?? {}).map((example) => {
    const value = Object(follow(contract.components.examples, example).value) as Readonly<Record<string, unknown>>
    return {
      ...value,
      ...('merchant_reference' in value &&
        value.merchant_reference !== 'auto' && { merchant_reference: newReference() }),
      ...('redirect_url' in value && { redirect_url: shop }),
    }
  })

async function askVariant(
  scene: Scene,
  operation: Declared,
  { in: place, name, value }: Variant,
  base: Record<string, unknown> | undefined,
): Promise<void> {
  const body = base && (place === 'body' ? applyTo(base, name, value) : base)
  const query = new URLSearchParams()
  const headers: Record<string, string | undefined> = {}
  let { path } = operation
  for (const parameter of operation.parameters) {
    const varied = parameter.in === place && parameter.name === name
    const usual = parameter.required ? parameter.example : undefined
    const given = varied ? value : usual
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(String(given)))
    else if (parameter.in === 'query') for (const text of textsOf(given)) query.append(parameter.name, text)
    else if (varied || given !== undefined) headers[parameter.name.toLowerCase()] = textsOf(given)[0]
  }
  await send(scene, { ...operation, path }, headers, query.size > 0 ? `?${query.toString()}` : '', body)
}

/** A list is a parameter that comes several times; undefined is none. */
function textsOf(given: unknown): string[] {
  if (given === undefined) return []
  return (Array.isArray(given) ? given : [given]).map(String)
}

async function send(
  { recorder }: Scene,
  { operationId, method, path }: Declared,
  changed: Readonly<Record<string, string | undefined>>,
  search: string,
  body: unknown,
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries({ ...BOTH_KEYS, ...(body !== undefined && JSON_TYPE), ...changed }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
  const { status, data } = await recorder.ask(operationId, {
    method: method.toUpperCase(),
    path: path + search,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (status === 202) await verify({ recorder }, data.merchant_reference)
}

/** The database fails in a way that nobody foresaw, and then is away. */
export async function outages(scene: Scene): Promise<void> {
  const { pool } = scene.gateway
  const { query, connect } = pool
  for (const error of [
    new Error('secret detail of the database'),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  ]) {
    const fail = (): Promise<never> => Promise.reject(error)
    Object.assign(pool, { query: fail, connect: fail })
    try {
      await get(scene, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
      await verify(scene, 'MUTANT-OUTAGE')
      await collect(scene, mobileCollection())
      await pay(scene, mobilePayout())
      await authorize(scene, { internal_reference: `MLP${'0'.repeat(22)}`, otp: OTP })
    } finally {
      Object.assign(pool, { query, connect })
    }
  }
}

/**
 * A gateway that sends an account number one password and lets it guess once; payment pages have a bound of their own.
 */
export async function bounds(gateway: Gateway, exchanges: Recorded[]): Promise<void> {
  const recorder = await startRecorder(gateway.url, exchanges)
  const scene = { recorder }
  try {
    const asksForOtp = { msisdn: '256780100005' }
    const {
      data: { internal_reference },
    } = await collect(scene, mobileCollection(asksForOtp))
    for (let times = 0; times < 2; times += 1) await authorize(scene, { internal_reference, otp: 999_999 })
    await collect(scene, mobileCollection(asksForOtp))
    const onPage = { msisdn: '256780200123', mobile_money_hpp: true, redirect_url: 'https://shop.example/paid' }
    for (let open = 0; open <= OPEN_PAGES_MAX; open += 1) await collect(scene, mobileCollection(onPage))
  } finally {
    await recorder.close()
  }
}
const OPEN_PAGES_MAX = 20

/**
 * A gateway that lets ten requests of each kind through in ten seconds; its first transaction has the last number there
 * is.
 */
export async function tooMany(gateway: Gateway, exchanges: Recorded[]): Promise<void> {
  const recorder = await startRecorder(gateway.url, exchanges)
  const scene = { recorder }
  try {
    const { data } = await collect(scene, mobileCollection())
    await verify(scene, data.merchant_reference)
    // One that finds nothing counts as ten.
    await verify(scene, 'MUTANT-UNKNOWN')
    for (let used = 0; used < 10; used += 1) await get(scene, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
    await get(scene, 'listPaymentProviders', providers('UGX', 'COLLECTION'))
    await get(scene, 'listPayoutBanks', '/data/payout-bank-codes?provider_code=bank_ng')
    await get(scene, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
    await verify(scene, 'MUTANT-UNKNOWN')
    await collect(scene, mobileCollection())
    await pay(scene, mobilePayout())
    await authorize(scene, { internal_reference: data.internal_reference, otp: OTP })
    await tooManyWrongKeys(scene)
  } finally {
    await recorder.close()
  }
}

/** Who guesses keys is stopped by the address, at every operation. */
async function tooManyWrongKeys(scene: Pick<Scene, 'recorder'>): Promise<void> {
  const wrong = { ...BOTH_KEYS, 'public-key': 'pub_unknown' }
  for (let used = 0; used < 10; used += 1) await get(scene, 'listWalletBalances', '/data/wallet-balances', wrong)
  await get(scene, 'listPaymentProviders', providers('UGX', 'COLLECTION'), wrong)
  await get(scene, 'listPayoutBanks', '/data/payout-bank-codes?provider_code=bank_ng', wrong)
  await get(scene, 'listWalletBalances', '/data/wallet-balances', wrong)
  await get(scene, 'verifyTransaction', '/data/transaction/verify/MUTANT-UNKNOWN', wrong)
  await collect(scene, mobileCollection(), wrong)
  await pay(scene, mobilePayout(), wrong)
  await authorize(scene, { internal_reference: `MLP${'0'.repeat(22)}`, otp: OTP }, wrong)
}
