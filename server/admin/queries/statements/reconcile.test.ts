import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judge } from '../../../domain/reconciliation.ts'
import { present } from '../../../domain/present.ts'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { expectBalancedBooks } from '../../../verification/testing/ledger.ts'
import { smallerByDefault } from '../../../verification/testing/nightly.ts'
import { examine } from '../doctor.ts'
import { endException, findException } from './end-exception.ts'
import { listImports, type NewStatementLine } from './import.ts'
import type { StatementNames } from './matching.ts'
import { givenOrders, importLines, statementAccount, type OrderFixture } from './testing/installed.ts'

const HOUR_MS = 3_600_000
const START = new Date('2026-03-01T00:00:00Z').getTime()
const at = (hours: number): Date => new Date(START + hours * HOUR_MS)
const NOW = at(300)
const WINDOW_MS = 24 * HOUR_MS
const NAMES: StatementNames = { receipt: { COLLECTION: 'financialTransactionId', PAYOUT: 'financialTransactionId' } }

const NO_STATEMENT = { source: 0, account: '' }

const { pool } = await databaseTest()
let made = 0

/** A rail account of its own, with helpers that work on it. */
async function given(names: StatementNames = NAMES) {
  made += 1
  const railAccount = `mtn-${made}`
  const account = await statementAccount(pool, railAccount, { now: NOW, names, windowMs: WINDOW_MS })
  const order = (changes: Partial<OrderFixture> = {}): OrderFixture => {
    made += 1
    return {
      id: BigInt(made),
      orderId: randomUUID(),
      type: 'COLLECTION',
      status: 'COMPLETED',
      amountMinor: 5_000n,
      at: at(100),
      ...changes,
    }
  }
  const lineOf = ({ orderId, amountMinor, type }: OrderFixture, changes: Partial<NewStatementLine> = {}) => {
    made += 1
    return {
      ...NO_STATEMENT,
      bookedOn: (changes.at ?? at(100)).toISOString().slice(0, 10),
      lineNumber: BigInt(made),
      reference: `R${made}`,
      ourReference: orderId,
      at: at(100),
      direction: type === 'COLLECTION' ? 'in' : 'out',
      amountMinor,
      feeMinor: 0n,
      ...changes,
    }
  }
  /**
   * Imports the lines as one statement. `spanning` sets the period of the statements: its lines match orders, so that
   * they are no difference themselves.
   */
  const imported = (lines: readonly NewStatementLine[]) => importLines(pool, railAccount, lines, NOW)
  async function spanning() {
    const ends = [order({ at: at(0) }), order({ at: at(250) })]
    await givenOrders(pool, railAccount, ends)
    await imported(ends.map((each) => lineOf(each, { at: each.at })))
  }
  return { ...account, order, lineOf, imported, spanning }
}

const kindsOf = (exceptions: readonly { kind: string; suspense_minor: bigint }[]) =>
  exceptions.map(({ kind, suspense_minor }) => [kind, suspense_minor])

test('a movement missing from the statement is reported until a later one has it', async () => {
  const { order, lineOf, imported, spanning, reconciled, open, balances, railAccount } = await given()
  const late = order()
  await givenOrders(pool, railAccount, [late])
  await spanning()
  await reconciled()
  expect(kindsOf(await open())).toEqual([['missing_at_operator', -5_000n]])
  expect(await balances()).toEqual({ rail: -10_000n, suspense: -5_000n })
  await imported([lineOf(late)])
  expect(await reconciled()).toMatchObject({ opened: 0, ended: 1 })
  expect(await open()).toEqual([])
  expect(await balances()).toEqual({ rail: -15_000n })
})

test('an exception ended by staff stays ended, with its money where they sent it', async () => {
  const { order, lineOf, imported, spanning, reconciled, open, balances } = await given()
  await spanning()
  await imported([lineOf(order(), { ourReference: 'top-up' })])
  await reconciled()
  const [topUp] = await open()
  expect(topUp).toMatchObject({ kind: 'missing_with_us', suspense_minor: 5_000n })
  const decision = { reason: 'Our own top-up', by: 'amina', moveTo: 'outside' } as const
  const id = present(topUp, 'the exception').id
  expect(await endException(pool, id, decision, NOW)).toBe(true)
  expect(await endException(pool, id, decision, NOW)).toBe(false)
  expect(await findException(pool, id)).toMatchObject({
    ended_by: 'amina',
    reason: 'Our own top-up',
    moved_to: 'outside',
  })
  expect(await reconciled()).toMatchObject({ opened: 0, ended: 0 })
  expect(await open()).toEqual([])
  expect(await balances()).toEqual({ rail: -15_000n })
})

