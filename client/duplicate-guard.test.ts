import { expect, test, vi } from 'vitest'
import { createDuplicateGuard, webhooks, type DuplicateGuard, type VerifiedCallback } from './index.ts'
import { signedCallback, type CallbackInput } from './testing.ts'

type Handle = Parameters<DuplicateGuard['once']>[1]

const secret = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='

async function callbackOf(input: Omit<CallbackInput, 'secret'>): Promise<VerifiedCallback> {
  const { headers, body } = await signedCallback({ secret, ...input })
  return webhooks.verify(body, headers, secret)
}

test('handles a message once, however often and however fast it arrives', async () => {
  const guard = createDuplicateGuard()
  const handle = vi.fn(async () => {})
  const callback = await callbackOf({})
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => guard.once(callback, handle)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: 'handled' }])
  expect(await guard.once(callback, handle)).toBe('duplicate')
  expect(handle.mock.calls).toEqual([[callback, { statusChanged: false }]])
})

test('the same status in another message is a duplicate', async () => {
  const guard = createDuplicateGuard()
  expect(await guard.once(await callbackOf({ webhookId: 'cb_1' }), () => {})).toBe('handled')
  expect(await guard.once(await callbackOf({ webhookId: 'cb_2' }), () => {})).toBe('duplicate')
})

test('handles a second final status of a transaction, and marks it as a change', async () => {
  const guard = createDuplicateGuard()
  const handle = vi.fn<Handle>()
  for (const kind of ['collection.failed', 'collection.completed', 'collection.failed', 'payout.completed'] as const)
    await guard.once(await callbackOf({ kind }), handle)
  expect(
    handle.mock.calls.map(([{ payload }, { statusChanged }]) => [
      payload.transaction_type,
      payload.transaction_status,
      statusChanged,
    ]),
  ).toEqual([
    ['COLLECTION', 'FAILED', false],
    ['COLLECTION', 'COMPLETED', true],
    ['PAYOUT', 'COMPLETED', false],
  ])
})

test('handles the next attempt as if it were the first after the handler fails', async () => {
  const guard = createDuplicateGuard()
  const callback = await callbackOf({})
  await expect(guard.once(callback, () => Promise.reject(new Error('database down')))).rejects.toThrow('database down')
  const handle = vi.fn()
  expect(await guard.once(callback, handle)).toBe('handled')
  expect(handle).toHaveBeenCalledWith(callback, { statusChanged: false })
  expect(await guard.once(callback, handle)).toBe('duplicate')
})

