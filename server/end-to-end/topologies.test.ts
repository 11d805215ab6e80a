import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { openPage, redirectOf, submitForm } from '../testing/page-visit.ts'
import { startReceiver, type ReceivedCallback, type Receiver } from '../testing/receiver.ts'
import {
  collect,
  mobileMoneyCollection,
  postJson,
  send,
  uniqueMsisdn,
  uniqueReference,
  verify,
  type RawReply,
  type WalletBody,
} from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'
import {
  hasWebhookSignature,
  verdictsOnCallback,
  verdictsOnRedirect,
  type MerchantSecrets,
} from '../testing/signatures.ts'
import { startTopology, TOPOLOGIES, type RunningTopology } from '../testing/topology.ts'

// What merchants and customers are promised holds however the gateway is spread over processes: real `malipo serve`
// processes on one PostgreSQL, asked in turn, judged by what a merchant receives and by the simulated operators' own
// book.

const SOON_MS = 15_000
/**
 * "Seen by all processes within a second" is a rule of the product, so here a test does hold a time: a second from the
 * end of the command, and half of one for a busy machine.
 */
const SEEN_WITHIN_MS = 1_000 + 500
const SANDBOX_OTP = 123_456
const SHOP = 'https://shop.example/done?order=7'
/** How many payouts of 1,000 and a charge of 5 the wallet in RWF covers. */
const COVERED = 40
const ALL_RIGHT = { hmac: true, rsa: true, webhook: true }

interface Merchant extends MerchantSecrets {
  readonly public_key: string
  readonly secret_key: string
}

