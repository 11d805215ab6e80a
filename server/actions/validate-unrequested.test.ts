import { expect, test } from 'vitest'
import type { PaymentRefusal } from './ports/rail.ts'
import { validateUnrequested, VALIDATION_MS_MAX } from './validate-unrequested.ts'

const PAYMENT = { amount: { amountMinor: 50_000n, currency: 'KES' as const }, reference: 'INV-7' }

test.each<[string, () => Promise<PaymentRefusal | undefined>, PaymentRefusal | undefined]>([
  ['refuses what is surely wrong', async () => 'unknown_reference', 'unknown_reference'],
  ['accepts what may be right', async () => undefined, undefined],
  ['accepts when the database is away', () => Promise.reject(new Error('away')), undefined],
  ['accepts without an answer in time', () => new Promise(() => undefined), undefined],
])('%s', async (_title, refusalOf, expected) => {
  const due: [number, () => void][] = []
  const timers = { after: (ms: number, run: () => void) => (due.push([ms, run]), () => void due.pop()) }
  const decided = validateUnrequested({ timers, refusalOf }, 'kenya', PAYMENT)
  await new Promise((resolve) => setImmediate(resolve))
  for (const [ms, run] of due) if (ms === VALIDATION_MS_MAX) run()
  expect(await decided).toBe(expected)
})
