import { expect, test } from 'vitest'
import { startReceiver } from '../../verification/testing/receiver.ts'
import { soon } from './testing/command-line.ts'
import { operatedGateway } from './testing/operated-gateway.ts'

const DAY_MS = 24 * 60 * 60_000

const gateway = await operatedGateway()
const { collect, deliveredTimes, json, malipo, newMerchant } = gateway

interface CallbackRecord {
  readonly id: number
  readonly status: string
  readonly attempts: number
  readonly webhook_id: string
}
/** A resend waits a second for every process to know the URL, which has not changed here. No claim loses its lease. */
const resendAtOnce = () =>
  gateway.client.query(`update jobs set due_at = now() where kind = 'deliverCallback' and attempt = 0`)
const callbacksOf = (reference: string) => json<CallbackRecord[]>(['callback', 'list', '--transaction', reference])

// It keeps its webhook-id.
test('lists a callback with its attempts and resends it to the current URL', async () => {
  const receiver = await startReceiver()
  receiver.answer({ status: 200, body: 'thanks' })
  const { public_key } = await newMerchant('--collection-callback-url', `${receiver.url}/first`)
  await collect({ public_key }, 'CALLED-0001')
  await soon(() => receiver.received.length === 1, 'the callback arrived')
  const callbacks = () =>
    json<
      { id: number; webhook_id: string; status: string; attempts: number; attempts_made: { http_status: number }[] }[]
    >(['callback', 'list', '--transaction', 'CALLED-0001'])
  const delivered = (attempts: number) =>
    soon(
      async () =>
        (await callbacks()).find((callback) => callback.status === 'DELIVERED' && callback.attempts === attempts),
      `attempt ${attempts} is recorded`,
    )
  const first = await delivered(1)
  expect(first.attempts_made).toMatchObject([{ attempt: 1, http_status: 200, error: null, reply_excerpt: 'thanks' }])

  expect(await json(['callback', 'resend', String(first.id)])).toMatchObject({
    webhook_id: first.webhook_id,
    status: 'PENDING',
  })
  await resendAtOnce()
  await delivered(2)
  await malipo(['merchant', 'set', public_key, '--collection-callback-url', `${receiver.url}/second`])
  const again = await malipo(['callback', 'resend', first.webhook_id])
  expect(again.out).toContain(`(${first.webhook_id}) is sent within seconds, to ${receiver.url}/second`)
  expect((await delivered(3)).attempts_made).toHaveLength(3)

  expect(receiver.received.map(({ path }) => path)).toEqual([
    '/callbacks/first',
    '/callbacks/first',
    '/callbacks/second',
  ])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([first.webhook_id]))
  const events = await json<{ kind: string }[]>(['transaction', 'events', 'CALLED-0001'])
  expect(events.filter(({ kind }) => kind === 'callback_resent')).toHaveLength(2)
  expect((await malipo(['callback', 'show', String(first.id)])).out).toMatch(/ATTEMPT +AT +MS +HTTP/)
  await receiver.close()
})

test('lists what failed apart from what waits for its next attempt', async () => {
  const receiver = await startReceiver()
  const merchant = await newMerchant('--collection-callback-url', receiver.url)
  for (const [reference, status] of [
    ['GONE-0001', 410],
    ['LATER-0001', 503],
    ['FINE-0001', 200],
  ] as const) {
    receiver.answer({ status })
    await collect(merchant, reference)
    await soon(async () => (await callbacksOf(reference))[0]?.attempts === 1, `${reference} was attempted`)
  }
  const listed = async (...options: string[]) =>
    (
      await json<{ merchant_reference: string }[]>(['callback', 'list', '--merchant', merchant.public_key, ...options])
    ).map((callback) => callback.merchant_reference)
  expect(await listed('--failed')).toEqual(['GONE-0001'])
  expect(await listed('--retrying')).toEqual(['LATER-0001'])
  expect((await malipo(['callback', 'list', '--failed', '--retrying'])).code).toBe(2)
  await receiver.close()
})

