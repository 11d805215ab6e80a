import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DARAJA_STATEMENT } from '../rails/daraja/statement.ts'
import { MTN_STATEMENT } from '../rails/mtn-momo/statement.ts'
import { readBytes, readText as read, shown } from './testing/read-text.ts'

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

// Some lines move nothing.
test("M-PESA's: lines above the header, Nairobi time, two columns, own charges", async () => {
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
    'passed over with status Failed',
  ])
})

test("a status that copies another column's text masks its names and grouped numbers", async () => {
  const text = `${MPESA_HEADER}\nQK3,02-03-2026 11:01:00,x,Of 254 708-374-149,,-250.00,4744.50,,\n`
  expect(shown(await read(text, MPESA))).toEqual(['passed over with status Of …'])
})

describe('what office programs do to a file', () => {
  const rows = ['Ref,Time,Amount', 'R1,2026-03-02 10:30,5000', '"R,2",2026-03-02 10:31,-1200']
  const all = ['in 5000 R1 2026-03-02T10:30:00.000Z', 'out 1200 R,2 2026-03-02T10:31:00.000Z']
  test.each([
    ['a byte order mark', Buffer.from(`\ufeff${rows.join('\n')}`), {}],
    ['no line end at the end, others of Windows', Buffer.from(rows.join('\r\n')), {}],
    ['empty lines', Buffer.from(rows.join('\n\n')), {}],
    ['UTF-16', Buffer.from(`\ufeff${rows.join('\n')}`, 'utf16le'), { statement_encoding: 'utf-16le' }],
    ['line ends of all kinds', Buffer.from(`${rows[0]}\r\n${rows[1]}\r${rows[2]}\n`), {}],
    ['old line ends', Buffer.from(rows.join('\r')), {}],
    ['separators at the end', Buffer.from(rows.map((row) => `${row},`).join('\n')), {}],
    ['separators at the end of rows only', Buffer.from(`${rows[0]}\n${rows[1]},,\n${rows[2]},,\n`), {}],
    ['empty rows', Buffer.from(`${rows.join('\n,,\n')}\n , ,\n`), {}],
    [
      'a separator in the first line',
      Buffer.from('sep=;\nRef;Time;Amount\nR1;2026-03-02 10:30;5000\nR,2;2026-03-02 10:31;-1200'),
      {},
    ],
    [
      'the same in quotes',
      Buffer.from('\ufeff"sep=|"\r\nRef|Time|Amount\r\nR1|2026-03-02 10:30|5000\r\nR,2|2026-03-02 10:31|-1200'),
      {},
    ],
    ['semicolons', Buffer.from('Ref;Time;Amount\nR1;2026-03-02 10:30;5000\nR,2;2026-03-02 10:31;-1200'), {}],
    ['tabs', Buffer.from('Ref\tTime\tAmount\nR1\t2026-03-02 10:30\t5000\nR,2\t2026-03-02 10:31\t-1200'), {}],
    ['titles in other cases and with spaces', Buffer.from(['REF , time,  Amount ', ...rows.slice(1)].join('\n')), {}],
  ])('%s', async (_what, bytes, settings) => {
    expect(shown(await readBytes(bytes, { settings: { ...PLAIN.settings, ...settings } }))).toEqual(all)
  })

  test('an old code page', async () => {
    const bytes = Buffer.from('Ref;Time;Amount\nR\xe9f;2026-03-02;5', 'latin1')
    const settings = { ...PLAIN.settings, statement_encoding: 'windows-1252' }
    expect(shown(await readBytes(bytes, { settings }))).toEqual(['in 5 Réf 2026-03-02T00:00:00.000Z'])
    await expect(readBytes(bytes, PLAIN)).rejects.toThrow('is not in utf-8 at or after line')
  })
})

