import { describe, expect, test } from 'vitest'
import { DARAJA_STATEMENT } from '../rails/daraja/statement.ts'
import { readText, shown } from './testing/read-text.ts'

// Direction and fees: a row that is misread here is booked in the wrong direction, and looks right.

const HEADER =
  'Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance,A/C No.,Other Party Info'
const AT = '2026-03-02T07:30:00.000Z'

interface Row {
  readonly details?: string
  readonly paidIn?: string
  readonly withdrawn?: string
  readonly balance?: string
  readonly receipt?: string
  readonly time?: string
}
const rowOf = ({
  details = 'Pay',
  paidIn = '',
  withdrawn = '',
  balance = '',
  receipt = 'QK1',
  time = '10:30:00',
}: Row) => `${receipt},02-03-2026 ${time},${details},Completed,"${paidIn}","${withdrawn}","${balance}",,`
const readRows = async (rows: readonly Row[], settings = {}) =>
  shown(
    await readText([HEADER, ...rows.map(rowOf)].join('\n'), {
      settings: { ...DARAJA_STATEMENT.defaults, ...settings },
      currency: 'KES',
    }),
  )

const FEE = `out 0 QK1 ${AT} fee 75000`
const OUT = `out 75000 QK1 ${AT}`
const IN = `in 75000 QK1 ${AT}`

describe('a text makes a fee only where it begins with a word for it and names nobody', () => {
  test.each([
    ['Charge for customer payment', FEE],
    ['CHARGE', FEE],
    ['Charge: payment', FEE],
    ['Pay Bill Charge', FEE],
    ['Business  Payment Charge', FEE],
    ['Charge for payment to JUMA', OUT],
    ['Charge from 254712345678', OUT],
    ['Charge 254712345678 - MARY', OUT],
    ['Charge 2547****1234', OUT],
    ['Charges Ltd', OUT],
    ['Chargeback of a payment', OUT],
    ['Recharge', OUT],
    ['Business Payment to 254712345678 - MARY RECHARGER', OUT],
    ['Pay Bill to EV CHARGE', OUT],
    ['Discharge fee', OUT],
    ['', OUT],
  ])('%j', async (details, line) => {
    expect(await readRows([{ details, withdrawn: '750.00' }])).toEqual([line])
    expect(await readRows([{ details, withdrawn: '-750.00' }])).toEqual([line])
  })

  test.each(['Charge', 'Charge for customer payment', 'Pay Bill Charge'])(
    'never for money that came in: %s',
    async (details) => {
      expect(await readRows([{ details, paidIn: '750.00' }])).toEqual([IN])
      expect(await readRows([{ details, paidIn: '-750.00' }])).toEqual([OUT])
    },
  )
})

test.each([
  ['Charge', 'Pay', FEE],
  ['Business Charge', 'Payment to JUMA', FEE],
  ['Recharge', 'Charge', OUT],
  ['Business Payment', 'Charge for payment', OUT],
  ['', 'Charge for payment', FEE],
])('a column with the type decides: %s, %s', async (type, details, line) => {
  const settings = {
    ...DARAJA_STATEMENT.defaults,
    statement_columns: `${DARAJA_STATEMENT.defaults['statement_columns']}; type=Reason Type`,
  }
  const text = `${HEADER},Reason Type\n${rowOf({ details, withdrawn: '750' })},${type}`
  expect(shown(await readText(text, { settings, currency: 'KES' }))).toEqual([line])
})

test('a file without the columns of type and balance is read too', async () => {
  const statement_columns = 'reference=Ref; at=Time; amount=Amount; type=Type; balance=Balance'
  expect(shown(await readText('Ref,Time,Amount\nR1,2026-03-02,5', { settings: { statement_columns } }))).toEqual([
    'in 5 R1 2026-03-02T00:00:00.000Z',
  ])
})

test.each([
  ['-500.00', 'out 50000'],
  ['(500.00)', 'out 50000'],
  ['500.00-', 'out 50000'],
  ['−500.00', 'out 50000'],
  ['-KES 500', 'out 50000'],
  ['KES -500', 'out 50000'],
  ['(KES 500)', 'out 50000'],
  ['+500', 'in 50000'],
  ['500.00', 'in 50000'],
])('the sign of %s gives its direction', async (amount, moved) => {
  expect(await readRows([{ paidIn: amount }])).toEqual([`${moved} QK1 ${AT}`])
  const settings = { statement_columns: 'reference=Ref; at=Time; amount=Amount' }
  const text = `Ref;Time;Amount\nQK1;2026-03-02T10:30:00+03:00;${amount}`
  expect(shown(await readText(text, { settings, currency: 'KES' }))).toEqual([`${moved} QK1 ${AT}`])
})

test.each(['--500', '(-500)', '-500-', '()', '-(500)', '500 CR'])('the amount %s is refused', async (paidIn) => {
  expect(await readRows([{ paidIn }])).toEqual([
    'line 2 has an amount in the column "Paid In" that cannot be read as KES',
  ])
})