describe.each(TOPOLOGIES)('$name', (topology) => {
  let system: RunningTopology
  let receiver: Receiver
  let verification: Receiver
  let elsewhere: Receiver
  let merchant: Merchant
  let keys: Record<string, string>

  beforeAll(async () => {
    receiver = await startReceiver()
    verification = await startReceiver()
    elsewhere = await startReceiver()
    system = await startTopology(topology, {
      MALIPO_SANDBOX_DELAY_MS: '50',
      PAYMENT_PAGE_BASE_URL: 'https://pay.example',
    })
    merchant = await system.malipo<Merchant>(
      'merchant',
      'create',
      'Duka Moja',
      '--collection-callback-url',
      receiver.url,
      '--payout-callback-url',
      receiver.url,
      '--verification-url',
      verification.url,
    )
    keys = { 'public-key': merchant.public_key, 'secret-key': merchant.secret_key }
    await Promise.all(
      [
        ['UGX', '1000000'],
        ['NGN', '100000'],
        ['RWF', String(COVERED * 1005)],
      ].map(([currency, amount]) => system.malipo('wallet', 'deposit', merchant.public_key, currency!, amount!)),
    )
    await everywhere('the new merchant', async (api) => (await wallets(api, 'UGX')).length > 0)
  })
  afterAll(async () => {
    await system?.remove()
    await receiver?.close()
    await verification?.close()
    await elsewhere?.close()
  })

  /** Every API process on its own has it, within the second that the product promises. */
  const everywhere = (what: string, isSeen: (api: string) => Promise<boolean>) =>
    Promise.all(system.apis.map((api) => until(() => isSeen(api), SEEN_WITHIN_MS, `${what} is seen at ${api}`)))

  const post = (
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    api = system.url(),
  ): Promise<RawReply> => postJson(api, path, body, { ...keys, ...headers })

  async function accepted(
    path: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<{ reference: string; internalReference: string; paymentUrl: string }> {
    const reply = await post(path, body)
    expect([reply.status, reply.body.message]).toEqual([202, expect.stringContaining('accepted')])
    return {
      reference: String(body.merchant_reference),
      internalReference: String(reply.body.data.internal_reference),
      paymentUrl: String(reply.body.data.payment_url),
    }
  }
  const collection = (changes: Readonly<Record<string, unknown>> = {}) =>
    accepted('/collections/initialize', mobileMoneyCollection(changes))
  const bankCollection = () =>
    accepted('/collections/initialize', {
      transaction_method: 'BANK',
      provider_code: 'bank_ng',
      merchant_reference: uniqueReference(),
      currency: 'NGN',
      amount: 5000,
      description: 'School fees of March',
      redirect_url: SHOP,
    })
  const payoutRequest = (changes: Readonly<Record<string, unknown>> = {}) => ({
    transaction_method: 'MOBILE_MONEY',
    merchant_reference: uniqueReference(),
    currency: 'UGX',
    amount: 20_000,
    provider_code: 'mtn_ug',
    account_number: uniqueMsisdn(),
    customer_name: 'Amina Nakato',
    description: 'Refund of an order',
    ...changes,
  })
  const payout = (changes?: Readonly<Record<string, unknown>>) => accepted('/payout/send-funds', payoutRequest(changes))

  const recordAt = async (api: string, reference: string) =>
    (await send(api, 'GET', `/data/transaction/verify/${reference}`, { headers: keys })).body.data

  /** What verify says once it has come to this status: the same at every process. */
  async function become(reference: string, status: string): Promise<Record<string, unknown>> {
    await until(
      async () => (await recordAt(system.url(), reference)).transaction_status === status,
      SOON_MS,
      `${reference} is ${status}`,
    )
    const [record, ...others] = await Promise.all(system.apis.map((api) => recordAt(api, reference)))
    for (const other of others) expect(other).toEqual(record)
    return record!
  }

  const callbacksOf = (reference: string): ReceivedCallback[] =>
    receiver.received.filter(({ json }) => json.payload.merchant_reference === reference)
  const publicPem = async (api = system.url()): Promise<string> =>
    (await fetch(`${api}/.well-known/malipo-rsa.pem`)).text()

  /** The merchant has been told this, once, under three right signatures. */
  async function expectTold(reference: string, event: string, payload: object): Promise<void> {
    await until(() => callbacksOf(reference).length > 0, SOON_MS, `the callback of ${reference}`)
    expect(callbacksOf(reference).map(({ json }) => json)).toEqual([{ event, payload }])
    expect(verdictsOnCallback(callbacksOf(reference)[0]!, merchant, await publicPem())).toEqual(ALL_RIGHT)
  }

  const wallets = async (api: string, currency: string): Promise<WalletBody[]> =>
    ((await send(api, 'GET', `/data/wallet-balances?currency=${currency}`, { headers: keys })).body.data
      .merchant_wallets ?? []) as WalletBody[]
  /** The available balance: the same at every process. */
  async function balance(type: 'MERCHANT_COLLECTION' | 'MERCHANT_PAYOUT', currency: string): Promise<number> {
    const balances = await Promise.all(
      system.apis.map(
        async (api) =>
          (await wallets(api, currency)).find(({ wallet_type }) => wallet_type === type)?.available_balance ?? 0,
      ),
    )
    expect(new Set(balances).size).toBe(1)
    return balances[0]!
  }

  async function transfersOf(reference: string): Promise<number> {
    const {
      rows: [row],
    } = await system.database.query<{ n: number }>(
      'select coalesce(sum(o.transfers), 0)::int as n from sandbox.orders o join transactions t on t.internal_reference = o.reference where t.merchant_reference = $1',
      [reference],
    )
    return row!.n
  }
  const allWorkDone = () =>
    until(async () => (await system.database.query('select from work')).rowCount === 0, SOON_MS, 'no work is left')

  describe('a collection', () => {
    test('by mobile money is completed, credited, moved once and told once', async () => {
      const before = await balance('MERCHANT_COLLECTION', 'UGX')
      const { reference, internalReference } = await collection()
      const record = await become(reference, 'COMPLETED')
      expect(record).toMatchObject({
        internal_reference: internalReference,
        transaction_amount: 5000,
        transaction_charge: 50,
        total_credit: 4950,
      })
      expect(await balance('MERCHANT_COLLECTION', 'UGX')).toBe(before + 4950)
      await expectTold(reference, 'transaction.completed', record)
      expect(await transfersOf(reference)).toBe(1)
    })

    test.each([
      ['002', 'Insufficient balance on the customer account'],
      ['003', 'The request timed out without a transfer'],
      ['004', 'The customer declined the request'],
    ])('of test number %s fails: %s', async (ending, message) => {
      const before = await balance('MERCHANT_COLLECTION', 'UGX')
      const { reference } = await collection({ msisdn: uniqueMsisdn(ending) })
      const record = await become(reference, 'FAILED')
      expect(record).toMatchObject({ status_message: message, transaction_charge: 0, total_credit: 0 })
      await expectTold(reference, 'transaction.failed', record)
      expect(await balance('MERCHANT_COLLECTION', 'UGX')).toBe(before)
    })

    test('from a bank is paid on a page of one process and confirmed at another, and every process leads back to the shop', async () => {
      const { reference, paymentUrl } = await bankCollection()
      expect(paymentUrl).toMatch(/^https:\/\/pay\.example\/pay\/collection\/MLP/)
      const visit = await openPage(system.url(), paymentUrl)
      const confirmed = await submitForm(system.url(), visit, 'confirm', {
        bank_code: 'access_bank_ng',
        account_number: '0123456123',
      })
      expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, `${visit.path}?from=form`])
      const record = await become(reference, 'COMPLETED')
      await expectTold(reference, 'transaction.completed', record)
      const pem = await publicPem()
      for (const api of system.apis) {
        const address = (await redirectOf(api, paymentUrl))!
        expect(address).toContain(SHOP)
        expect(new URL(address).searchParams.get('transaction_status')).toBe('COMPLETED')
        expect(verdictsOnRedirect(address, merchant.signing_key, pem)).toEqual({ hmac: true, rsa: true })
      }
    })

    test('confirmed twenty times at once, at all processes, is one payment', async () => {
      const { reference, paymentUrl } = await bankCollection()
      const visit = await openPage(system.url(), paymentUrl)
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          submitForm(system.url(), visit, 'confirm', {
            bank_code: 'access_bank_ng',
            account_number: `01234${String(n).padStart(2, '0')}123`,
          }),
        ),
      )
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 303))
      await expectTold(reference, 'transaction.completed', await become(reference, 'COMPLETED'))
      expect(await transfersOf(reference)).toBe(1)
    })

    test('cancelled at another process than showed it is CANCELLED, told and led back', async () => {
      const { reference, paymentUrl } = await bankCollection()
      const visit = await openPage(system.url(), paymentUrl)
      expect((await submitForm(system.url(), visit, 'cancel')).status).toBe(303)
      const record = await become(reference, 'CANCELLED')
      expect(record).toMatchObject({ status_message: 'The customer cancelled the payment', total_credit: 0 })
      await expectTold(reference, 'transaction.failed', record)
      expect(
        (
          await submitForm(system.url(), visit, 'confirm', {
            bank_code: 'access_bank_ng',
            account_number: '0123456123',
          })
        ).status,
      ).toBe(303)
      for (const api of system.apis) expect(await redirectOf(api, paymentUrl)).toContain('transaction_status=CANCELLED')
      expect(await transfersOf(reference)).toBe(0)
    })
  })

  describe('a one-time password', () => {
    const ghana = (ending = '123') =>
      collection({
        provider_code: 'mtn_gh',
        msisdn: `23324${uniqueMsisdn(ending).slice(-7)}`,
        currency: 'GHS',
        amount: 10,
      })
    const authorize = async (internal_reference: string, otp: number) => {
      const { status, body } = await post('/collections/authorize', { internal_reference, otp })
      return [status, body.message]
    }

    test('is refused when wrong and taken when right, at whichever process it comes', async () => {
      const { reference, internalReference } = await ghana()
      expect(await authorize(internalReference, 654_321)).toEqual([400, 'Invalid OTP'])
      expect(await authorize(internalReference, 654_322)).toEqual([400, 'Invalid OTP'])
      expect(await authorize(internalReference, SANDBOX_OTP)).toEqual([202, 'One-time password accepted'])
      await expectTold(reference, 'transaction.completed', await become(reference, 'COMPLETED'))
      for (const api of system.apis)
        expect(
          (await post('/collections/authorize', { internal_reference: internalReference, otp: SANDBOX_OTP }, {}, api))
            .status,
        ).toBe(409)
    })

    test('has five tries over all processes together', async () => {
      const { reference, internalReference } = await ghana()
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => authorize(internalReference, 654_321 + n)))
      expect(replies.filter(([status]) => status === 400)).toHaveLength(5)
      expect(replies.filter(([status]) => status === 409)).toHaveLength(15)
      const record = await become(reference, 'FAILED')
      expect(record).toMatchObject({ status_message: 'Too many wrong one-time passwords' })
      await expectTold(reference, 'transaction.failed', record)
      expect(await transfersOf(reference)).toBe(0)
    })

    test('is asked for on the page of one process and checked by another', async () => {
      const { reference, paymentUrl } = await collection({
        mobile_money_hpp: true,
        redirect_url: SHOP,
        msisdn: uniqueMsisdn('005'),
      })
      const visit = await openPage(system.url(), paymentUrl)
      expect((await submitForm(system.url(), visit, 'confirm')).status).toBe(303)
      const wrong = await submitForm(system.url(), visit, 'otp', { otp: '654321' })
      expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('4 tries left')])
      expect((await submitForm(system.url(), visit, 'otp', { otp: String(SANDBOX_OTP) })).status).toBe(303)
      await expectTold(reference, 'transaction.completed', await become(reference, 'COMPLETED'))
    })
  })

  describe('a payout', () => {
    test.each([
      ['a phone', 'UGX', 20_100, {}],
      [
        'a bank account',
        'NGN',
        5050,
        {
          transaction_method: 'BANK',
          provider_code: 'bank_ng',
          currency: 'NGN',
          amount: 5000,
          account_number: '0123456123',
          extra_params: { bank_code: 'access_bank_ng' },
        },
      ],
    ])('to %s takes exactly total_debit, after one signed handshake', async (_to, currency, totalDebit, changes) => {
      const before = await balance('MERCHANT_PAYOUT', currency)
      const asked = verification.received.length
      const { reference } = await payout(changes)
      const record = await become(reference, 'COMPLETED')
      expect(record).toMatchObject({ transaction_type: 'PAYOUT', total_debit: totalDebit })
      expect(await balance('MERCHANT_PAYOUT', currency)).toBe(before - totalDebit)
      await expectTold(reference, 'transaction.completed', record)
      expect(await transfersOf(reference)).toBe(1)
      expect(
        verification.received.slice(asked).map((handshake) => hasWebhookSignature(handshake, merchant.webhook_secret)),
      ).toEqual([true])
    })

    test('that the merchant does not know (404) is rejected: nothing is taken, nothing is moved', async () => {
      const before = await balance('MERCHANT_PAYOUT', 'UGX')
      verification.answer(404)
      const { reference } = await payout()
      const record = await become(reference, 'FAILED')
      verification.answer(200)
      expect(record).toMatchObject({
        status_message: "Payout rejected by the merchant's verification URL (HTTP 404)",
        total_debit: 0,
      })
      await expectTold(reference, 'transaction.failed', record)
      expect(await balance('MERCHANT_PAYOUT', 'UGX')).toBe(before)
      expect(await transfersOf(reference)).toBe(0)
    })

    test('of 200 at once from a wallet that covers 40: 40 are paid, the others fail, the wallet is empty', async () => {
      const requests = Array.from({ length: 200 }, (_, n) =>
        payoutRequest({
          provider_code: 'mtn_rw',
          currency: 'RWF',
          amount: 1000,
          account_number: `25078${String(n).padStart(4, '0')}123`,
        }),
      )
      const replies = await Promise.all(requests.map((request) => post('/payout/send-funds', request)))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
      const told = () => requests.flatMap(({ merchant_reference }) => callbacksOf(merchant_reference))
      await until(() => told().length >= requests.length, SOON_MS, 'all payouts have ended')
      expect(
        Map.groupBy(told(), ({ json: { event, payload } }) => `${event}: ${String(payload.status_message)}`)
          .entries()
          .map(([end, callbacks]) => [end, callbacks.length] as const)
          .toArray()
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      ).toEqual([
        ['transaction.completed: Transaction Completed Successfully', COVERED],
        ['transaction.failed: Insufficient balance for the transaction', requests.length - COVERED],
      ])
      expect(await balance('MERCHANT_PAYOUT', 'RWF')).toBe(0)
    })
  })

  describe('over all processes together', () => {
    test('of fifty requests with one merchant_reference exactly one is accepted', async () => {
      const body = mobileMoneyCollection()
      const replies = await Promise.all(Array.from({ length: 50 }, () => post('/collections/initialize', body)))
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
      expect(
        new Set(
          replies.filter(({ status }) => status !== 202).map(({ body: { code, message } }) => `${code} ${message}`),
        ),
      ).toEqual(new Set([`409 merchant_reference (${String(body.merchant_reference)}) has already been used`]))
      const reference = String(body.merchant_reference)
      await expectTold(reference, 'transaction.completed', await become(reference, 'COMPLETED'))
      expect(await transfersOf(reference)).toBe(1)
    })

    test('an Idempotency-Key is one: the first reply comes again from each, and another body is refused', async () => {
      const key = { 'idempotency-key': uniqueReference() }
      const body = mobileMoneyCollection({ merchant_reference: 'auto' })
      const replies = await Promise.all(Array.from({ length: 20 }, () => post('/collections/initialize', body, key)))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202))
      expect(new Set(replies.map(({ body: { data } }) => JSON.stringify(data))).size).toBe(1)
      expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true')).toHaveLength(1)
      for (const api of system.apis) {
        const again = await post('/collections/initialize', body, key, api)
        expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([
          202,
          'true',
          replies[0]!.body,
        ])
        expect((await post('/collections/initialize', { ...body, amount: 6000 }, key, api)).status).toBe(409)
      }
    })

    test('a daily limit is one: 14 of 50 times 500,000 fit into 7,000,000', async () => {
      const msisdn = `25675${uniqueMsisdn().slice(-7)}`
      const replies = await Promise.all(
        Array.from({ length: 50 }, () =>
          post(
            '/collections/initialize',
            mobileMoneyCollection({ provider_code: 'airtel_ug', msisdn, amount: 500_000 }),
          ),
        ),
      )
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(14)
      expect(replies.filter(({ status, body }) => status === 400 && body.message.includes('7000000 UGX'))).toHaveLength(
        36,
      )
    })

    test('an unknown reference is unknown, and so is that of another merchant', async () => {
      const { reference } = await collection()
      for (const api of system.apis) {
        expect((await send(api, 'GET', '/data/transaction/verify/NEVER-USED-1', { headers: keys })).body).toMatchObject(
          { code: 404, message: 'Transaction (NEVER-USED-1) was not found' },
        )
        expect((await verify(api, reference)).status).toBe(404)
      }
    })

    test('the rail is awkward: a late result (007) corrects, an unreachable one (008) and a repeated one (009) have one effect', async () => {
      await allWorkDone() // what other tests left would move the balance
      const before = await balance('MERCHANT_COLLECTION', 'UGX')
      const [late, final, unreachable, repeated] = await Promise.all(
        (
          [
            ['007', true],
            ['007', false],
            ['008', true],
            ['009', true],
          ] as const
        ).map(
          async ([ending, allow_final_status_change]) =>
            (await collection({ msisdn: uniqueMsisdn(ending), allow_final_status_change })).reference,
        ),
      )
      await become(final!, 'FAILED')
      for (const reference of [late, unreachable, repeated]) await become(reference!, 'COMPLETED')
      await allWorkDone()
      expect(
        [late, final, unreachable, repeated].map((reference) => callbacksOf(reference!).map(({ json }) => json.event)),
      ).toEqual([
        ['transaction.failed', 'transaction.completed'],
        ['transaction.failed'],
        ['transaction.completed'],
        ['transaction.completed'],
      ])
      expect(await Promise.all([late, unreachable, repeated].map((reference) => transfersOf(reference!)))).toEqual([
        1, 1, 1,
      ])
      expect((await recordAt(system.url(), final!)).transaction_status).toBe('FAILED')
      expect(await balance('MERCHANT_COLLECTION', 'UGX')).toBe(before + 3 * 4950)
    })
  })

  describe("an operator's command is seen by every process within a second:", () => {
    const demo = DEMO_KEYS['public-key']

    test('limits of a provider', async () => {
      const limit = async (api: string) => {
        const { body } = await send(api, 'GET', '/data/payment-providers?currency=KES&transaction_type=COLLECTION', {
          headers: keys,
        })
        return (body.data.payment_providers as { provider_code: string; max_amount: number }[]).find(
          ({ provider_code }) => provider_code === 'mpesa_ke',
        )?.max_amount
      }
      for (const api of system.apis) expect(await limit(api)).toBe(250_000)
      await system.malipo('provider', 'set', 'mpesa_ke', '--type', 'COLLECTION', '--max', '123456')
      await everywhere('the new limit', async (api) => (await limit(api)) === 123_456)
    })

    test('an exchange rate', async () => {
      const inDollars = (api: string) =>
        post('/collections/initialize', mobileMoneyCollection({ currency: 'USD', amount: 100 }), {}, api)
      for (const api of system.apis) expect((await inDollars(api)).status).toBe(400)
      await system.malipo('rate', 'set', 'USD', 'UGX', '3800')
      await everywhere('the rate', async (api) => {
        const { status, body } = await inDollars(api)
        if (status !== 202) return false
        expect(await recordAt(api, String(body.data.merchant_reference))).toMatchObject({
          transaction_amount: 380_000,
          transaction_currency: 'UGX',
        })
        return true
      })
    })

    test('a secret key, and the end of the old one', async () => {
      const statusOf = async (api: string, secretKey: string) =>
        (await send(api, 'GET', '/data/wallet-balances', { headers: { 'secret-key': secretKey } })).status
      for (const api of system.apis) expect(await statusOf(api, DEMO_KEYS['secret-key'])).toBe(200)
      const { secret_key } = await system.malipo<Merchant>(
        'keys',
        'rotate',
        demo,
        '--kind',
        'secret_key',
        '--keep-old',
        '0',
      )
      await everywhere(
        'the new secret key',
        async (api) =>
          (await statusOf(api, secret_key)) === 200 && (await statusOf(api, DEMO_KEYS['secret-key'])) === 401,
      )
    })

    test('a signing key and the RSA key, by what signs a redirect', async () => {
      const { body } = await collect(system.url(), { mobile_money_hpp: true, redirect_url: SHOP })
      const paymentUrl = String(body.data.payment_url)
      await submitForm(system.url(), await openPage(system.url(), paymentUrl), 'cancel')
      const before = await publicPem()
      const [{ signing_key }] = await Promise.all([
        system.malipo<Merchant>('keys', 'rotate', demo, '--kind', 'signing_key', '--keep-old', '0'),
        system.malipo('keys', 'rotate', '--rsa'),
      ])
      await everywhere('the new keys', async (api) => {
        const pem = await publicPem(api)
        const { hmac, rsa } = verdictsOnRedirect((await redirectOf(api, paymentUrl))!, signing_key, pem)
        return pem !== before && hmac && rsa
      })
      expect(new Set(await Promise.all(system.apis.map(publicPem))).size).toBe(1)
    })

    test('a callback URL and the keys that sign callbacks, by each worker', async () => {
      for (const [n, worker] of system.workers.entries()) {
        await allWorkDone()
        const url = `${elsewhere.url}/${n}`
        const rotate = (kind: string) =>
          system.malipo<Merchant>('keys', 'rotate', demo, '--kind', kind, '--keep-old', '0')
        const [{ signing_key }, { webhook_secret }] = await Promise.all([
          rotate('signing_key'),
          rotate('webhook_secret'),
          system.malipo('merchant', 'set', demo, '--collection-callback-url', url),
          system.malipo('keys', 'rotate', '--rsa'),
        ])
        await system.onlyWorker(worker, () =>
          until(
            async () => {
              const { body } = await collect(system.url())
              await until(
                () => isDelivered(String(body.data.merchant_reference)),
                SOON_MS,
                'the callback is delivered somewhere',
              )
              const callback = elsewhere.received.find(
                ({ json }) => json.payload.merchant_reference === body.data.merchant_reference,
              )
              return (
                callback?.path === new URL(url).pathname &&
                Object.values(verdictsOnCallback(callback, { signing_key, webhook_secret }, await publicPem())).every(
                  Boolean,
                )
              )
            },
            SEEN_WITHIN_MS,
            `what worker ${n} sends, and where`,
          ),
        )
      }
    })

    const isDelivered = async (reference: string): Promise<boolean> =>
      (
        await system.database.query(
          `select from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1 and c.status = 'DELIVERED'`,
          [reference],
        )
      ).rowCount === 1
  })

  describe('in the end', () => {
    test('nothing was done twice: no callback and no handshake was sent again, no money moved again', async () => {
      await allWorkDone()
      const sent = [...receiver.received, ...verification.received, ...elsewhere.received].map(
        ({ headers }) => headers['webhook-id'],
      )
      expect(sent.length).toBeGreaterThan(400)
      expect(sent.filter((id, index) => sent.indexOf(id) !== index)).toEqual([])
      const { rows: moved } = await system.database.query('select reference from sandbox.orders where transfers > 1')
      expect(moved).toEqual([])
      const { rows: attempts } = await system.database.query(
        'select callback_id from callback_attempts group by callback_id having count(*) > 1',
      )
      expect(attempts).toEqual([])
    })

    test('malipo doctor finds nothing', async () => {
      expect(await system.malipo('doctor')).toMatchObject({ clean: true })
    })

    // The last test: it ends the processes.
    test('every process ends in good order and has complained about nothing', async () => {
      expect(await system.stop()).toEqual(topology.roles.map(() => 0))
      const complaints = system.processes
        .flatMap(({ output }) =>
          output()
            .split('\n')
            .filter((line) => line.startsWith('{')),
        )
        .filter((line) => !(JSON.parse(line) as { msg: string }).msg.startsWith('started as root'))
      expect(complaints).toEqual([])
    })
  })
})
