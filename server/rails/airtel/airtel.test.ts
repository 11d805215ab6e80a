import { constants, createDecipheriv, createHmac, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { RailOrder, RefundOrder } from '../../actions/ports/rail.ts'
import { money } from '../../domain/money.ts'
import { fixedClock } from '../../verification/testing/fixed-clock.ts'
import { contractOf } from '../operator-contract.ts'
import type { SettingValues } from '../rail-kind.ts'
import { scriptedAdapter, worldOf } from '../testing/adapter-at.ts'
import type { OperatorRequest, WholeAnswer } from '../testing/scripted-operator.ts'
import { airtel } from './airtel.ts'
import { readCallback } from './callback.ts'

// What the conformance kit does not hold: signatures and PINs, countries, refunds, names, balances and the list.

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
const SPKI = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
const CREDENTIALS = { country: 'UG', client_id: 'client-id', client_secret: 'client-secret', pin: '736251' }
const NOW = new Date('2026-11-22T12:00:00Z')
const ORDER_ID = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
const WIRE_ID = ORDER_ID.replaceAll('-', '')

async function connected(settings: SettingValues = {}, currency = 'UGX') {
  const random = { bytes: (size: number) => new Uint8Array(size).fill(7) }
  const world = worldOf(airtel, currency, { clock: fixedClock(NOW), random })
  const scripted = await scriptedAdapter(airtel, { ...CREDENTIALS, ...settings }, world)
  scripted.operator.on('POST /auth/oauth2/token', {
    status: 200,
    body: { access_token: 'token', expires_in: '180', token_type: 'bearer' },
  })
  scripted.operator.on('GET /v1/rsa/encryption-keys', {
    status: 200,
    body: { data: { key: SPKI }, status: { code: '200', success: true } },
  })
  return scripted
}

const order = (given: Partial<RailOrder> = {}): RailOrder => ({
  internalReference: 'MLP0123456789ABCDEFGHJKMN',
  orderId: ORDER_ID,
  orderedAt: new Date(NOW.getTime() - 3_600_000),
  type: 'PAYOUT',
  providerCode: 'airtel_ug',
  account: '256752000123',
  amount: money(5000n, 'UGX'),
  externalIds: {},
  ...given,
})
const said = (transaction: object | undefined, status: object = {}): WholeAnswer => ({
  status: 200,
  body: { ...(transaction && { data: { transaction } }), status: { code: '200', success: true, ...status } },
})
const refusedWith = (response_code: string): WholeAnswer => said(undefined, { success: false, response_code })
const PAID = said({ id: WIRE_ID, status: 'TS', reference_id: '2611' })

/** Airtel's side of a signature: it decrypts key and IV, and encrypts what it got the same way. */
function signedBody({ headers }: OperatorRequest): string {
  const parts = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, base64(headers['x-key']))
  const [key = '', iv = ''] = parts.toString().split(':')
  const decipher = createDecipheriv('aes-256-cbc', base64(key), base64(iv))
  return Buffer.concat([decipher.update(base64(headers['x-signature'])), decipher.final()]).toString()
}
const base64 = (text: string | string[] | undefined): Buffer => Buffer.from(String(text), 'base64')

