import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge, type HandedOrder, type MovedLine, type Rules, type Subject } from './reconciliation.ts'

const HOUR_MS = 3_600_000
const START = new Date('2026-03-01T00:00:00Z').getTime()
const at = (hours: number): Date => new Date(START + hours * HOUR_MS)
const RULES: Rules = { windowMs: 24 * HOUR_MS, from: at(0), until: at(240) }

const order = (changes: Partial<HandedOrder> = {}): HandedOrder => ({
  transactionId: 1n,
  type: 'COLLECTION',
  status: 'COMPLETED',
  amountMinor: 5_000n,
  finalAt: at(50),
  ...changes,
})
const line = (changes: Partial<MovedLine> = {}): MovedLine => ({
  id: 1n,
  reference: 'R1',
  occurrence: 1,
  at: at(50),
  direction: 'in',
  amountMinor: 5_000n,
  feeMinor: 0n,
  ...changes,
})
const kinds = (subject: Subject, rules = RULES) =>
  judge(subject, rules).map(({ kind, suspenseMinor }) => [kind, suspenseMinor])

describe('agreement is no difference', () => {
  test.each([
    ['a collection', order(), line()],
    ['a payout', order({ type: 'PAYOUT' }), line({ direction: 'out' })],
    ['a refund', order({ type: 'REFUND' }), line({ direction: 'out' })],
    ['booked before our notice', order(), line({ at: at(40) })],
    ['booked exactly a window later', order(), line({ at: at(74) })],
    ['with the fee that it should have', order(), line({ feeMinor: 50n, expectedFeeMinor: 50n })],
    ['with a fee where none is surprising', order(), line({ feeMinor: 50n })],
    ['an order that its line will end', order({ status: 'PROCESSING' }), line()],
  ])('%s', (_what, given, found) => {
    expect(kinds({ order: given, lines: [found] })).toEqual([])
  })

  test('a fee in a line of its own', () => {
    const charge = line({ id: 2n, direction: 'out', amountMinor: 0n, feeMinor: 13n })
    expect(kinds({ order: order(), lines: [line({ expectedFeeMinor: 13n }), charge] })).toEqual([])
  })
})

describe('each kind of difference, with what waits on the suspense account', () => {
  test.each([
    ['a collection that the statement does not have', order(), [], ['missing_at_operator', -5_000n]],
    ['a payout that it does not have', order({ type: 'PAYOUT' }), [], ['missing_at_operator', 5_000n]],
    ['a refund that it does not have', order({ type: 'REFUND' }), [], ['missing_at_operator', 5_000n]],
    ['unexplained money in', undefined, [line()], ['missing_with_us', 5_000n]],
    ['unexplained money out', undefined, [line({ direction: 'out' })], ['missing_with_us', -5_000n]],
    ['money of what failed here', order({ status: 'FAILED' }), [line()], ['missing_with_us', 5_000n]],
    ['more than was ordered', order(), [line({ amountMinor: 5_001n })], ['amount_differs', 1n]],
    ['less than was ordered', order(), [line({ amountMinor: 4_000n })], ['amount_differs', -1_000n]],
    [
      'a payout of more than was ordered',
      order({ type: 'PAYOUT' }),
      [line({ direction: 'out', amountMinor: 6_000n })],
      ['amount_differs', -1_000n],
    ],
    [
      'another amount of what has no result: all of it waits',
      order({ status: 'PROCESSING' }),
      [line({ amountMinor: 4_000n })],
      ['amount_differs', 4_000n],
    ],
    ['a higher fee', order(), [line({ feeMinor: 60n, expectedFeeMinor: 50n })], ['fee_differs', -10n]],
    ['a lower fee', order(), [line({ feeMinor: 0n, expectedFeeMinor: 50n })], ['fee_differs', 50n]],
    ['booked more than a window later', order(), [line({ at: new Date(at(74).getTime() + 1) })], ['late', 0n]],
  ] as const)('%s', (_what, given, lines, found) => {
    expect(kinds({ ...(given && { order: given }), lines })).toEqual([found])
  })

  test("paid twice: one line is the order's own, the others are too many", () => {
    const lines = [line({ id: 2n, reference: 'R2', at: at(51) }), line(), line({ id: 3n, occurrence: 2 })]
    expect(judge({ order: order(), lines }, RULES).map((each) => [each.kind, each.line?.id])).toEqual([
      ['duplicate', 3n],
      ['duplicate', 2n],
    ])
  })

  test('a refund: the order has its line, and the other is unknown', () => {
    const back = line({ id: 2n, reference: 'R2', direction: 'out' })
    expect(kinds({ order: order(), lines: [line(), back] })).toEqual([['missing_with_us', -5_000n]])
  })
})

