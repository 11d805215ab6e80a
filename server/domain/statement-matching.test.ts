import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseOrder, type Candidate } from './statement-matching.ts'

const LINE = { direction: 'in', amountMinor: 5_000n } as const
const candidate = (transactionId: bigint, changes: Partial<Candidate> = {}): Candidate => ({
  transactionId,
  by: 'ours',
  direction: 'in',
  amountMinor: 5_000n,
  ...changes,
})

test.each([
  ['our own name counts first', [candidate(1n, { by: 'theirs' }), candidate(2n, { amountMinor: 4_000n })], 2n],
  ['then the way', [candidate(1n, { direction: 'out' }), candidate(2n, { amountMinor: 4_000n })], 2n],
  ['then the amount', [candidate(1n, { amountMinor: 4_000n }), candidate(2n)], 2n],
  ['of equals the older one', [candidate(9n), candidate(10n)], 9n],
  ['nobody of nobody', [], undefined],
])('%s', (_what, candidates, chosen) => {
  expect(chooseOrder(LINE, candidates)?.transactionId).toBe(chosen)
})

test('the order of the candidates changes nothing', () => {
  const some = fc.uniqueArray(
    fc.record({
      transactionId: fc.bigInt(1n, 50n),
      by: fc.constantFrom('ours' as const, 'theirs' as const),
      direction: fc.constantFrom('in' as const, 'out' as const),
      amountMinor: fc.constantFrom(4_000n, 5_000n),
    }),
    { selector: ({ transactionId }) => transactionId },
  )
  fc.assert(
    fc.property(some, (candidates) => {
      expect(chooseOrder(LINE, candidates.toReversed())).toEqual(chooseOrder(LINE, candidates))
    }),
  )
})