test('a late arrival after write-off reverses its booking as a separate difference', async () => {
  const { order, lineOf, imported, spanning, reconciled, open, balances, railAccount } = await given()
  const lost = order()
  await givenOrders(pool, railAccount, [lost])
  await spanning()
  await reconciled()
  const [missing] = await open()
  await endException(
    pool,
    present(missing, 'the exception').id,
    { reason: 'Given up', by: 'amina', moveTo: 'fee' },
    NOW,
  )
  expect(await balances()).toEqual({ rail: -10_000n, fee: -5_000n })
  await imported([lineOf(lost)])
  expect(await reconciled()).toMatchObject({ opened: 1, ended: 0 })
  expect(kindsOf(await open())).toEqual([['late', 5_000n]])
  expect(await balances()).toEqual({ rail: -15_000n, suspense: 5_000n, fee: -5_000n })
  expect(await reconciled()).toMatchObject({ opened: 0, ended: 0 })
  const [came] = await open()
  await endException(pool, present(came, 'the exception').id, { reason: 'It came', by: 'amina', moveTo: 'fee' }, NOW)
  expect(await balances()).toEqual({ rail: -15_000n })
  expect(await reconciled()).toMatchObject({ opened: 0, ended: 0 })
})

test('reports an open or failed order once, with the line that has its money', async () => {
  const { order, lineOf, imported, spanning, statements, railAccount } = await given()
  const [hanging, refund, failed, other] = [
    order({ status: 'PROCESSING' }),
    order({ status: 'FAILED', type: 'REFUND' }),
    order({ status: 'FAILED' }),
    order({ status: 'PROCESSING' }),
  ]
  await givenOrders(pool, railAccount, [hanging, refund, failed, other])
  await spanning()
  await imported([...[hanging, refund, failed].map((each) => lineOf(each)), lineOf(other, { amountMinor: 4_999n })])
  await statements.matchLines()
  const reported = await statements.linesToReport(100)
  expect(reported.map(({ internalReference, isOpen }) => [internalReference, isOpen])).toEqual([
    [`MLP${hanging.id}`, true],
    [`MLP${refund.id}`, false],
    [`MLP${failed.id}`, false],
  ])
  expect(statements.receiptName('REFUND')).toBe('financialTransactionId')
  await statements.markReported(reported)
  expect(await statements.linesToReport(100)).toEqual([])
})

test("finds an order by its receipt and by the operator's replacement of its id", async () => {
  const { order, lineOf, imported, spanning, reconciled, open, railAccount } = await given({
    ...NAMES,
    ourReference: { name: 'Short', of: (orderId) => `S${orderId.slice(0, 11).toUpperCase()}` },
  })
  const [byReceipt, byShort] = [order({ receipt: 'RECEIPT-1' }), order()]
  await givenOrders(pool, railAccount, [byReceipt, byShort])
  await spanning()
  await imported([
    { ...lineOf(byReceipt), ourReference: '', reference: 'RECEIPT-1' },
    lineOf(byShort, { ourReference: `S${byShort.orderId.slice(0, 11).toUpperCase()}`, reference: 'RECEIPT-2' }),
  ])
  await reconciled()
  // The two at the ends carry whole ids, which this operator never receives: they count as ours all the same.
  expect(await open()).toEqual([])
  const { rows } = await pool.query(
    `select reference from rail_references where transaction_id = $1 and name = 'financialTransactionId'`,
    [byShort.id],
  )
  expect(rows).toEqual([{ reference: 'RECEIPT-2' }])
})

test("an id of another rail account's order matches nothing", async () => {
  const there = await given()
  const otherOrder = there.order()
  await givenOrders(pool, there.railAccount, [otherOrder])
  const here = await given()
  await here.spanning()
  await here.imported([here.lineOf(otherOrder)])
  await here.reconciled()
  expect(kindsOf(await here.open())).toEqual([['missing_with_us', 5_000n]])
})

test('books fees once, including those of lines of their own', async () => {
  const { order, lineOf, imported, spanning, reconciled, balances, railAccount, open } = await given()
  const paid = order()
  await givenOrders(pool, railAccount, [paid])
  await spanning()
  const line = lineOf(paid, { expectedFeeMinor: 75n, feeMinor: 50n })
  await imported([line])
  await reconciled()
  expect(await balances()).toEqual({ rail: -14_950n, fee: -75n, suspense: 25n })
  await imported([{ ...line, direction: 'out', amountMinor: 0n, feeMinor: 25n, expectedFeeMinor: undefined as never }])
  expect(await reconciled()).toMatchObject({ feesMinor: 25n, ended: 1 })
  expect(await reconciled()).toMatchObject({ feesMinor: 0n })
  expect(await balances()).toEqual({ rail: -14_925n, fee: -75n })
  expect(await open()).toEqual([])
})

