import { expect, test } from 'vitest'
import type { PaymentRefusal } from './ports/rail.ts'
import { createRefusals, validateUnrequested, VALIDATION_MS_MAX } from './validate-unrequested.ts'

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

const NOW = new Date('2026-03-02T10:00:00Z')
const EXPECTED = { minMinor: 50_000n, maxMinor: 50_000n, expiresAt: new Date('2026-03-02T11:00:00Z'), isOpen: true }

test.each([
  ['is what is expected', EXPECTED, false, undefined],
  ['is of a reference that nobody expects', undefined, false, undefined],
  ['is paid already', { ...EXPECTED, isOpen: false }, false, 'unknown_reference'],
  ['is over', { ...EXPECTED, expiresAt: NOW }, false, 'unknown_reference'],
  ['is another amount', { ...EXPECTED, minMinor: 60_000n, maxMinor: 60_000n }, false, 'wrong_amount'],
  ['is that of an order, whatever was expected before', { ...EXPECTED, isOpen: false }, true, undefined],
  ['is that of an order of another amount', { ...EXPECTED, maxMinor: 1n }, true, undefined],
] as const)('decides about a payment that %s', async (_what, expected, isOrdered, refusal) => {
  const refusalOf = createRefusals({
    accountMessages: { isAwaited: async () => isOrdered },
    clock: { now: () => NOW },
    expectedAt: async () => expected,
  })
  expect(await refusalOf('kenya', PAYMENT)).toBe(refusal)
})
