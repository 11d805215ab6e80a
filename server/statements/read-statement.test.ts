import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { STATEMENT_SETTINGS } from '../rails/statement-settings.ts'
import { DARAJA_STATEMENT } from '../rails/daraja/statement.ts'
import { MTN_STATEMENT } from '../rails/mtn-momo/statement.ts'
import { statementFormat } from './format.ts'
import { openStatement } from './read-statement.ts'
import type { Reading } from './reading.ts'

const DEFAULTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(STATEMENT_SETTINGS).flatMap(([name, setting]) =>
    'default' in setting ? [[name, setting.default]] : [],
  ),
)

interface Reads {
  readonly settings?: Readonly<Record<string, string>>
  readonly currency?: string
  /** How many bytes come at a time. */
  readonly partBytes?: number
}

async function readings(bytes: Uint8Array, { settings, currency = 'UGX', partBytes = 7 }: Reads = {}) {
  async function* parts() {
    for (let from = 0; from < bytes.length; from += partBytes) yield bytes.subarray(from, from + partBytes)
  }
  const { readings } = await openStatement(parts(), statementFormat({ ...DEFAULTS, ...settings }, currency))
  const found: Reading[] = []
  for await (const reading of readings) found.push(reading)
  return found
}

const read = (text: string, options?: Reads) => readings(Buffer.from(text), options)

/** `in 5000 R1 at 2026-…` */
const shown = (found: readonly Reading[]): string[] =>
  found.map((reading) => {
    if (reading.got === 'fault') return `line ${reading.lineNumber} ${reading.fault}`
    if (reading.got !== 'line') return reading.got === 'passed_over' ? 'passed over' : reading.got
    const { direction, amount, reference, at, fee, ourReference } = reading.line
    return [direction, amount.amountMinor, reference, at.toISOString(), fee && `fee ${fee.amountMinor}`, ourReference]
      .filter((part) => part !== undefined)
      .join(' ')
  })

const MTN = { settings: MTN_STATEMENT.defaults }
const MTN_HEADER = 'Date,Financial Transaction Id,External Id,Direction,Amount,Fee,Currency'
const MPESA = { settings: DARAJA_STATEMENT.defaults, currency: 'KES' }
const MPESA_HEADER =
  'Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance,A/C No.,Other Party Info'
const PLAIN = { settings: { statement_columns: 'reference=Ref; at=Time; amount=Amount' } }

test("the simulator's form of MTN", async () => {
  const text = `${MTN_HEADER}\r\n2026-03-02T10:30:00.000Z,R1,ours-1,IN,5000,50,UGX\r\n2026-03-02T10:31:00.000Z,R2,,OUT,1200,0,UGX\r\n`
  expect(shown(await read(text, MTN))).toEqual([
    'in 5000 R1 2026-03-02T10:30:00.000Z fee 50 ours-1',
    'out 1200 R2 2026-03-02T10:31:00.000Z fee 0',
  ])
})

test("M-PESA's: lines above the header, Nairobi's time, two columns, charges of their own, what moved nothing", async () => {
  const text = `Organisation statement,,,,,,,,
From,2026-03-01,,,,,,,
${MPESA_HEADER}
QK1,02-03-2026 10:30:00,Customer payment,Completed,"1,000.00",,5000.00,ABC123,254700 - Amina
QK1,02-03-2026 10:30:00,Charge for customer payment,Completed,,-5.50,4994.50,,
QK2,02-03-2026 11:00:00,Business payment,Completed,,-250.00,4744.50,,254700 - Juma
QK3,02-03-2026 11:01:00,Business payment,Failed,,-250.00,4744.50,,254700 - Juma
`
  expect(shown(await read(text, MPESA))).toEqual([
    'in 100000 QK1 2026-03-02T07:30:00.000Z ABC123',
    'out 0 QK1 2026-03-02T07:30:00.000Z fee 550',
    'out 25000 QK2 2026-03-02T08:00:00.000Z',
    'passed over',
  ])
})

