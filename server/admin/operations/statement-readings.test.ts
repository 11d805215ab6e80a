import { describe, expect, test } from 'vitest'
import { mtnMomo } from '../../rails/mtn-momo/mtn-momo.ts'
import { withDefaults } from '../../rails/settings.ts'
import { statementFormat } from '../../statements/format.ts'
import type { StatementReading, StatementHead } from '../../statements/reading.ts'
import { readStatements } from './statement-readings.ts'

const NOW = new Date('2026-11-20T08:00:00Z')
const format = statementFormat({ ...withDefaults(mtnMomo, {}), statement_time_zone: 'Africa/Nairobi' }, 'UGX')

async function read(given: readonly StatementReading[], account?: string) {
  async function* readings() {
    yield* given
  }
  const statements = readStatements(readings(), { kind: mtnMomo, format, account, now: NOW })
  const lines = []
  for await (const batch of statements.batches) lines.push(...batch)
  return { ...statements, lines, ours: statements.ownStatements() }
}

const head = (statement: StatementHead): StatementReading => ({ got: 'statement', lineNumber: 1, statement })
const line = (reference: string, more: object = {}): StatementReading => ({
  got: 'line',
  lineNumber: 2,
  line: {
    reference,
    at: new Date('2026-11-18T22:30:00Z'),
    direction: 'in',
    amount: { amountMinor: 5_000n, currency: 'UGX' },
    ...more,
  },
})
const passed = (reason: string, reversalOf?: string): StatementReading => ({
  got: 'passed_over',
  lineNumber: 3,
  reason,
  ...(reversalOf !== undefined && { reversalOf }),
})

test('skips everything of other accounts', async () => {
  const { lines, others, ours, faults, passedOver } = await read(
    [
      head({ account: 'KE02' }),
      line('A'),
      { got: 'fault', lineNumber: 3, fault: 'has no amount' },
      passed('with no status'),
      head({ account: 'ke 01' }),
      line('B'),
      head({}),
      line('C'),
      head({ account: 'KE02' }),
      line('D'),
    ],
    'KE01',
  )
  expect(lines.map(({ reference, account }) => [reference, account])).toEqual([
    ['B', 'KE01'],
    ['C', ''],
  ])
  expect([[...others], ours, faults.count, passedOver.size]).toEqual([[['KE02', 2]], 2, 0, 0])
})

test('reads statements that name no account where none is set', async () => {
  const { lines, ours } = await read([head({}), line('A')])
  expect([lines.map(({ reference, account }) => [reference, account]), ours]).toEqual([[['A', '']], 1])
})

test('takes pages of one statement for one source, and other periods for others', async () => {
  const statement = { account: 'KE01', from: '2026-11-18', to: '2026-11-18' }
  const { lines } = await read(
    [
      head(statement),
      line('A'),
      head({ ...statement, to: '2026-11-19' }),
      line('B'),
      head(statement),
      line('C'),
      head({ ...statement, from: '2026-11-18T12:00:00+03:00', to: 'someday' }),
      line('D'),
    ],
    'KE01',
  )
  const [a, b, c, d] = lines
  expect([a?.source === c?.source, a?.source === b?.source, a?.source === d?.source]).toEqual([true, false, false])
  expect(a).toMatchObject({ periodFrom: '2026-11-18', periodTo: '2026-11-18' })
  expect(d).toMatchObject({ periodFrom: '2026-11-18T12:00:00' })
  expect(d).not.toHaveProperty('periodTo')
})

test('gives a line the day that its statement says, or that of its time in the zone', async () => {
  const { lines } = await read([line('A'), line('B', { bookedOn: '2026-11-18' })])
  expect(lines.map(({ bookedOn }) => bookedOn)).toEqual(['2026-11-19', '2026-11-18'])
})

test('stores what is known of an unclear entry', async () => {
  const entry = { reference: 'A', ourReference: 'ORDER', bookedOn: '2026-11-18', why: 'has charges' }
  const { lines } = await read([
    {
      got: 'unclear',
      lineNumber: 2,
      entry: { ...entry, direction: 'in', amount: { amountMinor: 5n, currency: 'UGX' } },
    },
    { got: 'unclear', lineNumber: 3, entry: { why: 'has no direction', bookedOn: '2026-02-30' } },
  ])
  const common = { source: 0, account: '', feeMinor: 0n, doubt: 'unclear' }
  expect(lines).toEqual([
    {
      ...common,
      lineNumber: 2n,
      reference: 'A',
      ourReference: 'order',
      bookedOn: '2026-11-18',
      at: new Date('2026-11-17T21:00:00Z'),
      direction: 'in',
      amountMinor: 5n,
      note: 'has charges',
    },
    { ...common, lineNumber: 3n, reference: '', at: NOW, note: 'has no direction' },
  ])
})

test('counts skipped lines by reason, and stores the reversals among them', async () => {
  const { lines, passedOver } = await read([
    passed('with status Pending'),
    passed('with status Reversed', 'R1'),
    passed('with status Pending'),
  ])
  expect([...passedOver]).toEqual([
    ['with status Pending', 2],
    ['with status Reversed', 1],
  ])
  expect(lines).toMatchObject([{ reference: 'R1', doubt: 'unclear', isReversal: true }])
})

describe('a day in the future', () => {
  const dated = (reference: string, day: string, more: object = {}) =>
    line(reference, { at: new Date(`${day}T00:00:00Z`), bookedOn: day, ...more })
  const amount = (amountMinor: bigint) => ({ amountMinor, currency: 'UGX' })

  test('makes a line an unclear entry, and the next working days are none', async () => {
    const { lines } = await read([
      dated('A', '2026-11-27'),
      dated('B', '2026-11-28', { ourReference: 'order' }),
      dated('C', '9999-12-31', { direction: 'out', amount: amount(0n), fee: amount(7n) }),
    ])
    const note = (day: string) => `has a day in the future, ${day} (statement_day_order)`
    expect(lines[0]).not.toHaveProperty('doubt')
    expect(lines.slice(1)).toMatchObject([
      { reference: 'B', ourReference: 'order', doubt: 'unclear', amountMinor: 5_000n, note: note('2026-11-28') },
      { reference: 'C', doubt: 'unclear', direction: 'out', amountMinor: 7n, feeMinor: 0n, note: note('9999-12-31') },
    ])
  })

  test('refuses a file that has no other', async () => {
    const file = [head({}), dated('A', '2026-12-05'), dated('B', '2026-12-06')]
    await expect(read(file)).rejects.toThrow('has a day in the future, 2026-12-05 (statement_day_order)')
  })
})