test('resends callbacks by transaction, and by time, status and merchant', async () => {
  const merchant = await newMerchant('--collection-callback-url', gateway.receiver.url)
  for (const reference of ['AGAIN-0001', 'AGAIN-0002']) {
    await collect(merchant, reference)
    await deliveredTimes(reference, 1)
  }
  const [{ id: first }, { id: second }] = [(await callbacksOf('AGAIN-0001'))[0]!, (await callbacksOf('AGAIN-0002'))[0]!]
  expect(await json(['callback', 'resend', '--transaction', 'AGAIN-0001'])).toEqual({
    resent: 1,
    without_url: 0,
    callbacks: [first],
  })
  await resendAtOnce()
  await deliveredTimes('AGAIN-0001', 2)

  const since = ['callback', 'resend', '--since', '1h', '--merchant', merchant.public_key]
  expect(await json([...since, '--status', 'stopped'])).toEqual({ resent: 0, without_url: 0, callbacks: [] })
  expect(await json([...since, '--until', '30m'])).toEqual({ resent: 0, without_url: 0, callbacks: [] })
  expect((await malipo([...since, '--status', 'delivered'])).out).toMatch(/^2 callbacks go out within seconds\.\nWatch/)
  await resendAtOnce()
  await deliveredTimes('AGAIN-0001', 3)
  await deliveredTimes('AGAIN-0002', 2)
  const ids = gateway.receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([5, 2])
  expect([first, second].every(Number.isInteger)).toBe(true)
})

test('a callback waits without a URL; a resend delivers it and records where', async () => {
  const merchant = await newMerchant()
  await collect(merchant, 'WAITS-0001')
  const stopped = async () => (await callbacksOf('WAITS-0001')).filter(({ status }) => status === 'STOPPED')
  await soon(async () => (await stopped()).length === 1, 'the callback is kept')
  const [{ id }] = (await stopped()) as [CallbackRecord]
  expect(await stopped()).toMatchObject([
    { attempts: 0, url: '', next_attempt_at: null, waits_for_url: true, attempts_made: [] },
  ])
  expect((await malipo(['callback', 'list', '--transaction', 'WAITS-0001'])).out).toMatch(
    / STOPPED \(no URL is set\) +0 +- +\(none\)$/m,
  )
  const show = async () => (await malipo(['callback', 'show', String(id)])).out
  expect(await show()).toMatch(
    new RegExp(
      `^waits +for the merchant to have a URL: set one with npx --no -- malipo merchant set, then npx --no -- malipo callback resend ${id}$`,
      'm',
    ),
  )
  expect((await malipo(['callback', 'resend', String(id)])).out).toMatch(
    /^The merchant has no URL for callback \d+ .*: it keeps waiting\.\n/,
  )
  await resendAtOnce()
  await soon(async () => (await stopped()).length === 1, 'the resend without a URL has ended')
  const many = ['callback', 'resend', '--since', '1h', '--merchant', merchant.public_key]
  expect((await malipo(many)).out).toBe(
    '1 of 1 keeps waiting: the merchant has no URL for it. Set one with npx --no -- malipo merchant set, then send again.\n',
  )
  await resendAtOnce()
  await soon(async () => (await stopped()).length === 1, 'the resend without a URL has ended too')
  expect(await json<CallbackRecord[]>(['callback', 'list', '--merchant', merchant.public_key])).toMatchObject([{ id }])
  expect((await malipo(['callback', 'list', '--merchant', 'pub_nobody'])).code).toBe(3)
  expect(await json(['merchant', 'show', merchant.public_key])).toMatchObject({ callbacks_failing: [] })
  expect(await json<{ clean: boolean }>(['doctor'])).toMatchObject({ clean: true })

  await malipo([
    'merchant',
    'set',
    merchant.public_key,
    '--collection-callback-url',
    `${gateway.receiver.url}?token=not-for-everybody`,
  ])
  expect(await show()).toMatch(
    new RegExp(
      `^waits +to be sent to the URL that the merchant has now: npx --no -- malipo callback resend ${id}$`,
      'm',
    ),
  )
  const { out } = await malipo(['callback', 'resend', '--since', '1h', '--merchant', merchant.public_key])
  expect(out).toMatch(/^1 callback goes out within seconds\.\n/)
  await deliveredTimes('WAITS-0001', 1)
  expect(gateway.receiver.received.at(-1)).toMatchObject({
    path: '/callbacks?token=not-for-everybody',
    json: { payload: { merchant_reference: 'WAITS-0001' } },
  })
  expect(await callbacksOf('WAITS-0001')).toMatchObject([
    {
      waits_for_url: false,
      url: `${gateway.receiver.url}?token=***`,
      attempts_made: [{ attempt: 1, url: `${gateway.receiver.url}?token=***`, http_status: 200 }],
    },
  ])
  expect(await show()).toMatch(/^ATTEMPT +AT +MS +HTTP +URL +ERROR +REPLY\n +1 .*\?token=\*\*\*/m)
  expect(await show()).not.toContain('not-for-everybody')
})