describe('what goes out', () => {
  test.each([
    ['COLLECTION', 'POST /merchant/v2/payments/', {}],
    ['PAYOUT', 'POST /standard/v2/disbursements/', { payout_version: '2' }],
    ['PAYOUT', 'POST /standard/v3/disbursements', { payout_version: '3', signed_calls: 'none' }],
  ] as const)('%s by %s is signed over the bytes that go out', async (type, route, settings) => {
    const { operator, adapter } = await connected({ signed_calls: 'collections, payouts', ...settings })
    operator.on(route, PAID)
    await adapter.submit(order({ type }))
    const [request] = operator.requestsTo(route)
    expect(signedBody(request!)).toBe(request!.body)
  })

  test('what the country does not want signed carries no signature', async () => {
    const { operator, adapter } = await connected({ signed_calls: 'payouts' })
    operator.on('POST /merchant/v1/payments/', PAID)
    await adapter.submit(order({ type: 'COLLECTION' }))
    expect(operator.requestsTo('POST /merchant/v1/payments/')[0]?.headers['x-signature']).toBeUndefined()
  })

  test.each([
    ['pkcs1', constants.RSA_PKCS1_PADDING, SPKI],
    ['oaep', constants.RSA_PKCS1_OAEP_PADDING, undefined],
    ['pkcs1', constants.RSA_PKCS1_PADDING, publicKey.export({ format: 'pem', type: 'spki' }).toString()],
    [
      'pkcs1',
      constants.RSA_PKCS1_PADDING,
      Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })).toString('base64'),
    ],
  ] as const)('the PIN is padded by %s, with whatever form of the key', async (pin_padding, padding, pin_key) => {
    const { operator, adapter } = await connected({ pin_padding, ...(pin_key && { pin_key }) })
    operator.on('POST /standard/v1/disbursements/', PAID)
    await adapter.submit(order())
    const { pin } = operator.requestsTo('POST /standard/v1/disbursements/')[0]!.json() as { readonly pin: string }
    const read = privateDecrypt(
      { key: privateKey, padding, ...(pin_padding === 'oaep' && { oaepHash: 'sha256' }) },
      base64(pin),
    )
    expect(read.toString()).toBe('736251')
  })

  test('a key that Airtel could not read is asked for again', async () => {
    const { operator, adapter } = await connected({ signed_calls: 'collections' })
    operator.on('POST /merchant/v2/payments/', refusedWith('DP00800001026'), PAID)
    for (let times = 0; times < 3; times += 1) await adapter.submit(order({ type: 'COLLECTION' }))
    expect(operator.requestsTo('GET /v1/rsa/encryption-keys')).toHaveLength(2)
  })

  test('a number of another country and an amount of too many digits go nowhere', async () => {
    const { operator, adapter } = await connected()
    expect(await adapter.submit(order({ account: '254733000123' }))).toMatchObject({
      answer: 'refused',
      code: 'account_not_found',
    })
    expect(await adapter.submit(order({ amount: money(10n ** 15n, 'UGX') }))).toMatchObject({ answer: 'refused' })
    expect(operator.requests).toEqual([])
  })

  test('amounts have the decimals of the currency, and Congo reads our id', async () => {
    const zambia = await connected({ country: 'ZM', amount_form: 'text' }, 'ZMW')
    zambia.operator.on('POST /merchant/v1/payments/', PAID)
    await zambia.adapter.submit(order({ type: 'COLLECTION', account: '260972000123', amount: money(1250n, 'ZMW') }))
    expect(zambia.operator.requestsTo('POST /merchant/v1/payments/')[0]!.json()).toMatchObject({
      subscriber: { country: 'ZM', currency: 'ZMW', msisdn: '972000123' },
      transaction: { amount: '12.50', id: WIRE_ID },
    })
    const congo = await connected({ country: 'CG' }, 'XAF')
    congo.operator.on('POST /merchant/v1/payments/', PAID)
    await congo.adapter.submit(order({ type: 'COLLECTION', account: '242052000123', amount: money(500n, 'XAF') }))
    expect(congo.operator.requestsTo('POST /merchant/v1/payments/')[0]!.json()).toMatchObject({ reference: WIRE_ID })
  })
})

describe('what comes back', () => {
  test.each([
    ['UG', 'UGX', 'DP00800001007', 'insufficient_funds'],
    ['ZM', 'ZMW', 'DP00800001007', undefined],
    ['ZM', 'ZMW', 'DP00800001002', 'declined'],
    ['UG', 'UGX', 'DP00800001005', undefined],
  ] as const)('in %s (%s) a failed collection with %s is %s', async (country, currency, response_code, code) => {
    const { operator, adapter } = await connected({ country }, currency)
    operator.on(
      'GET /standard/v1/payments/{id}',
      said({ id: WIRE_ID, status: 'TF' }, { success: false, response_code }),
    )
    const known = await adapter.query(order({ type: 'COLLECTION', amount: money(5000n, currency) }))
    expect(known).toMatchObject({ knows: 'outcome', outcome: { status: 'FAILED' } })
    expect(known.knows === 'outcome' && known.outcome.status === 'FAILED' ? known.outcome.code : '').toBe(code)
  })

  test('TE is expired whatever its code, and the code 1006 beside TS decides nothing', async () => {
    const { operator, adapter } = await connected()
    operator.on(
      'GET /standard/v1/payments/{id}',
      said({ id: WIRE_ID, status: 'TE' }, { response_code: 'DP00800001007' }),
      said({ id: WIRE_ID, status: 'TS', airtel_money_id: 'MP1' }, { response_code: 'DP00800001006' }),
    )
    const collection = order({ type: 'COLLECTION' })
    expect(await adapter.query(collection)).toMatchObject({ outcome: { code: 'expired' } })
    expect(await adapter.query(collection)).toMatchObject({
      outcome: { status: 'COMPLETED' },
      receipts: { airtel_money_id: 'MP1' },
    })
  })

  test('a failure may say that 0 has moved, and a currency is read in any case', async () => {
    const { operator, adapter } = await connected()
    operator.on(
      'GET /standard/v1/payments/{id}',
      said({ id: WIRE_ID, status: 'TF', amount: '0' }),
      said({ id: WIRE_ID, status: 'TS', amount: '0', airtel_money_id: 'MP1' }),
      said({ id: WIRE_ID, status: 'TS', currency: 'ugx', airtel_money_id: 'MP1' }),
    )
    const known = []
    for (let times = 0; times < 3; times += 1) known.push(await adapter.query(order({ type: 'COLLECTION' })))
    expect(known).toMatchObject([
      { outcome: { status: 'FAILED' } },
      { knows: 'unreachable' },
      { outcome: { status: 'COMPLETED' } },
    ])
  })

  test('a payout that timed out, or is similar to another, is asked about', async () => {
    const { operator, adapter } = await connected()
    operator.on('POST /standard/v1/disbursements/', refusedWith('DP00900001014'), refusedWith('DP00900001011'))
    for (let times = 0; times < 2; times += 1)
      expect(await adapter.submit(order())).toMatchObject({ answer: 'unreachable' })
  })

  test('an address that is not on the list has not taken the order', async () => {
    const { operator, adapter } = await connected()
    operator.on('POST /standard/v1/disbursements/', {
      status: 403,
      body: { message: 'IP address not allowed: 203.0.113.7' },
    })
    expect(await adapter.submit(order())).toEqual({ answer: 'not_sent', error: 'Airtel answered HTTP 403' })
  })
})

