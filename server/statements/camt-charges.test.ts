import { expect, test } from 'vitest'
import { entryXml, readEntries } from './testing/read-text.ts'

interface ChargeOptions {
  readonly way?: string
  readonly said?: string
  readonly tax?: string
}
const inside = (amount: string, { way = 'DBIT', said, tax }: ChargeOptions = {}): string =>
  `<Amt Ccy="EUR">${amount}</Amt>${way && `<CdtDbtInd>${way}</CdtDbtInd>`}${said === undefined ? '' : `<ChrgInclInd>${said}</ChrgInclInd>`}${tax === undefined ? '' : `<Tax><Amt Ccy="EUR">${tax}</Amt></Tax>`}`
const record = (amount: string, said?: ChargeOptions): string => `<Rcrd>${inside(amount, said)}</Rcrd>`
const charges = (...parts: readonly string[]): string => `<Chrgs>${parts.join('')}</Chrgs>`
const total = (amount: string): string => `<TtlChrgsAndTaxAmt Ccy="EUR">${amount}</TtlChrgsAndTaxAmt>`
const amt = (amount: string): string => `<Amt Ccy="EUR">${amount}</Amt>`
const tx = (...parts: readonly string[]): string => `<TxDtls>${parts.join('')}</TxDtls>`
const details = (...parts: readonly string[]): string =>
  `<NtryDtls>${parts.map((part) => tx(part)).join('')}</NtryDtls>`
const booked = (amount: string): string => `<AmtDtls><TxAmt>${amt(amount)}</TxAmt></AmtDtls>`
const instructed = (amount: string, more = ''): string =>
  `<AmtDtls><InstdAmt>${amt(amount)}</InstdAmt>${more}</AmtDtls>`

const OUT = { amount: '1526.00', way: 'DBIT' }
const IN = { amount: '97.00', way: 'CRDT' }
const AT = '2026-03-02T00:00:00.000Z'
const PAID = [`out 150000 S1 ${AT} fee 2600`]
const CAME = [`in 10000 S1 ${AT} fee 300`]

test.each([
  ['a record on top of one transaction', OUT, details(amt('1500') + charges(record('26')))],
  ['a record of the entry on top of one transaction', OUT, charges(record('26')) + details(amt('1500'))],
  ['charges of version 2', OUT, details(booked('1500') + charges(inside('26')))],
  ['charges of version 2 without a direction', OUT, details(booked('1500') + charges(inside('26', { way: '' })))],
  ['two blocks of version 2', OUT, details(booked('1500') + charges(inside('20')) + charges(inside('6')))],
  [
    'blocks that repeat the total of all',
    OUT,
    details(booked('1500') + charges(total('26') + inside('20')) + charges(total('26') + inside('6'))),
  ],
  ['a total alone', OUT, charges(total('26')) + details(amt('1500'))],
  ['a total beside its records', OUT, details(amt('1500') + charges(total('26'), record('20'), record('6')))],
  ['a total with its taxes', OUT, details(amt('1500') + charges(total('26'), record('20', { tax: '6' })))],
  ['taxes that only the sum shows', OUT, details(amt('1500') + charges(record('20', { tax: '6' })))],
  ['taxes that are in their amount', OUT, details(amt('1500') + charges(record('26', { tax: '4' })))],
  [
    'the same charges at entry and transaction',
    OUT,
    charges(record('26')) + details(amt('1500') + charges(record('26'))),
  ],
  ['charges that say 1', OUT, charges(record('26', { said: '1' }))],
  ['charges that say true', OUT, charges(record('26', { said: ' true ' }))],
  ['charges that are in both amounts', OUT, details(amt('1526') + charges(record('26', { said: 'true' })))],
  ['charges outside the transaction by 0', OUT, details(amt('1500') + charges(record('26', { said: '0' })))],
  ['a partly refunded charge', OUT, details(amt('1500') + charges(record('30'), record('4', { way: 'CRDT' })))],
  ['some said and some unsaid', OUT, details(amt('1500') + charges(record('20', { said: 'false' }), record('6')))],
  ['charges that came off', IN, details(amt('100') + charges(record('3')))],
  ['charges by what stands at the entry', IN, instructed('100') + charges(total('3'))],
  ['charges by what was instructed', IN, details(instructed('100', '') + charges(record('3')))],
  [
    'charges by what was instructed and booked',
    IN,
    details(instructed('100', `<TxAmt>${amt('97')}</TxAmt>`) + charges(inside('2')) + charges(inside('1'))),
  ],
  ['charges in what came', IN, charges(record('3', { said: 'true' }))],
] as const)('reads %s', async (_what, entry, xml) => {
  expect(await readEntries(entryXml(xml, entry))).toEqual(entry === OUT ? PAID : CAME)
})

test('takes charges beside the amount where the entry says so', async () => {
  const beside = charges(record('26', { said: 'false' }))
  const line = `out 152600 S1 ${AT} fee 2600`
  expect(await readEntries(entryXml(beside, OUT))).toEqual([line])
  expect(await readEntries(entryXml(details(amt('1526') + beside), OUT))).toEqual([line])
})

test('books the charges of a batch once, as a line without a payment', async () => {
  const two = (more = '') => details(amt('1000') + more, amt('500') + more)
  const paid = [`out 100000 S1/1 ${AT}`, `out 50000 S1/2 ${AT}`, `out 0 S1 ${AT} fee 2600`]
  expect(await readEntries(entryXml(charges(record('26')) + two(), OUT))).toEqual(paid)
  expect(await readEntries(entryXml(charges(total('26')) + two(), OUT))).toEqual(paid)
  const beside = charges(record('26', { said: 'false' }))
  expect(await readEntries(entryXml(beside + two(), { ...OUT, amount: '1500' }))).toEqual(paid)
})

