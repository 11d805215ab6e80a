import { expect, test } from 'vitest'
import { databaseTest } from '../../../verification/testing/database-test.ts'
import type { NewStatementLine } from './import.ts'
import { importLines } from './testing/installed.ts'

// Lines as they were stored before lines had a bank account and a booking day, and the same statements imported again.

const NOW = new Date('2026-03-20T08:00:00Z')

const { pool } = await databaseTest()

interface OldLine {
  readonly reference?: string
  readonly ours?: string
  readonly at: string
  readonly direction?: 'in' | 'out'
  readonly amount?: bigint
  readonly fee?: bigint
}

/** What the import statement of that time stored. */
async function storedBefore(railAccount: string, form: string, old: readonly OldLine[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into statement_imports (rail_account, form, name, digest, imported_at, lines, new_lines, skipped)
     values ($1, $2, 'old', $3::bytea, now(), 1, 1, 0) returning id`,
    [railAccount, form, ['csv', 'camt.053'].includes(form) ? Buffer.from(railAccount) : undefined],
  )
  const seen = new Map<string, number>()
  for (const [index, { reference = '1', ours, at, direction = 'in', amount = 5_000n, fee = 0n }] of old.entries()) {
    const key = [reference, direction, amount].join()
    seen.set(key, (seen.get(key) ?? 0) + 1)
    await pool.query(
      `insert into statement_lines (rail_account, currency, import_id, line_number, reference, our_reference, at, direction,
         amount_minor, fee_minor, occurrence) values ($1, 'UGX', $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [railAccount, rows[0]!.id, index + 2, reference, ours, at, direction, amount, fee, seen.get(key)],
    )
  }
}

async function importedNow(
  railAccount: string,
  lines: readonly Partial<NewStatementLine>[],
  form: 'csv' | 'pull' = 'csv',
  file = railAccount,
) {
  const whole = lines.map((line, index): NewStatementLine => ({
    source: 1,
    lineNumber: BigInt(index + 2),
    reference: '1',
    account: 'KE01',
    bookedOn: '2026-03-02',
    at: new Date('2026-03-01T21:00:00Z'),
    direction: 'in',
    amountMinor: 5_000n,
    feeMinor: 0n,
    ...line,
  }))
  const { newLines } = await importLines(pool, railAccount, whole, NOW, {
    timeZone: 'Africa/Nairobi',
    form,
    ...(form === 'csv' && { digest: Buffer.from(file) }),
  })
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws(' ', account, booked_on, amount_minor, fee_minor, '#' || occurrence) as line
     from statement_lines where rail_account = $1 order by id`,
    [railAccount],
  )
  return { newLines: Number(newLines), stored: rows.map(({ line }) => line) }
}

const DAY = '2026-03-01T21:00:00Z'
await storedBefore('csv', 'csv', [{ reference: 'R1', at: '2026-03-02T20:30:15Z', fee: 50n }])
await storedBefore('month', 'camt.053', [{ at: DAY }, { at: '2026-03-02T21:00:00Z' }])
await storedBefore('zeros', 'camt.053', [
  { reference: '0', ours: 'a', at: DAY },
  { reference: '0', ours: 'b', at: DAY },
])
await storedBefore('intraday', 'camt.053', [{ at: '2026-03-02T20:59:00Z' }])
await storedBefore('pull', 'pull', [{ reference: 'UC23ABC4DE', at: '2026-03-02T06:30:15Z' }])
await storedBefore('hand', 'booked', [{ reference: 'FT1', at: '2026-03-05T06:00:00Z' }])
await storedBefore('next-day', 'camt.053', [{ at: DAY }])
await storedBefore('charges', 'camt.053', [{ reference: 'C03', at: DAY, direction: 'out', amount: 1_526n, fee: 26n }])
await storedBefore('fee', 'csv', [{ reference: 'R1', at: DAY, direction: 'out', amount: 0n, fee: 13n }])

const timed = { reference: 'R1', account: '', at: new Date('2026-03-02T20:30:15Z'), feeMinor: 50n }
const fee = { reference: 'R1', direction: 'out', amountMinor: 0n, feeMinor: 13n, account: '' }
const second = { bookedOn: '2026-03-03', at: new Date('2026-03-02T21:00:00Z') }

test.each([
  ['a CSV file', 'csv', [timed], [' 2026-03-02 5000 50 #1']],
  [
    'a file with equal numbers on two days',
    'month',
    [{}, second],
    ['KE01 2026-03-02 5000 0 #1', 'KE01 2026-03-03 5000 0 #1'],
  ],
  [
    'a file with equal lines, also in another order',
    'zeros',
    ['b', 'a'].map((ourReference) => ({ reference: '0', ourReference })),
    ['KE01 2026-03-02 5000 0 #2', 'KE01 2026-03-02 5000 0 #1'],
  ],
  ['a day file of what had a time', 'intraday', [{}], ['KE01 2026-03-02 5000 0 #1']],
  ['a file with a fee in a line of its own', 'fee', [fee], [' 2026-03-02 0 13 #1']],
] as const)('recognises the lines of %s that was read before the upgrade', async (_what, name, lines, stored) => {
  expect(await importedNow(name, lines)).toEqual({ newLines: 0, stored })
  expect(await importedNow(name, lines)).toEqual({ newLines: 0, stored })
})

test('recognises lines that were pulled or booked by hand before the upgrade', async () => {
  const pulled = { reference: 'UC23ABC4DE', account: '', at: new Date('2026-03-02T06:30:15Z') }
  expect(await importedNow('pull', [pulled], 'pull')).toEqual({ newLines: 0, stored: [' 2026-03-02 5000 0 #1'] })
  expect(await importedNow('hand', [{ reference: 'FT1' }])).toMatchObject({ newLines: 0 })
})

test('stores the next day with the same number as another payment after the upgrade', async () => {
  expect(await importedNow('next-day', [second], 'csv', 'day 2')).toEqual({
    newLines: 1,
    stored: ['5000 0 #1', 'KE01 2026-03-03 5000 0 #1'],
  })
  expect(await importedNow('next-day', [{}, second], 'csv', 'month')).toMatchObject({ newLines: 0 })
})

test('corrects an amount that was read with its charges before the upgrade', async () => {
  const line = { reference: 'C03', direction: 'out', amountMinor: 1_500n, feeMinor: 26n }
  await pool.query(`update statement_lines set settled_at = now() where rail_account = 'charges'`)
  expect(await importedNow('charges', [line])).toEqual({ newLines: 0, stored: ['KE01 2026-03-02 1500 26 #1'] })
  const { rows } = await pool.query(`select from statement_lines where rail_account = 'charges' and settled_at is null`)
  expect(rows).toHaveLength(1)
})
