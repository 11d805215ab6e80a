import { expect, test } from 'vitest'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import { expectBalancedBooks } from '../../../verification/testing/ledger.ts'
import { bookMovement } from './book-movement.ts'
import { endException, NoRepetition } from './end-exception.ts'
import type { ImportSummary, NewStatementLine } from './import.ts'
import { givenOrders, importLines, statementAccount, type OrderFixture } from './testing/installed.ts'

const NOW = new Date('2026-03-20T08:00:00Z')
const NAMES = { receipt: { COLLECTION: 'receipt', PAYOUT: 'receipt' } } as const
const { pool } = await databaseTest()
let made = 0

interface Period {
  readonly from: string
  readonly to: string
}
type LineInput = Partial<NewStatementLine> & { readonly bookedOn?: string }

/** Lines as a reader returns them, of one account and one period. */
const lines = (given: readonly LineInput[], period?: Period, account = 'KE01'): readonly NewStatementLine[] =>
  given.map((line, index) => ({
    source: 1,
    lineNumber: BigInt(index + 2),
    reference: '1',
    account,
    bookedOn: '2026-03-02',
    ...(period && { periodFrom: period.from, periodTo: period.to }),
    at: new Date(`${line.bookedOn ?? '2026-03-02'}T00:00:00Z`),
    direction: 'in',
    amountMinor: 5_000n,
    feeMinor: 0n,
    ...line,
  }))
const day = (bookedOn: string): Period => ({ from: bookedOn, to: bookedOn })
const MARCH: Period = { from: '2026-03-01', to: '2026-03-31' }

/** Creates a rail account, with helpers that work on it. */
async function openRailAccount() {
  made += 1
  const railAccount = `bank-${made}`
  const account = await statementAccount(pool, railAccount, { now: NOW, names: NAMES })
  return {
    ...account,
    imported: (given: readonly NewStatementLine[]) =>
      importLines(pool, railAccount, given, NOW, {
        timeZone: 'Africa/Kampala',
        form: 'camt.053',
        digest: Buffer.from(`${made} ${JSON.stringify(given, withBigints)}`),
      }),
    async open() {
      return (await account.open()).map(({ id, kind, line_reference, found_minor, suspense_minor }) => ({
        id,
        shown: [kind, line_reference, found_minor, suspense_minor],
      }))
    },
    /** Booking day, occurrence and doubt of each stored line. */
    async stored() {
      const { rows } = await pool.query<{ line: string }>(
        `select concat_ws(' ', account, booked_on, direction, amount_minor, '#' || occurrence, doubt) as line
         from statement_lines where rail_account = $1 order by id`,
        [railAccount],
      )
      return rows.map(({ line }) => line)
    },
  }
}

const withBigints = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

const news = ({ newLines, maybeRepeated, unclear }: ImportSummary) => [newLines, maybeRepeated, unclear].map(Number)

test('stores equal entry numbers of two days as two payments', async () => {
  const { imported, stored } = await openRailAccount()
  expect(news(await imported(lines([{ bookedOn: '2026-03-02' }])))).toEqual([1, 0, 0])
  expect(news(await imported(lines([{ bookedOn: '2026-03-03' }])))).toEqual([1, 0, 0])
  expect(news(await imported(lines([{ bookedOn: '2026-03-02' }, { bookedOn: '2026-03-03' }])))).toEqual([0, 0, 0])
  expect(await stored()).toEqual(['KE01 2026-03-02 in 5000 #1', 'KE01 2026-03-03 in 5000 #1'])
})

test('stores equal lines of two bank accounts in one file as two payments', async () => {
  const { imported, stored } = await openRailAccount()
  const both = [...lines([{}]), ...lines([{ source: 2 }], undefined, 'KE02')]
  expect(news(await imported(both))).toEqual([2, 0, 0])
  expect(news(await imported(both))).toEqual([0, 0, 0])
  expect(await stored()).toEqual(['KE01 2026-03-02 in 5000 #1', 'KE02 2026-03-02 in 5000 #1'])
})

