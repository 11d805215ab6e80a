import { expect, onTestFinished, test, vi } from 'vitest'
import { replay } from './replay.ts'
import { signedCallback } from './testing.ts'

const secret = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='

async function listed(number: number, signedWith = secret) {
  const { headers, body } = await signedCallback({ secret: signedWith, webhookId: `cb_${number}` })
  return {
    number,
    webhook_id: headers['webhook-id'],
    webhook_timestamp: headers['webhook-timestamp'],
    webhook_signature: headers['webhook-signature'],
    body,
  }
}

test('events of a page stay authentic, however long each of them takes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const events = await Promise.all([1, 2, 3].map((number) => listed(number)))
  const numbers: number[] = []
  for await (const { number } of replay(async () => ({ events }), secret)) {
    numbers.push(number)
    vi.setSystemTime(Date.now() + 400_000)
  }
  expect(numbers).toEqual([1, 2, 3])
})

test('an event that does not verify ends it after those before it', async () => {
  const events = [await listed(1), await listed(2, 'whsec_b3RoZXItc2VjcmV0LW9mLXNvbWVib2R5LWVsc2U='), await listed(3)]
  const all = replay(async () => ({ events }), secret)
  expect((await all.next()).value?.number).toBe(1)
  await expect(all.next()).rejects.toMatchObject({ reason: 'wrong_signature' })
})