test('more than 100 callbacks at once need a confirmation, and then all are sent', async () => {
  const { id } = await newMerchant()
  await gateway.client.query(
    `
    with t as (
      insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account, request_currency, request_amount_minor, currency, amount_minor, charge_minor,
        total_minor, charge_customer, allow_final_status_change, description, status, status_message, created_at, final_at)
      select nextval('transaction_ids'), $1, 'MANY-' || n, 'MANY-INTERNAL-' || n, 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', '256772000002', 'UGX', 500, 'UGX', 500, 5, 495, false, false, 'Many', 'FAILED', 'No', now(), now()
      from generate_series(1, 101) n returning id, merchant_id, merchant_reference
    ), r as (insert into transaction_references (merchant_id, merchant_reference, transaction_id) select merchant_id, merchant_reference, id from t)
    insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, attempts, created_at, finished_at)
    select 'cb_many_' || id, id, merchant_id, 'transaction.failed', $2, '{"event":"transaction.failed","payload":{"transaction_status":"FAILED"}}', 'STOPPED', 10, now(), now() from t`,
    [id, gateway.receiver.url],
  )
  const args = ['callback', 'resend', '--since', '1h', '--status', 'STOPPED', '--merchant', String(id)]
  expect(await malipo(args)).toEqual({
    code: 2,
    out: '',
    err: 'malipo: that is 101 callbacks; nothing was sent.\nAdd --yes to send them all.\n',
  })
  expect(await json([...args, '--yes'])).toMatchObject({ resent: 101 })
  await resendAtOnce()
  await soon(
    async () =>
      (await gateway.client.query(`select from callbacks where merchant_id = $1 and status = 'DELIVERED'`, [id]))
        .rowCount === 101,
    'all are delivered',
  )
})

test('a URL fails after 5 days without success, until one succeeds or it changes', async () => {
  const url = `${gateway.receiver.url}/dead`
  const { id, public_key } = await newMerchant('--collection-callback-url', url)
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
  async function addCallback(days: number, status: 'DELIVERED' | 'STOPPED', httpStatus: number | null): Promise<void> {
    await gateway.client.query(
      `
      with c as (
        insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, attempts, created_at, finished_at)
        select 'cb_' || gen_random_uuid(), -1, $1, 'transaction.failed', $2, '{}', $3, 1, $4, $4 returning id
      ) insert into callback_attempts (callback_id, attempt, at, duration_ms, http_status, error) select id, 1, $4, 20, $5, null from c`,
      [id, url, status, daysAgo(days), httpStatus],
    )
  }
  const failing = async () =>
    (await json<{ callbacks_failing: { url: string; since: string }[] }>(['merchant', 'show', public_key]))
      .callbacks_failing
  await addCallback(9, 'STOPPED', 503)
  await addCallback(8, 'DELIVERED', 200)
  await addCallback(4, 'STOPPED', null)
  expect(await failing()).toEqual([]) // failing for 4 days: the attempts before that were acknowledged
  await addCallback(6, 'STOPPED', 500)
  const [found, ...others] = await failing()
  expect([found!.url, others]).toEqual([url, []])
  expect(Math.abs(Date.parse(found!.since) - daysAgo(6).getTime())).toBeLessThan(60_000)
  expect((await malipo(['merchant', 'show', public_key])).out).toMatch(
    /callbacks failing +since \S+ \S+Z: nothing acknowledged at /,
  )

  await malipo(['merchant', 'set', public_key, '--collection-callback-url', `${gateway.receiver.url}/corrected`])
  expect(await failing()).toEqual([])
  await malipo(['merchant', 'set', public_key, '--refund-callback-url', url])
  expect(await failing()).toHaveLength(1)
  await addCallback(1, 'DELIVERED', 204)
  expect(await failing()).toEqual([])
  await gateway.client.query('delete from callbacks where transaction_id = -1')
})
