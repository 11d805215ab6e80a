import { expect, test } from 'vitest'
import { startDatabaseProxy } from '../chaos/database-proxy.ts'
import { createTestDatabase } from '../testing/database.ts'
import { startTestGateway } from '../testing/gateway.ts'
import { mobileMoneyCollection, postJson } from '../testing/requests.ts'
import { forFile } from '../testing/for-file.ts'

// A connection that breaks at the moment of the commit: the outcome is unknown until the request is sent again.

const { connection } = await forFile(createTestDatabase())
const proxy = await forFile(startDatabaseProxy(connection))
const gateway = await forFile(startTestGateway({ connection: { ...connection, host: '127.0.0.1', port: proxy.port } }))

/**
 * Sends forty payments at once; those that share the first commit lose their connection and are then sent again.
 * @returns the replies to the second attempt
 */
async function sendTwice(
  cut: 'reply' | 'commit',
  withKey: boolean,
): Promise<{ readonly answers: Set<string>; readonly transactions: number }> {
  const payments = Array.from({ length: 40 }, () => mobileMoneyCollection())
  const sendAll = (bodies = payments) =>
    Promise.all(
      bodies.map((body) =>
        postJson(
          gateway.url,
          '/collections/initialize',
          body,
          withKey ? { 'idempotency-key': `key-${String(body.merchant_reference)}` } : {},
        ),
      ),
    )
  const plan = proxy.disturbCommits({ what: `${cut} cut` }, 1)
  const first = await sendAll()
  expect(plan.left()).toBe(0)
  const answers = first.map(({ status, headers }) => `${status}, again after ${headers.get('retry-after')} s`)
  expect(answers).toContain('503, again after 1 s')
  expect(answers.filter((answer) => !['202, again after null s', '503, again after 1 s'].includes(answer))).toEqual([])
  const second = await sendAll(payments.filter((_, index) => first[index]!.status === 503))
  const { rows } = await gateway.pool.query('select from transactions where merchant_reference = any($1)', [
    payments.map((body) => body.merchant_reference),
  ])
  return {
    answers: new Set(
      second.map(({ status, headers }) => `${status}${headers.has('idempotency-replayed') ? ' replayed' : ''}`),
    ),
    transactions: rows.length,
  }
}

test('an Idempotency-Key returns the lost reply, and there is one transaction', async () => {
  expect(await sendTwice('reply', true)).toEqual({ answers: new Set(['202 replayed']), transactions: 40 })
})
test('without a key the retry gets a 409, and there is one transaction', async () => {
  expect(await sendTwice('reply', false)).toEqual({ answers: new Set(['409']), transactions: 40 })
})
test('a commit that never arrived leaves nothing: the request passes, key or not', async () => {
  expect(await sendTwice('commit', true)).toEqual({ answers: new Set(['202']), transactions: 40 })
  expect(await sendTwice('commit', false)).toEqual({ answers: new Set(['202']), transactions: 40 })
})
