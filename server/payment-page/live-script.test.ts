import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { STEPS } from './testing/fake-payments.ts'
import { LIVE_SCRIPT_PATH } from './live-script.ts'
import { start, browse } from './testing/tab.ts'

test('has one address that changes with its text, cached for ever', async () => {
  const payments = start()
  expect((await browse(payments, payments.add(STEPS.approve_phone)).get()).body).toContain(
    `<script src="${LIVE_SCRIPT_PATH}" defer>`,
  )
  const reply = await payments.app.inject(LIVE_SCRIPT_PATH)
  expect([
    reply.statusCode,
    reply.headers['content-type'],
    reply.headers['cache-control'],
    reply.headers['x-content-type-options'],
  ]).toEqual([200, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable', 'nosniff'])
  expect(() => new Script(reply.body)).not.toThrow()
})
test("the state is the page's, stable while nothing changes, and reveals nothing", async () => {
  const payments = start()
  const reference = payments.add(STEPS.enter_otp)
  const tab = browse(payments, reference)
  const inPage = /data-state="([^"]+)"/.exec((await tab.get()).body)?.[1]
  const state = async () => (await tab.get('/status')).json<{ state: string }>().state
  payments.advance(60_000)
  expect(await state()).toBe(inPage)
  expect(inPage).toMatch(/^[A-Za-z0-9_-]{16}$/)
  payments.move(reference, STEPS.approve_phone)
  const approving = await state()
  expect(approving).not.toBe(inPage)
  payments.move(reference, STEPS.completed)
  expect(await state()).not.toBe(approving)
  // Another gateway has another key: the same step has a different state.
  const other = start()
  expect((await browse(other, other.add(STEPS.completed)).get('/status')).json<{ state: string }>().state).not.toBe(
    await state(),
  )
})
