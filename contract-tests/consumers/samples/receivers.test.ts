import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
import { isNightly } from '../../../server/verification/testing/nightly.ts'
import {
  collect,
  mobileMoneyCollection,
  mobileMoneyPayout,
  postJson,
  uniqueReference,
  verify,
} from '../../../server/verification/testing/requests.ts'
import { bundleUrl } from '../../../openapi/reading/contract.ts'
import { passOn, startProxy, type Exchange, type Proxy, type WireRequest } from '../../harness/proxy.ts'
import type { Json } from '../../../openapi/reading/json.ts'
import { LANGUAGES, type RunningSample } from './run-sample.ts'
import { receiversIn } from './samples.ts'
import { gatewayTest } from '../../../server/verification/testing/gateway-test.ts'
import { skipReason } from '../../../server/verification/testing/skip-reason.ts'
import { NIGHTLY_ONLY } from '../../../server/verification/testing/skipped-part.ts'

// The docs' receivers run as programs of their own and get what the real gateway sends, and forged variants of it.

const contract = JSON.parse(readFileSync(bundleUrl, 'utf8')) as Json
const receivers = receiversIn(contract)
const WEBHOOKS = [
  'collectionCallback',
  'payoutCallback',
  'payoutBatchHandshake',
  'payoutBatchCallback',
  'refundCallback',
  'payoutHandshake',
]
/** A batch is looked at again after 2 s. */
const POLL = { timeout: 60_000, interval: 200 }
/** The only payout that the handshake sample knows. */
const KNOWN_PAYOUT = 'PAYOUT-2026-0001'
/** The secret that every receiver has in its text. */
const DEMO_WEBHOOK_SECRET = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
/** For samples that receive callbacks: the line that books, and its replacement that fails the first time. */
const FAILING_ONCE: Readonly<Record<string, { readonly from: string; readonly to: string }>> = {
  TypeScript: {
    from: 'console.log(payload.merchant_reference',
    to: "if (!process.env.FAILED) throw new Error(process.env.FAILED = 'no stock')\n      ",
  },
  Python: {
    from: "print(payload['merchant_reference']",
    to: "if not os.path.exists('failed'): raise OSError(open('failed', 'w'))\n    ",
  },
  PHP: {
    from: 'error_log("{$payload[',
    to: "if (!file_exists(__DIR__ . '/failed')) { touch(__DIR__ . '/failed'); throw new RuntimeException('no stock'); }\n    ",
  },
  Java: {
    from: 'book(body);',
    to: 'if (new java.io.File("failed").createNewFile()) throw new IllegalStateException("no stock");\n',
  },
  Go: {
    from: 'fmt.Println(payload.Reference',
    to: 'if os.Mkdir("failed", 0o700) == nil {\n\t\treturn fmt.Errorf("no stock")\n\t}\n\t',
  },
  'C#': {
    from: 'Book(body);',
    to: 'if (!File.Exists("failed")) { File.WriteAllText("failed", ""); throw new IOException("no stock"); }\n',
  },
}
const withListener = LANGUAGES.flatMap((language) =>
  language.listen === undefined ? [] : [{ ...language, listen: language.listen }],
)

test('every callback and the handshake have a receiver in each language but curl', () => {
  for (const { label } of withListener)
    expect(
      receivers.filter((sample) => sample.label === label).map(({ operationId }) => operationId),
      label,
    ).toEqual(WEBHOOKS)
  expect(receivers).toHaveLength(withListener.length * WEBHOOKS.length)
})