describe("which of several lines is the order's own, however they were read", () => {
  const own = line({ id: 1n })
  test.each([
    ['the one of the ordered amount, though it came later', own, line({ amountMinor: 4_000n, at: at(40) })],
    ['of equal amounts the earlier one', own, line({ reference: 'R0', at: at(51) })],
    ['of one moment the one with the first reference', own, line({ reference: 'R2' })],
    ['of one reference the one that stands first in it', own, line({ occurrence: 2 })],
  ])('%s', (_which, first, second) => {
    const other = { ...second, id: 2n }
    for (const lines of [
      [first, other],
      [other, first],
    ])
      expect(judge({ order: order(), lines }, RULES).map((each) => [each.kind, each.line?.id])).toEqual([
        ['duplicate', 2n],
      ])
  })

  test('of those without an order each is a difference, the earliest first', () => {
    const lines = [line({ id: 2n, at: at(51) }), line({ id: 1n, amountMinor: 4_000n })]
    expect(judge({ lines }, RULES).map((each) => [each.kind, each.line?.id])).toEqual([
      ['missing_with_us', 1n],
      ['missing_with_us', 2n],
    ])
  })
})

describe('the fees of a subject', () => {
  const dear = { feeMinor: 60n, expectedFeeMinor: 50n }
  const alone = line({ direction: 'out', amountMinor: 0n, feeMinor: 13n })

  test("differ at the order's own line, and put the account of fees right", () => {
    const own = line({ id: 2n, ...dear })
    const back = line({ direction: 'out', at: at(40), expectedFeeMinor: 0n })
    expect(judge({ order: order(), lines: [back, own] }, RULES)).toEqual([
      {
        kind: 'missing_with_us',
        line: back,
        foundMinor: 5_000n,
        suspenseMinor: -5_000n,
        corrected: 'rail',
      },
      {
        kind: 'fee_differs',
        line: own,
        expectedMinor: 50n,
        foundMinor: 60n,
        suspenseMinor: -10n,
        corrected: 'fee',
      },
    ])
  })

  test.each([
    ['of an order that we know: at once', { order: order(), lines: [line({ at: at(230), ...dear })] }, true],
    ['of an unexplained line: when its time is over', { lines: [line({ at: at(216), ...dear })] }, true],
    ['of a line that may still get its name: not yet', { lines: [line({ at: at(216.1), ...dear })] }, false],
    ['without the movement that they are for: not yet', { order: order({ status: 'FAILED' }), lines: [alone] }, false],
    ['of no order, without a movement: not at all', { lines: [alone] }, false],
  ])('differ %s', (_when, subject, differ) => {
    expect(judge(subject, RULES).some(({ kind }) => kind === 'fee_differs')).toBe(differ)
  })
})

