import { expect, test } from 'vitest'
import type { WireReply } from '../../harness/proxy.ts'
import { createTrouble } from './trouble.ts'

const reply = (status: number): WireReply => ({ status, headers: {}, body: Buffer.alloc(0) })
const request = { method: 'GET', path: '/data/wallet-balances', headers: {}, body: Buffer.alloc(0) }

test('reports a failure of the gateway itself, whatever the fault makes of it', async () => {
  const trouble = createTrouble()
  const { onReply } = trouble.watched({ onReply: () => reply(200) })
  expect(trouble.first()).toBeUndefined()
  await onReply?.(reply(503), request)
  expect(trouble.first()).toBe('503 to GET /data/wallet-balances')
})

test('takes no operator that is silent for a failure of the gateway', () => {
  const trouble = createTrouble()
  trouble.noted({ ...reply(503), body: Buffer.from('{"reason":"operator_unavailable"}') }, request)
  expect(trouble.first()).toBeUndefined()
})

test('ignores a failure that the fault itself causes or answers', async () => {
  const trouble = createTrouble()
  const answer = reply(500)
  const { onRequest, onReply } = trouble.watched({ onRequest: () => ({ answer }), onReply: () => reply(503) })
  await onRequest?.(request)
  await onReply?.(answer, request)
  await onReply?.(reply(202), request)
  expect(trouble.first()).toBeUndefined()
})