test('books a fee that only a later file has once, and judges its order by it', async () => {
  const { order, lineOf, imported, spanning, reconciled, balances, railAccount, open } = await given()
  const [expected, surprising] = [order(), order()]
  await givenOrders(pool, railAccount, [expected, surprising])
  await spanning()
  const lines = [lineOf(expected, { expectedFeeMinor: 75n }), lineOf(surprising, { expectedFeeMinor: 0n })]
  await imported(lines)
  await reconciled()
  expect(await balances()).toEqual({ rail: -20_000n, fee: -75n, suspense: 75n })
  const later = lines.map((line) => ({ ...line, feeMinor: 75n }))
  expect(await imported(later)).toMatchObject({ newLines: 0n, reportedFees: 2n })
  expect(await reconciled()).toMatchObject({ feesMinor: 150n, opened: 1, ended: 1 })
  expect(kindsOf(await open())).toEqual([['fee_differs', -75n]])
  expect(await balances()).toEqual({ rail: -19_850n, fee: -75n, suspense: -75n })
  for (const again of [later, lines]) {
    expect(await imported(again)).toMatchObject({ newLines: 0n, reportedFees: 0n })
    expect(await reconciled()).toMatchObject({ feesMinor: 0n, opened: 0, ended: 0 })
  }
})

test('a later file adds the fee of the line that has it, and no fee known before', async () => {
  const { order, lineOf, imported, spanning, reconciled, balances, railAccount } = await given()
  const [twice, beside] = [order(), order()]
  await givenOrders(pool, railAccount, [twice, beside])
  await spanning()
  const [first, other] = [lineOf(twice), lineOf(beside)]
  await imported([first, first, other, { ...other, direction: 'out', amountMinor: 0n, feeMinor: 25n }])
  expect(await reconciled()).toMatchObject({ feesMinor: 25n })
  const later = [first, { ...first, feeMinor: 75n }, { ...other, feeMinor: 25n }]
  expect(await imported(later)).toMatchObject({ newLines: 0n, reportedFees: 1n })
  expect(await reconciled()).toMatchObject({ feesMinor: 75n, opened: 0, ended: 0 })
  expect(await balances()).toMatchObject({ fee: -100n })
})

test('reports nothing without a statement, and lists imports newest first', async () => {
  const { reconciled, imported, railAccount, lineOf, order } = await given()
  expect(await reconciled()).toBeUndefined()
  await imported([lineOf(order())])
  await imported([])
  expect((await listImports(pool, { railAccount, limit: 10 })).map(({ lines }) => lines)).toEqual([0n, 1n])
})

test('the database finds what the rules find, whatever the statement says', async () => {
  const orders = fc.array(
    fc.record({
      type: fc.constantFrom('COLLECTION' as const, 'PAYOUT' as const),
      status: fc.constantFrom('COMPLETED' as const, 'COMPLETED' as const, 'FAILED' as const),
      amountMinor: fc.constantFrom(4_000n, 5_000n),
      at: fc.integer({ min: 20, max: 230 }).map(at),
      lines: fc.array(
        fc.record({
          at: fc.integer({ min: 10, max: 240 }).map(at),
          direction: fc.constantFrom('in', 'out'),
          amountMinor: fc.constantFrom(4_000n, 5_000n),
          feeMinor: fc.constantFrom(0n, 10n),
          expectedFeeMinor: fc.constantFrom(0n, 10n),
        }),
        { maxLength: 3 },
      ),
      isOurs: fc.boolean(),
      // Otherwise hardly any line would match its order.
      fits: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(orders, async (drawn) => {
      const { order, lineOf, imported, spanning, reconciled, open, railAccount } = await given()
      const subjects = drawn.map(({ type, status, amountMinor, at: finalAt, lines, isOurs, fits }) => {
        const own = order({ type, status, amountMinor, at: finalAt })
        return {
          own,
          isOurs,
          lines: lines.map(({ feeMinor, expectedFeeMinor, ...line }) =>
            lineOf(own, { feeMinor, expectedFeeMinor, ...(fits ? { at: finalAt } : line) }),
          ),
        }
      })
      await givenOrders(
        pool,
        railAccount,
        subjects.flatMap(({ own, isOurs }) => (isOurs ? [own] : [])),
      )
      await spanning()
      await imported(subjects.flatMap(({ lines }) => lines))
      await reconciled()
      const rules = { windowMs: WINDOW_MS, from: at(0), until: at(250) }
      const expected = subjects.flatMap(({ own, isOurs, lines }) => {
        const moved = lines.map((line) => ({
          ...line,
          id: line.lineNumber,
          occurrence: 1,
          direction: line.direction as 'in',
        }))
        const handed = { ...own, transactionId: own.id, finalAt: own.at }
        return isOurs
          ? judge({ order: handed, lines: moved }, rules)
          : moved.flatMap((line) => judge({ lines: [line] }, rules))
      })
      const reportedBy = (kind: string, minor: bigint) => `${kind} ${minor}`
      expect((await open()).map((each) => reportedBy(each.kind, each.suspense_minor)).sort()).toEqual(
        expected.map((each) => reportedBy(each.kind, each.suspenseMinor)).sort(),
      )
      expect(await reconciled()).toMatchObject({ opened: 0, ended: 0 })
    }),
    { numRuns: smallerByDefault('drawn statements', 10, 50) },
  )
})

test('the books are sound after all of these', async () => {
  await expectBalancedBooks({ pool })
  const findings = await examine(pool, NOW)
  expect(findings.filter(({ name, found }) => found > 0 && /suspense|transfers|book|replay/.test(name))).toEqual([])
})