test.each([
  ['1,234,567', 'point', 'UGX', 1_234_567n],
  ['1 234', 'point', 'UGX', 1_234n],
  ["1'234.00", 'point', 'UGX', 1_234n],
  ['KES 1,234.50', 'point', 'KES', 123_450n],
  ['-KES1,234.50', 'point', 'KES', 123_450n],
  ['1.234,50kes', 'comma', 'KES', 123_450n],
  ['1.234,50', 'comma', 'KES', 123_450n],
  ['1.234', 'comma', 'KES', 123_400n],
  ['1234,5', 'comma', 'KES', 123_450n],
  ['.50', 'point', 'KES', 50n],
  ['1500.0000', 'point', 'KES', 150_000n],
  ['1500.000', 'point', 'KES', 150_000n],
  ['1.234', 'point', 'KWD', 1_234n],
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
  ['2026-03-02 10:30 UTC', 'ymd', 'Africa/Kampala', '2026-03-02T10:30:00.000Z'],
  ['20260302', 'ymd', 'Africa/Kampala', '2026-03-01T21:00:00.000Z'],
  // The year comes first: only one date is possible, whatever the setting.
  ['2026-03-02 10:30', 'dmy', 'UTC', '2026-03-02T10:30:00.000Z'],
  ['2026/3/2', 'mdy', 'UTC', '2026-03-02T00:00:00.000Z'],
  ['02032026', 'dmy', 'UTC', '2026-03-02T00:00:00.000Z'],
  // So does a month with a name.
  ['02-MAR-26 10:30:15', 'ymd', 'UTC', '2026-03-02T10:30:15.000Z'],
  ['2 March 2026', 'mdy', 'UTC', '2026-03-02T00:00:00.000Z'],
  ['Mar 2, 2026 1:30 PM', 'dmy', 'UTC', '2026-03-02T13:30:00.000Z'],
  ['02Sept2026', 'mdy', 'UTC', '2026-09-02T00:00:00.000Z'],
  ['2026-03-02 24:00', 'ymd', 'UTC', '2026-03-03T00:00:00.000Z'],
  // Clocks go forward at two that night: UTC+1 before it, UTC+2 after it.
  ['2026-03-29 01:30', 'ymd', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29 03:30', 'ymd', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('%s as %s in %s is %s', async (written, order, zone, at) => {
  const settings = { ...PLAIN.settings, statement_day_order: order, statement_time_zone: zone }
  const [reading] = await read(`Ref;Time;Amount\nR1;${written};5`, { settings })
  expect(reading?.got === 'line' && reading.line.at.toISOString()).toBe(at)
})

test.each([
  ['19/11/2026', 'ymd', 'dmy'],
  ['11/19/2026', 'dmy', 'mdy'],
  ['19-11-2026 10:00', 'mdy', 'dmy'],
])('refuses a file with %s as %s, by the name of the setting', async (written, order, other) => {
  const settings = { ...PLAIN.settings, statement_day_order: order }
  await expect(read(`Ref;Time;Amount\nR1;2026-03-02;5\nR2;${written};5`, { settings })).rejects.toThrow(
    `has a day in the column "Time" that is none as ${order}, and one as ${other} (statement_day_order)`,
  )
})

test("a line has the day of its time, in the statement's zone", async () => {
  const settings = { ...PLAIN.settings, statement_time_zone: 'Africa/Kampala' }
  const times = ['2026-03-02 23:59', '2026-03-02T22:00:00Z', '2026-03-02']
  const found = await read(`Ref;Time;Amount\n${times.map((time) => `R;${time};5`).join('\n')}`, { settings })
  expect(found.map((each) => each.got === 'line' && each.line.bookedOn)).toEqual([
    '2026-03-02',
    '2026-03-03',
    '2026-03-02',
  ])
})

test('a row with a separator inside a name is reported, not passed over', async () => {
  const columns = 'reference=Ref; at=Time; status=Status; amount=Amount'
  const settings = { statement_columns: columns, statement_statuses: 'completed' }
  const found = await read('Ref;Time;Name;Status;Amount\nR1;2026-03-02;DOE; JOHN;Completed;500', { settings })
  expect(found).toMatchObject([{ got: 'fault', fault: 'has 6 fields, its header 5' }])
})

describe('reports an unreadable line exactly, and reads the next one', () => {
  test.each([
    ['R1,,5000', 'line 2 has no time in the column "Time" that can be read'],
    ['R1,0001-01-01,5000', 'line 2 has no time in the column "Time" that can be read'],
    ['R1,30-Feb-2026,5000', 'line 2 has no time in the column "Time" that can be read'],
    ['R1,02-Mrz-2026,5000', 'line 2 has no time in the column "Time" that can be read'],
    ['R1,2026-02-30,5000', 'line 2 has no time in the column "Time" that can be read'],
    ['R1,2026-03-02 25:00,5000', 'line 2 has no time in the column "Time" that can be read'],
    [',2026-03-02,5000', 'unclear in 5000 2026-03-02: has no name in the column "Ref"'],
    ['R1,2026-03-02,', 'line 2 has no amount in the column "Amount"'],
    ['R1,2026-03-02,0', 'passed over of amount 0'],
    ['R1,2026-03-02,lots', 'line 2 has an amount in the column "Amount" that cannot be read as UGX'],
    ['R1,2026-03-02,"12,34"', 'line 2 has an amount in the column "Amount" that cannot be read as UGX'],
    [
      'R1,2026-03-02,1.500',
      'line 2 has an amount in the column "Amount" that has three decimals or thousands (statement_decimal_sign)',
    ],
    ['R1,2026-03-02,10.50', 'line 2 has an amount in the column "Amount" that has more decimals than UGX has'],
    ['R1,2026-03-02,1,000', 'line 2 has 4 fields, its header 3'],
    [`${'R'.repeat(201)},2026-03-02,5`, 'unclear in 5 2026-03-02: has no name in the column "Ref"'],
  ])('%s', async (row, fault) => {
    expect(shown(await read(`Ref,Time,Amount\n${row}\nR2,2026-03-02,7`, PLAIN))).toEqual([
      fault,
      'in 7 R2 2026-03-02T00:00:00.000Z',
    ])
  })

  test.each([
    ['2026-03-02,R1,,IN,5000,0,KES', 'passed over in KES, and not in UGX'],
    ['2026-03-02,R1,,IN,5000,0,#', 'unclear in 5000 R1 2026-03-02: has no code of a currency in the column "Currency"'],
    ['2026-03-02,R1,,SIDEWAYS,5000,0,UGX', 'unclear 5000 R1 2026-03-02: has neither "in" nor "out" in "Direction"'],
    ['2026-03-02,R1,,IN,-5000,0,UGX', 'unclear 5000 R1 2026-03-02: came in, and its amount is below zero'],
    ['2026-03-02,,ours-1,IN,5000,0,UGX', 'in 5000 e2e:ours-1 2026-03-02T00:00:00.000Z fee 0 ours-1'],
    [`2026-03-02,R1,${'o'.repeat(201)},IN,5000,0,UGX`, 'in 5000 R1 2026-03-02T00:00:00.000Z fee 0'],
    ['2026-03-02,R1,,IN,0,12,UGX', 'out 0 R1 2026-03-02T00:00:00.000Z fee 12'],
    [
      'Date,Financial Transaction Id,External Id,Direction,Amount,Fee,Currency',
      'passed over with the titles of the columns',
    ],
  ])('%s', async (row, reading) => {
    const next = '2026-03-02,R2,,IN,7,0,UGX'
    expect(shown(await read(`${MTN_HEADER}\n${row}\n${next}`, MTN))).toEqual([
      reading,
      'in 7 R2 2026-03-02T00:00:00.000Z fee 0',
    ])
  })

  test('an unreadable fee, and its payment', async () => {
    expect(shown(await read(`${MTN_HEADER}\n2026-03-02,R1,,IN,5000,some,UGX`, MTN))).toEqual([
      'in 5000 R1 2026-03-02T00:00:00.000Z',
      'unclear R1 2026-03-02: has a fee in the column "Fee" that cannot be read as UGX',
    ])
  })

  test('amounts in both columns', async () => {
    const row = 'QK1,02-03-2026 10:30:00,Pay,Completed,5,5,,,'
    expect(shown(await read(`${MPESA_HEADER}\n${row}`, MPESA))).toEqual([
      'unclear QK1 2026-03-02: has amounts in both "Paid In" and "Withdrawn"',
    ])
  })
})

describe("refuses a file whose every row looks like another rail account's", () => {
  test.each([
    ['2026-03-02,R1,,IN,5000,0,KES', 'is in KES, and not in UGX, and no line of the file is'],
    ['2026-03-02,R1,,CREDIT,5000,0,UGX', 'has neither "in" nor "out" in "Direction"'],
  ])('%s', async (row, message) => {
    await expect(read(`${MTN_HEADER}\n${row}`, MTN)).rejects.toThrow(message)
  })
})

describe('counts rows that moved nothing by their status', () => {
  const rowsOf = (...statuses: readonly string[]) =>
    [MPESA_HEADER, ...statuses.map((status) => `QK1,,Pay,${status},5,,,,`)].join('\n')
  test("under the file's own name", async () => {
    expect(shown(await read(rowsOf('Pending', '', 'reversed', 'Sent to 254712345678'), MPESA))).toEqual([
      'passed over with status Pending',
      'passed over with no status',
      'passed over with status reversed reversal of QK1',
      'passed over with status Sent to …',
    ])
  })

  test('and together where each is another', async () => {
    const many = Array.from({ length: 30 }, (_each, n) => `S${n}`)
    const reasons = new Set(shown(await read(rowsOf(...many), MPESA)))
    expect(reasons.size).toBe(21)
    expect(reasons).toContain('passed over with another status')
  })
})

describe('refuses what is no statement as a whole', () => {
  test.each([
    ['', 'is empty'],
    ['  \n ', 'is empty'],
    ['a,b,c\n1,2,3', 'none of its first 50 lines has the columns "Ref", "Time", "Amount" (statement_columns)'],
    ['Customer Name: JANE DOE; 254 708 374 149', 'it begins with: Customer Name: ***; *** *** *** 149'],
    ['Ref,Time,Amount\n"R1,2026-03-02,5', 'has quotes that do not end'],
    ['Ref,Time,Amount\nR"1,2026-03-02,5', 'has quotes in a place where none can be'],
    ['<a>', 'is no XML'],
    ['<a/>', 'is XML, and no statement of the form camt.053 (BkToCstmrStmt)'],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'has a document type, which no statement has'],
  ])('%j', async (text, fault) => {
    await expect(read(text, PLAIN)).rejects.toThrow(fault)
  })

  test("without repeating content that may be somebody's number", async () => {
    await expect(read('256772000123,5000\n', PLAIN)).rejects.not.toThrow('256772000123')
  })
})

test('reads back any field that is written as in RFC 4180', async () => {
  const field = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() === text && text !== '')
  await fc.assert(
    fc.asyncProperty(field, fc.integer({ min: 1, max: 40 }), async (reference, partBytes) => {
      const quoted = `"${reference.replaceAll('"', '""')}"`
      const [reading] = await read(`Ref,Time,Amount\r\n${quoted},2026-03-02,5\r\n`, { ...PLAIN, partBytes })
      expect(reading?.got === 'line' && reading.line.reference).toBe(reference)
    }),
  )
})