describe('refunds', () => {
  const refund: RefundOrder = {
    ...order({ type: 'COLLECTION' }),
    collection: { orderId: ORDER_ID, amount: money(5000n, 'UGX'), externalIds: { airtel_money_id: 'MP1' } },
  }

  test.each([
    ['with a receipt of its own', said({ airtel_money_id: 'CI1', status: 'SUCCESS' }, { success: false }), 'outcome'],
    ['with the receipt of the collection', said({ airtel_money_id: 'MP1', status: 'SUCCESS' }), 'unreachable'],
    ['in the words of a failure', refusedWith('ESB000011'), 'unreachable'],
    ['without a word', said(undefined), 'unreachable'],
    ['from the front', { status: 200, body: { status_code: 'ROUTER119' } }, 'refused'],
  ] as const)('an answer %s is %s', async (_what, reply, answer) => {
    const { operator, adapter } = await connected()
    operator.on('POST /standard/v1/payments/refund', reply)
    expect((await adapter.refund!(refund)).answer).toBe(answer)
  })
})

describe('the callback', () => {
  const KEY = 'key-of-the-application'
  const transaction = `{"id": "${WIRE_ID}", "status_code":"TS","message":"x"}`
  const hashOf = (text: string): string => createHmac('sha256', KEY).update(text).digest('base64')
  const withHash = (hash: string): string => `{"transaction":${transaction},"hash":"${hash}"}`
  const again = JSON.stringify(JSON.parse(transaction))

  test.each([
    ['as it came', hashOf(transaction), 0],
    ['as it is written again', hashOf(again), 0],
    ['the whole without the hash', hashOf(`{"transaction":${again}}`), 0],
    ['something else', hashOf('x'), 1],
    ['the member, after a byte order mark', hashOf(transaction), 0, '\uFEFF'],
  ])('with a hash over %s is a hint, and one that does not fit is counted', (_what, hash, unfit, before = '') => {
    const drift: string[] = []
    const onDrift = (_source: string, found: readonly { readonly field: string }[]) =>
      void drift.push(...found.map(({ field }) => field))
    const read = readCallback(
      { callbackKey: KEY, country: 'UG' },
      { contract: contractOf(airtel), onDrift, failureCodes: new Map() },
      { method: 'POST', tail: 'callback', body: before + withHash(hash) },
    )
    expect(read).toMatchObject({ mayQuery: true, orderId: ORDER_ID, outcome: { status: 'COMPLETED' } })
    expect(drift.filter((field) => field === 'hash')).toHaveLength(unfit)
  })
})