test.each([
  ['day, intraday, month', [day('2026-03-02'), day('2026-03-02'), MARCH]],
  ['month, day', [MARCH, day('2026-03-02')]],
  ['files without a period', [undefined, undefined]],
  ['a file without a period, then a month', [undefined, MARCH]],
] as const)('books a line of overlapping files once: %s', async (_what, periods) => {
  const { imported, stored } = await openRailAccount()
  const counts: number[][] = []
  for (const period of periods) counts.push(news(await imported(lines([{ ourReference: 'a' }], period))))
  expect(counts.flat().reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(await stored()).toHaveLength(1)
})

test('counts equal lines of overlapping files by the larger count', async () => {
  const { imported, stored } = await openRailAccount()
  const equal = { reference: '00000000' }
  expect(news(await imported(lines([equal, equal], day('2026-03-02'))))).toEqual([2, 0, 0])
  expect(news(await imported(lines([equal], day('2026-03-02'))))).toEqual([0, 0, 0])
  expect(news(await imported(lines([equal, equal, equal], MARCH)))).toEqual([1, 0, 0])
  expect(await stored()).toEqual([1, 2, 3].map((count) => `KE01 2026-03-02 in 5000 #${count}`))
})

test('stores lines with another order id as separate movements', async () => {
  const { imported } = await openRailAccount()
  const [one, two] = [
    { reference: '00000000', ourReference: 'order-a' },
    { reference: '00000000', ourReference: 'order-b' },
  ]
  expect(news(await imported(lines([one])))).toEqual([1, 0, 0])
  expect(news(await imported(lines([two])))).toEqual([1, 0, 0])
  expect(news(await imported(lines([two, one])))).toEqual([0, 0, 0])
  // Another format of the same statement lacks our references.
  expect(news(await imported(lines([{ reference: '00000000' }, { reference: '00000000' }])))).toEqual([0, 0, 0])
})

test.each([
  [
    'of two halves of a day',
    { from: '2026-03-02T00:00:00', to: '2026-03-02T12:00:00' },
    { from: '2026-03-02T12:00:00', to: '2026-03-02T23:59:59' },
  ],
  ['of two days', day('2026-03-02'), day('2026-03-03')],
] as const)('makes equal lines %s an exception without money', async (_what, first, second) => {
  const { imported, reconciled, open, balances } = await openRailAccount()
  expect(news(await imported(lines([{}], first)))).toEqual([1, 0, 0])
  const again = lines([{}], second)
  expect(news(await imported(again))).toEqual([0, 1, 0])
  expect(news(await imported(again))).toEqual([0, 0, 0])
  await reconciled()
  await reconciled()
  const [known, doubted] = await open()
  expect(known?.shown).toEqual(['missing_with_us', '1', 5_000n, 5_000n])
  expect(doubted?.shown).toEqual(['maybe_repeated', '1', 5_000n, 0n])
  expect(await open()).toHaveLength(2)
  expect(await balances()).toMatchObject({ suspense: 5_000n })
  const decision = { reason: 'Two payments', by: 'amina', isSecondMovement: true }
  await expect(endException(pool, known?.id ?? 0n, decision, NOW)).rejects.toThrow(NoRepetition)
  await endException(pool, doubted?.id ?? 0n, decision, NOW)
  await reconciled()
  expect((await open()).map(({ shown }) => shown)).toEqual([known?.shown, known?.shown])
  expect(await balances()).toMatchObject({ suspense: 10_000n })
  expect(news(await imported(again))).toEqual([0, 0, 0])
  await expectBalancedBooks({ pool })
})

test('counts a doubtful line once a third statement has both', async () => {
  const { imported, stored } = await openRailAccount()
  await imported(lines([{}], day('2026-03-02')))
  await imported(lines([{}], day('2026-03-03')))
  expect(await stored()).toEqual(['KE01 2026-03-02 in 5000 #1', 'KE01 2026-03-02 in 5000 #2 maybe_repeated'])
  expect(news(await imported(lines([{}], MARCH)))).toEqual([0, 0, 0])
  expect((await stored())[1]).toContain('maybe_repeated')
  expect(news(await imported(lines([{}, {}], MARCH)))).toEqual([1, 0, 0])
  expect(await stored()).toEqual(['KE01 2026-03-02 in 5000 #1', 'KE01 2026-03-02 in 5000 #2'])
})

test('makes a line whose day has moved an exception', async () => {
  const { imported, stored } = await openRailAccount()
  // Listed by its value day, which the statement does not cover.
  await imported(lines([{ bookedOn: '2026-03-04', ourReference: 'a' }], day('2026-03-02')))
  expect(news(await imported(lines([{ bookedOn: '2026-03-02', ourReference: 'a' }], day('2026-03-02'))))).toEqual([
    0, 1, 0,
  ])
  // In a monthly file, which covers the other day and lacks that line.
  expect(news(await imported(lines([{ bookedOn: '2026-03-05', ourReference: 'a' }], MARCH)))).toEqual([0, 1, 0])
  // Many days apart, it is another movement.
  expect(news(await imported(lines([{ bookedOn: '2026-03-25', ourReference: 'a' }], day('2026-03-25'))))).toEqual([
    1, 0, 0,
  ])
  expect(await stored()).toHaveLength(4)
})

test('recognises lines of overlapping pulls, also one without a readable time', async () => {
  const { imported } = await openRailAccount()
  const receipt = { account: '', reference: 'UC23ABC4DE' }
  const untimed = { account: '', reference: 'UC23ABC5FG' }
  const first = lines([receipt, untimed]).map(({ bookedOn, ...line }, index) => ({
    ...line,
    ...(index === 0 && bookedOn !== undefined && { bookedOn }),
  }))
  expect(news(await imported(first))).toEqual([2, 0, 0])
  const later = first.map((line, index) => (index === 0 ? line : { ...line, at: new Date('2026-03-09T00:00:00Z') }))
  expect(news(await imported(later))).toEqual([0, 0, 0])
  // The portal's file contains the day.
  expect(news(await imported(lines([receipt, { ...untimed, bookedOn: '2026-03-03' }])))).toEqual([0, 0, 0])
  expect(news(await imported(later))).toEqual([0, 0, 0])
})

test('recognises a line whose account only one of two files names', async () => {
  const { imported, stored } = await openRailAccount()
  expect(news(await imported(lines([{ reference: 'R1' }], undefined, '')))).toEqual([1, 0, 0])
  expect(news(await imported(lines([{ reference: 'R1' }])))).toEqual([0, 0, 0])
  expect(news(await imported(lines([{ reference: 'R1' }], undefined, '')))).toEqual([0, 0, 0])
  expect(await stored()).toEqual(['KE01 2026-03-02 in 5000 #1'])
})

test('recognises a movement that was booked by hand on another day', async () => {
  const { imported, railAccount, stored } = await openRailAccount()
  const moved = { railAccount, currency: 'UGX', direction: 'in', amountMinor: 5_000n } as const
  await bookMovement(pool, { ...moved, reference: 'FT1', reason: 'Top-up', by: 'amina' }, NOW)
  expect(news(await imported(lines([{ reference: 'FT1', bookedOn: '2026-03-18' }])))).toEqual([0, 0, 0])
  expect(await stored()).toEqual(['KE01 2026-03-18 in 5000 #1'])
  expect(news(await imported(lines([{ reference: 'FT1', bookedOn: '2026-03-18' }])))).toEqual([0, 0, 0])
})

test('distinguishes fees of one reference by their amounts', async () => {
  const { imported, railAccount } = await openRailAccount()
  const fee = (feeMinor: bigint) => ({ reference: 'R1', direction: 'out', amountMinor: 0n, feeMinor })
  expect(news(await imported(lines([fee(10n)])))).toEqual([1, 0, 0])
  expect(news(await imported(lines([fee(5n), fee(10n)])))).toEqual([1, 0, 0])
  expect(news(await imported(lines([fee(5n), fee(10n)])))).toEqual([0, 0, 0])
  const { rows } = await pool.query<{ fee_minor: bigint }>(
    'select fee_minor from statement_lines where rail_account = $1 order by fee_minor',
    [railAccount],
  )
  expect(rows.map(({ fee_minor }) => fee_minor)).toEqual([5n, 10n])
})

/** Completed on two days, the second and the third of the month. */
async function givenTwoOrders(railAccount: string): Promise<readonly OrderFixture[]> {
  const orders = [1, 2].map((n): OrderFixture => ({
    id: BigInt(made * 1_000 + n),
    orderId: `order-${made}-${n}`,
    type: 'COLLECTION',
    status: 'COMPLETED',
    amountMinor: 5_000n,
    at: new Date(`2026-03-0${n + 1}T12:00:00Z`),
  }))
  await givenOrders(pool, railAccount, orders)
  return orders
}

test('matches equal entry numbers of two days to the orders that they name', async () => {
  const { imported, reconciled, open, railAccount } = await openRailAccount()
  const orders = await givenTwoOrders(railAccount)
  for (const [index, { orderId: ourReference }] of orders.entries()) {
    await imported(lines([{ ourReference, bookedOn: `2026-03-0${index + 2}` }]))
    await reconciled()
  }
  expect(await open()).toEqual([])
  // A line of a third day without our reference is not a second payment of the first order.
  await imported(lines([{ bookedOn: '2026-03-09' }]))
  await reconciled()
  expect((await open()).map(({ shown }) => shown)).toEqual([['missing_with_us', '1', 5_000n, 5_000n]])
})

test('matches a fee in a line of its own to the movement of its day', async () => {
  const { imported, reconciled, railAccount } = await openRailAccount()
  const orders = await givenTwoOrders(railAccount)
  const fee = { direction: 'out', amountMinor: 0n, feeMinor: 13n }
  await imported(
    lines(
      orders
        .flatMap(({ orderId: ourReference }, index) => {
          const bookedOn = `2026-03-0${index + 2}`
          return [
            { ourReference, bookedOn },
            { ...fee, bookedOn },
          ]
        })
        .toReversed(),
    ),
  )
  await reconciled()
  const { rows } = await pool.query<{ fees: bigint }>(
    `select sum(fee_minor)::bigint as fees from statement_lines where rail_account = $1 group by transaction_id`,
    [railAccount],
  )
  expect(rows.map(({ fees }) => fees)).toEqual([13n, 13n])
})