describe('compares each line with the running balance', () => {
  const first = { paidIn: '100', balance: '1000', receipt: 'A', time: '10:00:00' }
  const wrong = { paidIn: '500', balance: '500', receipt: 'B', time: '10:01:00' }
  const last = { withdrawn: '200', balance: '300', receipt: 'C', time: '10:02:00' }
  const contradiction = 'unclear 50000 B 2026-03-02: moves the balance the other way, from 1000.00 to 500.00'
  const A = 'in 10000 A 2026-03-02T07:00:00.000Z'
  const C = 'out 20000 C 2026-03-02T07:02:00.000Z'

  test('reports a line that moves it the other way, whichever comes first', async () => {
    expect(await readRows([first, wrong, last])).toEqual([A, contradiction, C])
    expect(await readRows([last, wrong, first])).toEqual([C, contradiction, A])
  })

  test('reports it where all times are equal', async () => {
    const rows = [first, wrong, last, { ...first, balance: '400', receipt: 'D' }].map((row) => ({
      ...row,
      time: '10:00:00',
    }))
    const readings = (found: readonly string[]) => found.map((each) => each.split(' ').slice(0, 3).join(' '))
    const expected = ['in 10000 A', 'unclear 50000 B', 'out 20000 C', 'in 10000 D']
    expect(readings(await readRows(rows))).toEqual(expected)
    expect(readings(await readRows(rows.toReversed()))).toEqual(expected.toReversed())
  })

  test('reports a fee that came in', async () => {
    const rows = [first, { ...wrong, paidIn: '', withdrawn: '500', details: 'Pay', balance: '1500' }]
    expect(await readRows(rows, { statement_charge_word: 'pay' })).toEqual([
      A,
      'unclear 50000 B 2026-03-02: moves the balance the other way, from 1000.00 to 1500.00',
    ])
  })

  test.each(['1000', ''])('continues over rows that moved nothing, with the balance %j', async (balance) => {
    const failed = rowOf({ ...last, balance }).replace('Completed', 'Failed')
    const rows = [rowOf(first), failed, rowOf({ ...wrong, time: '10:03:00' })]
    const read = async (each: readonly string[]) =>
      shown(await readText([HEADER, ...each].join('\n'), { settings: DARAJA_STATEMENT.defaults, currency: 'KES' }))
    expect((await read(rows)).toSorted()).toEqual([A, 'passed over with status Failed', contradiction])
    expect((await read(rows.toReversed())).toSorted()).toEqual([A, 'passed over with status Failed', contradiction])
  })

  test.each([
    ['rows are missing', { balance: '7000' }],
    ['the balance stays as it was', { balance: '1000' }],
    ['none is there', { balance: '' }],
    ['it cannot be read', { balance: 'n/a' }],
    ['it is right', { balance: '1,500.00' }],
  ])('and reports nothing where %s', async (_what, { balance }) => {
    expect(await readRows([first, { ...wrong, balance }])).toEqual([A, 'in 50000 B 2026-03-02T07:01:00.000Z'])
  })

  test('skips the balances of another currency', async () => {
    const statement_columns = 'reference=Ref; at=Time; amount=Amount; currency=Currency; balance=Balance'
    const rows = ['A,2026-03-01,5,UGX,1000', 'B,2026-03-02,5,KES,1495', 'C,2026-03-03,500,UGX,500']
    const text = ['Ref,Time,Amount,Currency,Balance', ...rows].join('\n')
    expect(shown(await readText(text, { settings: { statement_columns } }))).toEqual([
      'in 5 A 2026-03-01T00:00:00.000Z',
      'passed over in KES, and not in UGX',
      'unclear 500 C 2026-03-03: moves the balance the other way, from 1000 to 500',
    ])
  })

  test('takes a fee with its movement, or in a row of its own', async () => {
    const statement_columns = 'reference=Ref; at=Time; amount=Amount; fee=Fee; balance=Balance'
    const text = [
      'Ref,Time,Amount,Fee,Balance',
      'A,2026-03-01,5,0,1000',
      'B,2026-03-02,-100,7,893',
      'C,2026-03-03,100,7,786',
      'D,2026-03-04,-100,7,879',
    ]
    expect(shown(await readText(text.join('\n'), { settings: { statement_columns } }))).toEqual([
      'in 5 A 2026-03-01T00:00:00.000Z fee 0',
      'out 100 B 2026-03-02T00:00:00.000Z fee 7',
      'unclear 100 C 2026-03-03: moves the balance the other way, from 893 to 786',
      'unclear 100 D 2026-03-04: moves the balance the other way, from 786 to 879',
    ])
  })

  test('refuses a file whose columns are mistaken for each other', async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => ({
      paidIn: '100',
      balance: String(1000 - 100 * n),
      receipt: `R${n}`,
      time: `10:0${n}:00`,
    }))
    await expect(readRows(rows)).rejects.toThrow(
      'moves the balance the other way, as 4 lines do: statement_columns or statement_directions say the opposite of the column "Balance"',
    )
  })

  test('reads 3,000 rows as they come, the newest first', async () => {
    const rows = Array.from({ length: 3000 }, (_each, n) => ({
      paidIn: '1',
      balance: String(5000 - n),
      receipt: `R${n}`,
      time: `${String(22 - Math.floor(n / 600)).padStart(2, '0')}:00:00`,
    }))
    const found = await readRows(rows)
    expect(found).toHaveLength(3000)
    expect(found.filter((each) => !each.startsWith('in 100 '))).toEqual([])
    expect(found.map((each) => each.split(' ')[2])).toEqual(rows.map(({ receipt }) => receipt))
  })
})