describe('what offices do to a file', () => {
  const rows = ['Ref,Time,Amount', 'R1,2026-03-02 10:30,5000', '"R,2",2026-03-02 10:31,-1200']
  const all = ['in 5000 R1 2026-03-02T10:30:00.000Z', 'out 1200 R,2 2026-03-02T10:31:00.000Z']
  test.each([
    ['a byte order mark', Buffer.from(`\ufeff${rows.join('\n')}`), {}],
    ['no line end at the end, others of Windows', Buffer.from(rows.join('\r\n')), {}],
    ['empty lines', Buffer.from(rows.join('\n\n')), {}],
    ['UTF-16', Buffer.from(`\ufeff${rows.join('\n')}`, 'utf16le'), { statement_encoding: 'utf-16le' }],
    ['semicolons', Buffer.from('Ref;Time;Amount\nR1;2026-03-02 10:30;5000\nR,2;2026-03-02 10:31;-1200'), {}],
    ['tabs', Buffer.from('Ref\tTime\tAmount\nR1\t2026-03-02 10:30\t5000\nR,2\t2026-03-02 10:31\t-1200'), {}],
    ['titles in other cases and with spaces', Buffer.from(['REF , time,  Amount ', ...rows.slice(1)].join('\n')), {}],
  ])('%s', async (_what, bytes, settings) => {
    expect(shown(await readings(bytes, { settings: { ...PLAIN.settings, ...settings } }))).toEqual(all)
  })

  test('an old code page', async () => {
    const bytes = Buffer.from('Ref;Time;Amount\nR\xe9f;2026-03-02;5', 'latin1')
    const settings = { ...PLAIN.settings, statement_encoding: 'windows-1252' }
    expect(shown(await readings(bytes, { settings }))).toEqual(['in 5 Réf 2026-03-02T00:00:00.000Z'])
    await expect(readings(bytes, PLAIN)).rejects.toThrow('is not in utf-8 at or after line')
  })
})

test.each([
  ['1,234,567', 'point', 'UGX', 1_234_567n],
  ['1 234', 'point', 'UGX', 1_234n],
  ["1'234.00", 'point', 'UGX', 1_234n],
  ['KES 1,234.50', 'point', 'KES', 123_450n],
  ['1.234,50', 'comma', 'KES', 123_450n],
  ['1.234', 'comma', 'KES', 123_400n],
  ['1234,5', 'comma', 'KES', 123_450n],
])('%s with a decimal %s is %s of minor units: %d', async (written, sign, currency, minor) => {
  const settings = { ...PLAIN.settings, statement_decimal_sign: sign }
  const [reading] = await read(`Ref;Time;Amount\nR1;2026-03-02;${written}`, { settings, currency })
  expect(reading?.got === 'line' && reading.line.amount.amountMinor).toBe(minor)
})

