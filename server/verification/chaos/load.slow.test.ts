import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { forFile } from '../testing/for-file.ts'
import { createLoad } from './load.ts'
import { until } from './patience.ts'

const answerAt = (time: number): number => (time === 1 ? 503 : 202)
/** Accepts payouts and collections without an OTP; replies 503 to the first attempt of each. */
const tries = new Map<string, number>()
const server = createServer((request, response) => {
  const answer = async () => {
    const body = JSON.parse((await text(request)) || '{}') as { merchant_reference?: string }
    const reference = body.merchant_reference ?? ''
    const times = (tries.get(reference) ?? 0) + 1
    tries.set(reference, times)
    const isRequested = request.method === 'GET'
    response.writeHead(isRequested ? 200 : answerAt(times))
    response.end(JSON.stringify({ data: { transaction_status: 'COMPLETED', internal_reference: 'MLP' } }))
  }
  void answer()
})
await forFile(new Promise<{ close(): void }>((resolve) => void server.listen(0, '127.0.0.1', () => resolve(server))))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

test('a steady load goes on until its end and reports every 202 at once', async () => {
  let accepted = 0
  const load = createLoad([url], () => void (accepted += 1))
  const end = new AbortController()
  const sending = load.sendUntil(end.signal, 100)
  await until(async () => accepted >= 20, 20_000, 'payments are accepted')
  end.abort()
  await sending
  // 503 is no acceptance: each was resent until it was accepted.
  expect(load.acknowledged.size).toBe(accepted)
  expect([...load.acknowledged].every((reference) => (tries.get(reference) ?? 0) >= 2)).toBe(true)
  expect(load.complaints).toEqual([])
  const sent = tries.size
  await load.sendOne()
  expect(tries.size).toBe(sent + 1)
})
