import { expect, test } from 'vitest'
import type { OperatorExchange } from '../../actions/ports/operator-exchanges.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { createOperatorExchanges } from '../../storage/operator-exchanges.ts'
import { listExchanges } from './exchanges.ts'

const { pool } = await databaseTest()
const AT = new Date('2026-03-02T08:00:00Z')
const LATER = new Date('2026-03-02T08:00:00.001Z')

const silent: OperatorExchange = {
  railAccount: 'mtn-ug',
  purpose: 'submit',
  orderId: 'o-1',
  at: AT,
  durationMs: 15_000,
  method: 'POST',
  path: '/collection/v1_0/requesttopay',
  request: 'authorization: ***\n\n{}',
  error: 'no reply within 15 s',
}
const answered: OperatorExchange = { ...silent, at: LATER, purpose: 'ask', status: 200, reply: '\n\n{}' }
const token: OperatorExchange = {
  railAccount: 'mpesa',
  purpose: 'token',
  at: AT,
  durationMs: 40,
  method: 'GET',
  path: '/oauth/v1/generate',
  request: '',
  status: 200,
  reply: '',
}

test('finds exchanges by order, rail account and time, newest first, unchanged', async () => {
  const lost: unknown[] = []
  const exchanges = createOperatorExchanges(pool, (error) => lost.push(error))
  for (const each of [silent, token, answered]) exchanges.add(each)
  await exchanges.flushed()
  expect(lost).toEqual([])
  expect(await listExchanges(pool, { orderId: 'o-1', limit: 10 })).toEqual([answered, silent])
  expect(await listExchanges(pool, { orderId: 'o-2', limit: 10 })).toEqual([])
  expect(await listExchanges(pool, { railAccount: 'mpesa', limit: 10 })).toEqual([token])
  expect(await listExchanges(pool, { since: LATER, limit: 10 })).toEqual([answered])
  expect(await listExchanges(pool, { limit: 1 })).toEqual([answered])
})