describe('nothing is missing before its time', () => {
  test.each([
    ['an order whose line may still arrive', { order: order({ finalAt: at(216.1) }), lines: [] }, []],
    ['an order whose time is just over', { order: order({ finalAt: at(216) }), lines: [] }, ['missing_at_operator']],
    ['an order of before the first statement', { order: order({ finalAt: at(23.9) }), lines: [] }, []],
    [
      'an order that the first statement must have',
      { order: order({ finalAt: at(24) }), lines: [] },
      ['missing_at_operator'],
    ],
    ['what failed: the operator has not moved it either', { order: order({ status: 'FAILED' }), lines: [] }, []],
    ['what never ended', { order: order({ status: 'PROCESSING', finalAt: undefined as never }), lines: [] }, []],
    ['a line whose order may still get its name', { lines: [line({ at: at(216.1) })] }, []],
    ['a line whose time is over', { lines: [line({ at: at(216) })] }, ['missing_with_us']],
  ] as const)('%s', (_what, subject, found) => {
    expect(judge(subject, RULES).map(({ kind }) => kind)).toEqual(found)
  })
})

const lines = fc.uniqueArray(
  fc.record({
    id: fc.bigInt(1n, 1_000n),
    reference: fc.constantFrom('R1', 'R2', 'R3'),
    occurrence: fc.integer({ min: 1, max: 3 }),
    at: fc.integer({ min: 0, max: 200 }).map(at),
    direction: fc.constantFrom('in' as const, 'out' as const),
    amountMinor: fc.constantFrom(0n, 4_000n, 5_000n),
    feeMinor: fc.bigInt(0n, 20n),
  }),
  { selector: ({ id }) => id, maxLength: 5 },
)
const orders = fc.record({
  transactionId: fc.constant(1n),
  type: fc.constantFrom('COLLECTION' as const, 'PAYOUT' as const),
  status: fc.constantFrom('COMPLETED' as const, 'FAILED' as const),
  amountMinor: fc.constantFrom(4_000n, 5_000n),
  finalAt: fc.integer({ min: 30, max: 200 }).map(at),
})
const effect = (direction: 'in' | 'out', minor: bigint): bigint => (direction === 'in' ? minor : -minor)

test('suspense holds what the operator moved less what we booked, for any lines', () => {
  fc.assert(
    fc.property(orders, lines, (given, found) => {
      const waits = judge({ order: given, lines: found }, RULES)
        .filter(({ corrected }) => corrected === 'rail')
        .reduce((sum, { suspenseMinor }) => sum + suspenseMinor, 0n)
      const moved = found.reduce((sum, each) => sum + effect(each.direction, each.amountMinor), 0n)
      const booked =
        given.status === 'COMPLETED' ? effect(given.type === 'COLLECTION' ? 'in' : 'out', given.amountMinor) : 0n
      expect(waits).toBe(moved - booked)
    }),
  )
})

test('the order of the lines changes nothing', () => {
  const numbered = lines.map((each) => each.map((one, index) => ({ ...one, occurrence: index + 1 })))
  fc.assert(
    fc.property(orders, numbered, fc.infiniteStream(fc.nat()), (given, found, chance) => {
      const shuffled = found
        .map((each) => ({ each, by: chance.next().value as number }))
        .sort((one, other) => one.by - other.by)
        .map(({ each }) => each)
      expect(judge({ order: given, lines: shuffled }, RULES)).toEqual(judge({ order: given, lines: found }, RULES))
    }),
  )
})

test.each([
  ['an unclear entry that came', { doubt: 'unclear', direction: 'in', amountMinor: 500n }, ['unclear', 500n]],
  ['an unclear entry that went', { doubt: 'unclear', direction: 'out', amountMinor: 500n }, ['unclear', -500n]],
  ['an unclear entry without a direction', { doubt: 'unclear', amountMinor: 500n }, ['unclear', 0n]],
  ['an unclear entry without an amount', { doubt: 'unclear', direction: 'in' }, ['unclear', 0n]],
  ['a repetition', { doubt: 'maybe_repeated', direction: 'in', amountMinor: 500n }, ['maybe_repeated', 0n]],
] as const)('puts the money of %s on suspense as far as it is known', (_what, doubtful, expected) => {
  expect(kinds({ lines: [], doubtful: [{ id: 1n, ...doubtful }] })).toEqual([expected])
  expect(kinds({ lines: [line()], doubtful: [{ id: 2n, ...doubtful }] })).toEqual([
    ['missing_with_us', 5_000n],
    expected,
  ])
})