test('keeps the first status when handling a second one fails', async () => {
  const guard = createDuplicateGuard()
  const late = await callbackOf({ kind: 'collection.completed' })
  await guard.once(await callbackOf({ kind: 'collection.failed' }), () => {})
  await expect(
    guard.once(late, () => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const handle = vi.fn()
  await guard.once(late, handle)
  expect(handle).toHaveBeenCalledWith(late, { statusChanged: true })
})

test('uses only the shared store when one is given', async () => {
  const seen = sharedStore()
  const callback = await callbackOf({ webhookId: 'cb_1' })
  expect(await createDuplicateGuard({ seen }).once(callback, () => {})).toBe('handled')
  expect(await createDuplicateGuard({ seen }).once(callback, () => {})).toBe('duplicate')
  expect([...seen.keys.keys()]).toEqual([
    'MLPZ1ZP8G0DY6MZXFRQH3EJ9D:ORDER-2026-0001:COMPLETED',
    'MLPZ1ZP8G0DY6MZXFRQH3EJ9D:ORDER-2026-0001',
  ])
})

test('evicts the oldest keys from memory', async () => {
  const guard = createDuplicateGuard()
  const callback = await callbackOf({})
  const numbered = (index: number): VerifiedCallback =>
    ({
      ...callback,
      webhookId: `cb_${index}`,
      payload: { ...callback.payload, internal_reference: `MLP-${index}` },
    }) as VerifiedCallback
  await guard.once(numbered(0), () => {})
  for (let index = 1; index <= 5000; index++) await guard.once(numbered(index), () => {})
  expect(await guard.once(numbered(5000), () => {})).toBe('duplicate')
  expect(await guard.once(numbered(0), () => {})).toBe('handled')
})

/** A store shared by all processes, and hooks that run before it looks up, adds or deletes a key. */
function sharedStore(before: (call: 'has' | 'add' | 'delete', key: string) => void = () => {}) {
  const keys = new Map<string, number>()
  return {
    keys,
    has: async (key: string) => (before('has', key), keys.has(key)),
    add: async (key: string, keepSeconds: number) => (
      before('add', key),
      !keys.has(key) && keys.set(key, keepSeconds) !== undefined
    ),
    delete: async (key: string) => (before('delete', key), keys.delete(key)),
  }
}

test.each(['add', 'has'])('handles the next attempt when the store fails before the handler (%s)', async (failing) => {
  let isDown = true
  const seen = sharedStore((call) => {
    if (isDown && call === failing) throw new Error('store down')
  })
  const guard = createDuplicateGuard({ seen })
  const callback = await callbackOf({})
  const handle = vi.fn()
  await expect(guard.once(callback, handle)).rejects.toThrow('store down')
  expect({ keys: [...seen.keys.keys()], calls: handle.mock.calls }).toEqual({ keys: [], calls: [] })
  isDown = false
  expect(await guard.once(callback, handle)).toBe('handled')
  expect(handle).toHaveBeenCalledWith(callback, { statusChanged: false })
})

test('acknowledges what was handled, although the store fails after it', async () => {
  let isDown = false
  const seen = sharedStore(() => {
    if (isDown) throw new Error('store down')
  })
  expect(
    await createDuplicateGuard({ seen }).once(await callbackOf({}), () => {
      isDown = true
    }),
  ).toBe('handled')
})

test("throws the handler's error when the lock cannot be released", async () => {
  const seen = sharedStore((call) => {
    if (call === 'delete') throw new Error('store down')
  })
  await expect(
    createDuplicateGuard({ seen }).once(await callbackOf({}), () => {
      throw new Error('no stock')
    }),
  ).rejects.toThrow('no stock')
  expect([...seen.keys]).toEqual([['running:MLPZ1ZP8G0DY6MZXFRQH3EJ9D:ORDER-2026-0001', 300]])
})

test('refuses a callback that is being handled anywhere, and takes it after a failure', async () => {
  const seen = sharedStore()
  const [here, there] = [createDuplicateGuard({ seen }), createDuplicateGuard({ seen })]
  const callback = await callbackOf({})
  const { promise, reject } = Promise.withResolvers<void>()
  const first = here.once(callback, () => promise)
  for (const guard of [here, there]) await expect(guard.once(callback, () => {})).rejects.toThrow('is being handled')
  reject(new Error('no stock'))
  await expect(first).rejects.toThrow('no stock')
  expect(await there.once(callback, () => {})).toBe('handled')
  expect(await here.once(callback, () => {})).toBe('duplicate')
})

test('a process that dies in the handler blocks its transaction for minutes only', async () => {
  const seen = sharedStore()
  const callback = await callbackOf({})
  void createDuplicateGuard({ seen }).once(callback, () => new Promise(() => {})) // never ends
  await expect.poll(() => [...seen.keys]).toEqual([['running:MLPZ1ZP8G0DY6MZXFRQH3EJ9D:ORDER-2026-0001', 300]])
  const next = createDuplicateGuard({ seen })
  await expect(next.once(callback, () => {})).rejects.toThrow('is being handled')
  seen.keys.clear() // five minutes later
  expect(await next.once(callback, () => {})).toBe('handled')
  expect([...seen.keys.values()]).toEqual([432_000, 432_000])
})

test('does not handle two statuses concurrently, so that the change mark is correct', async () => {
  const guard = createDuplicateGuard()
  const { promise, reject } = Promise.withResolvers<void>()
  const completed = await callbackOf({ kind: 'collection.completed' })
  const failed = guard.once(await callbackOf({ kind: 'collection.failed' }), () => promise)
  const handle = vi.fn()
  await expect(guard.once(completed, handle)).rejects.toThrow('is being handled')
  reject(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  expect(await guard.once(completed, handle)).toBe('handled')
  expect(handle.mock.calls).toEqual([[completed, { statusChanged: false }]])
})

test('two merchants in one process may have the same reference', async () => {
  const guard = createDuplicateGuard()
  const one = await callbackOf({ webhookId: 'cb_1' })
  const other = await callbackOf({ webhookId: 'cb_2', payload: { internal_reference: 'MLP5Z6JER35TNMSJ3MSQFT7X6' } })
  expect(other.payload.merchant_reference).toBe(one.payload.merchant_reference)
  const handle = vi.fn<Handle>()
  expect([await guard.once(one, handle), await guard.once(other, handle)]).toEqual(['handled', 'handled'])
  expect(handle.mock.calls.map(([, note]) => note)).toEqual([{ statusChanged: false }, { statusChanged: false }])
})