describe.each(withListener)('$label', async ({ label, listen, isCompiled, printsReplies, missing }) => {
  if (missing !== undefined) {
    skipReason(`no ${missing} is installed`, `the receivers in ${label}`)
    return test.skip(`needs ${missing}`)
  }
  if (isCompiled && !isNightly) {
    skipReason(NIGHTLY_ONLY, `the receivers in ${label}, each compiled for its port`)
    return test.skip('runs nightly')
  }
  /** Number of times a receiver has booked it; a receiver in a language without JSON prints the body. */
  const bookings = (output: string, reference: string, outcome = 'COMPLETED'): number =>
    output
      .split('\n')
      .filter((line) =>
        printsReplies
          ? line.includes(`"merchant_reference":"${reference}"`) &&
            outcome.split(' ').every((part) => new RegExp(`[:"]${part}\\b`).test(line))
          : line.includes(`${reference} ${outcome}`),
      ).length
  // On the real clock: the samples refuse messages older than five minutes.
  const { gateway } = await gatewayTest({ clock: 'real', env: { MALIPO_SANDBOX_DELAY_MS: '0' } })
  let running: { readonly sample: RunningSample; readonly proxy: Proxy; readonly exchanges: Exchange[] } | undefined
  afterEach(async () => {
    await running?.proxy.close()
    await running?.sample.stop()
    running = undefined
  })

  /** Starts a sample behind a recorder and routes the demo merchant's messages of one kind to it. */
  async function start(
    operationId: string,
    column: 'collection_callback_url' | 'payout_callback_url' | 'refund_callback_url' | 'verification_url',
    change = (source: string) => source,
  ) {
    const sample = await listen(
      change(receivers.find((each) => each.label === label && each.operationId === operationId)!.source),
    )
    const exchanges: Exchange[] = []
    const proxy = await startProxy({
      to: `http://127.0.0.1:${sample.port}`,
      onExchange: (exchange) => void exchanges.push(exchange),
    })
    running = { sample, proxy, exchanges }
    await gateway.pool.query(`update merchants set ${column} = $2 where public_key = $1`, [
      DEMO_KEYS['public-key'],
      `${proxy.url}/malipo`,
    ])
    await gateway.refresh()
    return {
      ...running,
      again: (changes: Partial<WireRequest>) =>
        passOn(new URL(`http://127.0.0.1:${sample.port}`), { ...exchanges[0]!.request, ...changes }),
    }
  }
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 4; turn++) await gateway.runDue()
  }
  const SECRET = { 'secret-key': DEMO_KEYS['secret-key'] }
  const payout = (merchantReference: string) => ({
    ...mobileMoneyCollection({ msisdn: undefined, merchant_reference: merchantReference }),
    account_number: '256772000123',
    customer_name: 'Grace Auma',
    amount: 20_000,
  })
  const pay = (merchantReference: string) =>
    postJson(gateway.url, '/payout/send-funds', payout(merchantReference), SECRET)
  /** Refunds a part of a collection that is paid first. */
  async function refund(merchant_reference: string) {
    await gateway.pool.query('update merchants set collection_callback_url = null')
    await gateway.refresh()
    const collection_reference = uniqueReference()
    await collect(gateway.url, { merchant_reference: collection_reference })
    await settle()
    const body = { merchant_reference, collection_reference, amount: 1000, reason: 'Order cancelled' }
    return postJson(gateway.url, '/collections/refund', body, SECRET)
  }
  const confirmPayouts = () =>
    gateway.pool.query(`update merchants set verification_url = $2 where public_key = $1`, [
      DEMO_KEYS['public-key'],
      `${gateway.url}/sandbox/inbox/handshake`,
    ])
  /** A changed header as a forger would send it. */
  const changed = (request: WireRequest, name: string, value: string) => ({
    headers: { ...request.headers, [name]: [value] },
  })

  test.each([
    ['collectionCallback', 'collection_callback_url', 'COMPLETED 4950 UGX'],
    ['payoutCallback', 'payout_callback_url', 'COMPLETED 20100 UGX'],
    ['refundCallback', 'refund_callback_url', 'COMPLETED 1000 UGX'],
  ] as const)(
    '%s: books a message of Malipo once and refuses any change of it',
    async (operationId, column, outcome) => {
      await confirmPayouts()
      const { sample, exchanges, again } = await start(operationId, column)
      const reference = uniqueReference()
      const begin = {
        collectionCallback: (own: string) => collect(gateway.url, { merchant_reference: own }),
        payoutCallback: pay,
        refundCallback: refund,
      }
      const { status } = await begin[operationId](reference)
      expect(status).toBe(202)
      await settle()
      expect(exchanges.map(({ reply }) => reply.status)).toEqual([204])
      await expect.poll(() => bookings(sample.output(), reference, outcome)).toBe(1)

      const { request } = exchanges[0]!
      const forged = Buffer.from(request.body.toString().replace('"request_amount":', '"request_amount":9'))
      const { 'webhook-signature': _signature, ...unsigned } = request.headers
      const old = String(Number(request.headers['webhook-timestamp']![0]) - 301)
      const replies = [
        await again({}),
        await again({ body: forged, ...changed(request, 'content-length', String(forged.length)) }),
        await again(changed(request, 'webhook-timestamp', old)),
        await again(changed(request, 'webhook-id', 'cb_0000000000000000000000000')),
        await again(changed(request, 'webhook-signature', 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')),
        await again({ headers: unsigned }),
      ]
      expect(replies.map((reply) => reply.status)).toEqual([204, 401, 401, 401, 401, 401])
      expect(bookings(sample.output(), reference)).toBe(1)
    },
  )

  test('payoutBatchCallback: books the payouts of a batch, and nothing for its end', async () => {
    await confirmPayouts()
    const { sample, exchanges } = await start('payoutBatchCallback', 'payout_callback_url')
    const [batch_reference, reference] = [uniqueReference(), uniqueReference()]
    const body = { batch_reference, payouts: [payout(reference)] }
    expect((await postJson(gateway.url, '/payout/batches', body, SECRET)).status).toBe(202)
    await expect
      .poll(async () => {
        await gateway.runDue()
        return exchanges.map(({ reply }) => reply.status)
      }, POLL)
      .toEqual([204, 204])
    await expect.poll(() => bookings(sample.output(), reference, 'COMPLETED 20100 UGX')).toBe(1)
    expect(sample.output()).not.toMatch(/undefined|(?:^|\])  +0? *$/im)
  })

  test('collectionCallback: books a retried message once after the handler failed', async () => {
    const { from, to } = FAILING_ONCE[label]!
    const { sample, exchanges, again } = await start('collectionCallback', 'collection_callback_url', (source) =>
      source.replace(from, () => to + from),
    )
    const reference = uniqueReference()
    expect((await collect(gateway.url, { merchant_reference: reference })).status).toBe(202)
    await settle()
    expect(exchanges.map(({ reply }) => reply.status)).toEqual([500])
    expect(bookings(sample.output(), reference)).toBe(0)
    const { rows } = await gateway.pool.query(`select count(*) from jobs where kind = 'deliverCallback'`)
    expect(rows).toEqual([{ count: 1n }])
    // The retry as Malipo sends it, under the same webhook-id; twice at once, as after a lost reply.
    expect((await Promise.all([again({}), again({})])).map(({ status }) => status)).toEqual([204, 204])
    expect((await again({})).status).toBe(204)
    await expect.poll(() => bookings(sample.output(), reference)).toBe(1)
  })

  test('payoutHandshake: rejects no payout for a malformed secret: no start, or 500', async () => {
    const reference = uniqueReference()
    const started = await start('payoutHandshake', 'verification_url', (source) =>
      source.replaceAll(DEMO_WEBHOOK_SECRET, 'SANDBOXDEMOSIGNKEY01'),
    ).catch((error: unknown) => String(error))
    if (typeof started === 'string') return expect(started).toContain('MALIPO_WEBHOOK_SECRET must begin with whsec_')
    expect((await pay(reference)).status).toBe(202)
    await settle()
    expect(started.exchanges.map(({ reply }) => reply.status)).toEqual([500])
    expect((await verify(gateway.url, reference)).body.data.transaction_status).toBe('PENDING')
  })

  test('payoutHandshake: confirms its own payout, rejects any other and a forged request', async () => {
    const { exchanges, again } = await start('payoutHandshake', 'verification_url')
    const thirdParty = uniqueReference()
    expect((await pay(KNOWN_PAYOUT)).status).toBe(202)
    await settle()
    expect((await pay(thirdParty)).status).toBe(202)
    await settle()
    expect(exchanges.map(({ request, reply }) => [request.path, reply.status])).toEqual([
      [`/malipo?reference=${KNOWN_PAYOUT}`, 200],
      [`/malipo?reference=${thirdParty}`, 404],
    ])
    expect((await verify(gateway.url, KNOWN_PAYOUT)).body.data.transaction_status).toBe('COMPLETED')
    expect((await verify(gateway.url, thirdParty)).body.data.transaction_status).toBe('FAILED')

    const { request } = exchanges[0]!
    const { 'webhook-signature': _signature, ...unsigned } = request.headers
    const old = String(Number(request.headers['webhook-timestamp']![0]) - 301)
    const replies = [
      await again({}),
      await again(changed(request, 'webhook-timestamp', old)),
      await again({ headers: unsigned }),
      await again({ path: '/malipo' }),
    ]
    expect(replies.map((reply) => reply.status)).toEqual([200, 404, 404, 404])
  })

  test('payoutBatchHandshake: confirms its own batch alone', async () => {
    await gateway.pool.query('update merchants set batch_handshake = true')
    const { exchanges, again } = await start('payoutBatchHandshake', 'verification_url')
    for (const reference of ['SALARIES-2026-03', uniqueReference()]) {
      const body = { batch_reference: reference, payouts: [mobileMoneyPayout(), mobileMoneyPayout()] }
      expect((await postJson(gateway.url, '/payout/batches', body, DEMO_KEYS)).status).toBe(202)
      await settle()
    }
    // Another test's payout may be asked about meanwhile.
    const asked = exchanges.filter(({ request }) => request.method === 'POST')
    expect(asked.map(({ reply }) => reply.status)).toEqual([200, 404])
    const { request } = asked[0]!
    const body = Buffer.from(String(request.body).replace('"payouts":2', '"payouts":3'))
    expect([(await again(request)).status, (await again({ ...request, body })).status]).toEqual([200, 404])
  })
})