test('reads the charges of each transaction of a batch', async () => {
  const parts = details(amt('1000') + charges(record('20')), amt('500') + charges(record('6')))
  expect(await readEntries(entryXml(parts, OUT))).toEqual([
    `out 100000 S1/1 ${AT} fee 2000`,
    `out 50000 S1/2 ${AT} fee 600`,
  ])
})

test('reads an entry that is nothing but its charge as a fee', async () => {
  const charge = charges(record('26', { said: 'true' }))
  expect(await readEntries(entryXml(charge, { ...OUT, amount: '26' }))).toEqual([`out 0 S1 ${AT} fee 2600`])
})

const unclear = (why: string, moved = 'out 152600') => [`unclear ${moved} S1 2026-03-02: ${why}`]
const UNSUMMED = 'that do not add up with its amount and its transactions'
const UNSAID = 'and does not say whether they are in its amount (statement_charges)'

test.each([
  ['other sums', details(amt('1500') + charges(record('20'))), `has charges of 20.00 ${UNSUMMED}`],
  ['another transaction', details(amt('1500')), 'has transactions that do not sum to the amount of their entry'],
  [
    'a refunded charge',
    details(amt('1500') + charges(record('26', { way: 'CRDT' }))),
    `has charges of -26.00 ${UNSUMMED}`,
  ],
  ['a record that says nothing', charges(record('26')), `has charges of 26.00, ${UNSAID}`],
  ['a record that says something else', charges(record('26', { said: 'yes' })), `has charges of 26.00, ${UNSAID}`],
  ['charges of version 2 that say nothing', charges(inside('26')), `has charges of 26.00, ${UNSAID}`],
  ['charges in or beside both', details(amt('1526') + charges(record('26'))), `has charges of 26.00, ${UNSAID}`],
  [
    'another total',
    details(amt('1500') + charges(total('27'), record('26'))),
    'has charges that do not add up to their total of 27.00',
  ],
  [
    'taxes in or on top',
    charges(record('26', { said: 'true', tax: '4' })),
    'has charges of 26.00 that can be read in several ways',
  ],
  [
    'charges in two places that fit twice',
    charges(record('26')) +
      details(amt('1500') + charges(record('26', { said: 'true' }), record('26', { said: 'false' }))),
    `has charges of 78.00 ${UNSUMMED}`,
  ],
  [
    'charges of a batch in its amounts',
    charges(record('26', { said: 'true' })) + details(amt('1000'), amt('526')),
    `has charges of 26.00 ${UNSUMMED}`,
  ],
  ['more charges than money', charges(record('1600', { said: 'true' })), `has charges of 1600.00 ${UNSUMMED}`],
  ['charges below zero', charges(record('26', { way: 'CRDT', said: 'true' })), 'has charges below zero'],
  ['a charge that is none', charges(record('many')), 'has an Amt that cannot be read as EUR'],
  [
    'a direction that is none',
    details(amt('1500') + charges(record('26', { way: 'BOTH' }))),
    'has no CdtDbtInd of CRDT or DBIT',
  ],
] as const)('reports %s, and reads the next entry', async (_what, xml, why) => {
  const next = entryXml('', { amount: '5' })
  expect(await readEntries(entryXml(xml, OUT) + next)).toEqual([...unclear(why), `in 500 S1 ${AT}`])
})

test.each([
  ['included', `out 150000 S1 ${AT} fee 2600`],
  ['on_top', `out 152600 S1 ${AT} fee 2600`],
])('reads unstated charges by the setting %s', async (statement_charges, line) => {
  const settings = { statement_charges }
  expect(await readEntries(entryXml(charges(record('26')), OUT), { settings })).toEqual([line])
  // The setting does not override what the amounts show or the file says.
  expect(await readEntries(entryXml(details(amt('1500') + charges(record('26'))), OUT), { settings })).toEqual(PAID)
  expect(await readEntries(entryXml(charges(record('26', { said: '1' })), OUT), { settings })).toEqual(PAID)
})

test('skips a transaction of nothing, and refuses one that its charges exceed', async () => {
  const nothing = details(amt('1526'), amt('0.00'))
  expect(await readEntries(entryXml(nothing, OUT))).toEqual([`out 152600 S1/1 ${AT}`])
  const small = details(
    amt('1525') + charges(record('9', { said: 'true' })),
    amt('1') + charges(record('9', { said: 'true' })),
  )
  expect(await readEntries(entryXml(small, OUT))).toEqual(unclear(`has charges of 18.00 ${UNSUMMED}`))
})

test('ignores charges of nothing, in any currency', async () => {
  const none = charges(`<TtlChrgsAndTaxAmt Ccy="CHF">0.00</TtlChrgsAndTaxAmt>`) + details(charges(record('0.00')))
  expect(await readEntries(entryXml(none, OUT))).toEqual([`out 152600 S1 ${AT}`])
})

test('reads a payment whose charge is in another currency', async () => {
  const foreign = charges('<Rcrd><Amt Ccy="CHF">1.12</Amt><ChrgInclInd>false</ChrgInclInd></Rcrd>')
  expect(await readEntries(entryXml(details(amt('1526') + foreign), OUT))).toEqual([
    `out 152600 S1 ${AT}`,
    'unclear S1 2026-03-02: has a fee of 1.12 CHF, which is not in EUR',
  ])
  const converted = charges(total('26') + '<Rcrd><Amt Ccy="CHF">25</Amt><ChrgInclInd>true</ChrgInclInd></Rcrd>')
  expect(await readEntries(entryXml(converted, OUT))).toEqual(PAID)
})