test.each([
  ['2026-03-02 10:30', 'ymd', 'UTC', '2026-03-02T10:30:00.000Z'],
  ['02/03/2026 10:30:15', 'dmy', 'UTC', '2026-03-02T10:30:15.000Z'],
  ['3/2/2026 1:30 PM', 'mdy', 'UTC', '2026-03-02T13:30:00.000Z'],
  ['3/2/2026 12:05 AM', 'mdy', 'UTC', '2026-03-02T00:05:00.000Z'],
  ['2026-03-02T10:30:00+0300', 'ymd', 'UTC', '2026-03-02T07:30:00.000Z'],
  ['20260302', 'ymd', 'Africa/Kampala', '2026-03-01T21:00:00.000Z'],
  // Clocks go forward at two on that night: before it is UTC+1, after it UTC+2.
  ['2026-03-29 01:30', 'ymd', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29 03:30', 'ymd', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('%s as %s in %s is %s', async (written, order, zone, at) => {
  const settings = { ...PLAIN.settings, statement_day_order: order, statement_time_zone: zone }
  const [reading] = await read(`Ref;Time;Amount\nR1;${written};5`, { settings })
  expect(reading?.got === 'line' && reading.line.at.toISOString()).toBe(at)
})

describe('a line that cannot be read is told exactly, and the next one is read', () => {
  test.each([
    ['R1,,5000', 'line 2 has no time in the column "Time" that can be read'],
    ['R1,2026-02-30,5000', 'line 2 has no time in the column "Time" that can be read'],
    ['R1,2026-03-02 25:00,5000', 'line 2 has no time in the column "Time" that can be read'],
    [',2026-03-02,5000', 'line 2 has nothing in the column "Ref"'],
    ['R1,2026-03-02,', 'line 2 has no amount in the column "Amount"'],
    ['R1,2026-03-02,0', 'line 2 has no amount in the column "Amount"'],
    ['R1,2026-03-02,lots', 'line 2 has an amount in the column "Amount" that cannot be read as UGX'],
    ['R1,2026-03-02,"12,34"', 'line 2 has an amount in the column "Amount" that cannot be read as UGX'],
    ['R1,2026-03-02,10.50', 'line 2 has an amount in the column "Amount" that has more decimals than UGX has'],
    ['R1,2026-03-02,1,000', 'line 2 has 4 fields, its header 3'],
    [`${'R'.repeat(201)},2026-03-02,5`, 'line 2 has a name of more than 200 characters'],
  ])('%s', async (row, fault) => {
    expect(shown(await read(`Ref,Time,Amount\n${row}\nR2,2026-03-02,7`, PLAIN))).toEqual([
      fault,
      'in 7 R2 2026-03-02T00:00:00.000Z',
    ])
  })

  test.each([
    ['2026-03-02,R1,,IN,5000,0,KES', 'is not in UGX, the currency of the installation'],
    ['2026-03-02,R1,,SIDEWAYS,5000,0,UGX', 'has neither "in" nor "out" in "Direction"'],
    ['2026-03-02,R1,,IN,-5000,0,UGX', 'came in, and its amount is below zero'],
  ])('%s', async (row, fault) => {
    expect(shown(await read(`${MTN_HEADER}\n${row}`, MTN))).toEqual([`line 2 ${fault}`])
  })

  test('amounts in both columns', async () => {
    const row = 'QK1,02-03-2026 10:30:00,Pay,Completed,5,5,,,'
    expect(shown(await read(`${MPESA_HEADER}\n${row}`, MPESA))).toEqual([
      'line 2 has amounts in both "Paid In" and "Withdrawn"',
    ])
  })
})

describe('what is no statement is refused as a whole', () => {
  test.each([
    ['', 'is empty'],
    ['  \n ', 'is empty'],
    ['a,b,c\n1,2,3', 'none of its first 50 lines has the columns "Ref", "Time", "Amount" (statement_columns)'],
    ['Ref,Time,Amount\n"R1,2026-03-02,5', 'has quotes that do not end'],
    ['Ref,Time,Amount\nR"1,2026-03-02,5', 'has quotes in a place where none can be'],
    ['<a>', 'is no XML'],
    ['<a/>', 'is XML, and no statement of the form camt.053 (BkToCstmrStmt)'],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'has a document type, which no statement has'],
  ])('%j', async (text, fault) => {
    await expect(read(text, PLAIN)).rejects.toThrow(fault)
  })

  test('and what stands in it is not repeated where it may be a number of somebody', async () => {
    await expect(read('256772000123,5000\n', PLAIN)).rejects.not.toThrow('256772000123')
  })
})

test('whatever a field holds, a row that is written as RFC 4180 says is read back', async () => {
  const field = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() === text && text !== '')
  await fc.assert(
    fc.asyncProperty(field, fc.integer({ min: 1, max: 40 }), async (reference, partBytes) => {
      const quoted = `"${reference.replaceAll('"', '""')}"`
      const [reading] = await read(`Ref,Time,Amount\r\n${quoted},2026-03-02,5\r\n`, { ...PLAIN, partBytes })
      expect(reading?.got === 'line' && reading.line.reference).toBe(reference)
    }),
  )
})