describe('accounts', () => {
  const holder = (data: object, response_code = 'DP02200000001'): WholeAnswer => ({
    status: 200,
    body: { data, status: { code: '200', response_code, success: true } },
  })
  const AMINA = { first_name: 'Amina', last_name: 'Okello', is_barred: false, msisdn: '752000123' }

  test('a holder is named, barred, unknown, or of another number', async () => {
    const { operator, adapter } = await connected()
    operator.on(
      'GET /standard/v1/users/{msisdn}',
      holder(AMINA),
      holder({ ...AMINA, is_barred: 'TRUE' }),
      holder({}, 'DP02200000002'),
      holder({ ...AMINA, msisdn: '752000999' }),
    )
    const known = []
    for (let times = 0; times < 4; times += 1) known.push(await adapter.holder!('256752000123'))
    expect(known).toEqual([
      { knows: 'active', name: 'Amina Okello' },
      { knows: 'inactive' },
      { knows: 'no_account' },
      { knows: 'unreachable', error: 'Airtel answered about another number' },
    ])
    expect(operator.requests.at(-1)?.path).toBe('/standard/v1/users/752000123')
  })

  test('the second version has a balance of each wallet, without cents of shillings', async () => {
    const { operator, adapter } = await connected({ balance_version: '2' })
    operator.on('GET /standard/v2/users/balance', {
      status: 200,
      body: { data: { balance: '230486.65', currency: 'UGX' }, status: {} },
    })
    expect(await adapter.balances()).toEqual([
      { account: 'collections', available: money(230_486n, 'UGX') },
      { account: 'payouts', isFloat: true, available: money(230_486n, 'UGX') },
    ])
  })

  test('the list has paid collections only, also one that is no list', async () => {
    const { operator, adapter } = await connected({ transactions_list: 'yes' })
    const row = (airtel_money_id: string, status = 'TS', type = 'MERCHPAY') => ({
      payer: { msisdn: '752000123' },
      service: { type },
      transaction: { airtel_money_id, amount: '5000', created_at: 1_795_694_400_000, id: WIRE_ID, status },
    })
    const page = (transactions: unknown): WholeAnswer => ({ status: 200, body: { data: { transactions }, status: {} } })
    operator.on(
      'GET /merchant/v1/transactions',
      page([row('MP1', 'ts', 'merchpay'), row('MP2', 'TF'), row('CI1', 'TS', 'CASHIN')]),
      page([row('', 'TF')]),
      page(row('MP3')),
      page([row('MP3')]),
    )
    const lines = []
    for await (const line of adapter.statement!(new Date(0), NOW)) lines.push(line)
    expect(lines).toEqual(
      ['MP1', 'MP3'].map((reference) => ({
        reference,
        ourReference: ORDER_ID,
        at: new Date(1_795_694_400_000),
        direction: 'in',
        amount: money(5000n, 'UGX'),
        account: '752000123',
      })),
    )
  })

  test('a list with a state that Airtel does not document is none', async () => {
    const { operator, adapter } = await connected({ transactions_list: 'yes' })
    const transactions = [{ service: { type: 'MERCHPAY' }, transaction: { amount: '5000', status: 'Success' } }]
    operator.on('GET /merchant/v1/transactions', { status: 200, body: { data: { transactions }, status: {} } })
    const lines = adapter.statement!(new Date(0), NOW)[Symbol.asyncIterator]()
    await expect(lines.next()).rejects.toThrow('in a state that it does not document')
  })

  test('a check tries token, balance, key and holder, and names the address', async () => {
    const { operator, adapter } = await connected({ signed_calls: 'collections' })
    operator.on('GET /standard/v1/users/{msisdn}', holder(AMINA))
    operator.on('GET /standard/v1/users/balance', {
      status: 200,
      body: { data: { balance: '5000', currency: 'UGX' }, status: {} },
    })
    const rows = await adapter.check({ account: '256752000123' })
    expect(rows.map(({ what, ok }) => [what.split(' ')[0], ok])).toEqual(
      ['token', 'balance', 'encryption', 'callbacks', 'account'].map((what) => [what, true]),
    )
    expect(rows[3]?.detail).toContain('https://pay.example/operators/tested/f00d/account/callback')
  })
})

test.each([
  [{ country: 'KE' }, 'currency must be KES for the country KE'],
  [{ country: 'XX' }, 'country must be UG or KE'],
  [{ pin: '12' }, 'pin must be 4 to 8 digits'],
  [{ pin: '', pin_key: SPKI }, 'pin_key has no pin'],
  [{ pin_key: 'x' }, 'pin_key must be an RSA public key'],
  [{ signed_calls: 'everything' }, 'signed_calls must be none, or some of'],
  [{ client_secret: '' }, 'client_secret is missing'],
])('settings %o are refused: %s', async (settings, fault) => {
  await expect(connected(settings)).rejects.toThrow(fault)
})
