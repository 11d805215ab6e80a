import { expect, test, vi } from 'vitest'
import { createDuplicateGuard, webhooks, type VerifiedCallback } from './index.ts'
import { signedCallback, type CallbackInput } from './testing.ts'

const secret = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='

async function callbackOf(input: Omit<CallbackInput, 'secret'>): Promise<VerifiedCallback> {
  const { headers, body } = await signedCallback({ secret, ...input })
  return webhooks.verify(body, headers, secret)
}

test('a message is handled once, however often and however fast it comes', async () => {
  const guard = createDuplicateGuard()
  const handle = vi.fn(async () => {})
  const callback = await callbackOf({})
  const results = await Promise.all(Array.from({ length: 10 }, () => guard.once(callback, handle)))
  expect(results.toSorted()).toEqual([...Array(9).fill('duplicate'), 'handled'])
  expect(handle.mock.calls).toEqual([[callback, { statusChanged: false }]])
})

test('the same news in another message is a duplicate', async () => {
  const guard = createDuplicateGuard()
  expect(await guard.once(await callbackOf({ webhookId: 'cb_1' }), () => {})).toBe('handled')
  expect(await guard.once(await callbackOf({ webhookId: 'cb_2' }), () => {})).toBe('duplicate')
})

test('a second final status of a transaction is handled, and told apart', async () => {
  const guard = createDuplicateGuard()
  const handle = vi.fn()
  for (const kind of ['collection.failed', 'collection.completed', 'collection.failed', 'payout.completed'] as const) await guard.once(await callbackOf({ kind }), handle)
  expect(handle.mock.calls.map(([{ payload }, { statusChanged }]) => [payload.transaction_type, payload.transaction_status, statusChanged]))
    .toEqual([['COLLECTION', 'FAILED', false], ['COLLECTION', 'COMPLETED', true], ['PAYOUT', 'COMPLETED', false]])
})

test('when handling fails, the next attempt is handled, as if it were the first', async () => {
  const guard = createDuplicateGuard()
  const callback = await callbackOf({})
  await expect(guard.once(callback, () => Promise.reject(new Error('database down')))).rejects.toThrow('database down')
  const handle = vi.fn()
  expect(await guard.once(callback, handle)).toBe('handled')
  expect(handle).toHaveBeenCalledWith(callback, { statusChanged: false })
  expect(await guard.once(callback, handle)).toBe('duplicate')
})

test('when handling a second status fails, the first is not forgotten', async () => {
  const guard = createDuplicateGuard()
  const late = await callbackOf({ kind: 'collection.completed' })
  await guard.once(await callbackOf({ kind: 'collection.failed' }), () => {})
  await expect(guard.once(late, () => { throw new Error('no') })).rejects.toThrow('no')
  const handle = vi.fn()
  await guard.once(late, handle)
  expect(handle).toHaveBeenCalledWith(late, { statusChanged: true })
})

test('a store that all processes share is asked, and nothing else', async () => {
  const keys = new Set<string>()
  const seen = { add: async (key: string) => !keys.has(key) && keys.add(key) !== undefined, delete: async (key: string) => keys.delete(key) }
  const callback = await callbackOf({ webhookId: 'cb_1' })
  expect(await createDuplicateGuard({ seen }).once(callback, () => {})).toBe('handled')
  expect(await createDuplicateGuard({ seen }).once(callback, () => {})).toBe('duplicate')
  expect([...keys]).toEqual(['message:cb_1', 'status:COLLECTION:ORDER-2026-0001:COMPLETED', 'transaction:COLLECTION:ORDER-2026-0001'])
})

test('in memory the oldest are forgotten, so that it does not grow for ever', async () => {
  const guard = createDuplicateGuard()
  const callback = await callbackOf({})
  const numbered = (index: number): VerifiedCallback => ({ ...callback, webhookId: `cb_${index}`, payload: { ...callback.payload, merchant_reference: `ORDER-${index}` } } as VerifiedCallback)
  await guard.once(numbered(0), () => {})
  for (let index = 1; index <= 3333; index++) await guard.once(numbered(index), () => {})
  expect(await guard.once(numbered(3333), () => {})).toBe('duplicate')
  expect(await guard.once(numbered(0), () => {})).toBe('handled')
})
