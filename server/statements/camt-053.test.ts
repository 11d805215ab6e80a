import { describe, expect, test } from 'vitest'
import { entryXml as entry, readEntries, readText, shown, statementXml, type ReadOptions } from './testing/read-text.ts'

const KENYA: ReadOptions = { currency: 'EUR', settings: { statement_time_zone: 'Africa/Nairobi' }, partBytes: 11 }
const read = (entries: string) => readEntries(entries, KENYA)

const DETAIL = '<NtryDtls><TxDtls><Refs><EndToEndId>our-1</EndToEndId><TxId>T1</TxId></Refs></TxDtls></NtryDtls>'
const AT = '2026-03-01T21:00:00.000Z'
const DAY = '<BookgDt><Dt>2026-03-02</Dt></BookgDt>'
const BOOKED = '<Sts><Cd>BOOK</Cd></Sts>'
const NAME = '<AcctSvcrRef>S1</AcctSvcrRef>'
const head = ({ status = BOOKED, day = DAY, name = NAME } = {}) => ({ head: `${status}${day}${name}` })

test('reads both directions, with the names of the transaction', async () => {
  expect(await read(entry(DETAIL) + entry('', { way: 'DBIT', amount: '7.5' }))).toEqual([
    `in 10000 T1 ${AT} our-1`,
    `out 750 S1 ${AT}`,
  ])
})

test.each([
  ['<Sts>BOOK</Sts>', `in 10000 S1 ${AT}`],
  ['<Sts><Cd>PDNG</Cd></Sts>', 'passed over with status PDNG'],
  ['<Sts>INFO</Sts>', 'passed over with status INFO'],
  ['<Sts><Prtry>Held 254712345678</Prtry></Sts>', 'passed over with status Held …'],
  ['<Sts/>', 'passed over with no status'],
])('counts only what is booked: %s', async (status, reading) => {
  expect(await read(entry('', head({ status })))).toEqual([reading])
})

test('reads each transaction of a batch as a line, if they add up', async () => {
  const part = (n: number, amount: string) =>
    `<TxDtls><Refs><EndToEndId>our-${n}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt></TxDtls>`
  const together = `<NtryDtls>${part(1, '60.00')}${part(2, '40.00')}</NtryDtls>`
  expect(await read(entry(together))).toEqual([`in 6000 S1/1 ${AT} our-1`, `in 4000 S1/2 ${AT} our-2`])
  expect(await read(entry(together, { amount: '100.01' }))).toEqual([
    'unclear in 10001 S1 2026-03-02: has transactions that do not sum to the amount of their entry',
  ])
  // Two elements with one transaction each are a batch too.
  const apart = `<NtryDtls>${part(1, '60.00')}</NtryDtls><NtryDtls>${part(2, '40.00')}</NtryDtls>`
  expect(await read(entry(apart, head({ name: '' })))).toEqual([
    `in 6000 e2e:our-1 ${AT} our-1`,
    `in 4000 e2e:our-2 ${AT} our-2`,
  ])
})

describe('an odd entry is an exception, and the next one is read', () => {
  const unnamed = head({ name: '' })
  test.each([
    [
      'another currency',
      entry('').replace('Ccy="EUR"', 'Ccy="USD"'),
      'in S1 2026-03-02: is not in EUR, the currency of the rail account: 100.00 USD',
    ],
    ['no day', entry('', head({ day: '' })), 'in 10000 S1: has no BookgDt with a time or a day that can be read'],
    ['no way', entry('', { way: 'BOTH' }), '10000 S1 2026-03-02: has no CdtDbtInd of CRDT or DBIT'],
    ['no name', entry('', unnamed), 'in 10000 2026-03-02: has no AcctSvcrRef, TxId, NtryRef or EndToEndId'],
    [
      'a name for none',
      entry(DETAIL.replace('our-1', 'NOTPROVIDED').replace('T1', 'NONREF'), unnamed),
      'in 10000 2026-03-02: has no AcctSvcrRef, TxId, NtryRef or EndToEndId',
    ],
    [
      'a long name',
      entry('', head({ name: `<NtryRef>${'N'.repeat(201)}</NtryRef>` })),
      'in 10000 2026-03-02: has a name of more than 200 characters',
    ],
    ['no amount', entry('', { amount: 'many' }), 'in S1 2026-03-02: has an Amt that cannot be read as EUR'],
    ['an empty amount', entry('', { amount: '' }), 'in S1 2026-03-02: has an Amt that cannot be read as EUR'],
    ['thousands', entry('', { amount: '1,234.50' }), 'in S1 2026-03-02: has an Amt that cannot be read as EUR'],
    ['less than nothing', entry('', { amount: '-100' }), 'in S1 2026-03-02: has no Amt of zero or more'],
    [
      'more decimals',
      entry('', { amount: '1.001' }),
      'in S1 2026-03-02: has an Amt that has more decimals than EUR has',
    ],
  ])('%s', async (_what, odd, unclear) => {
    expect(await read(odd + entry(''))).toEqual([`unclear ${unclear}`, `in 10000 S1 ${AT}`])
  })

  test.each([
    ['our id too long for any', entry(DETAIL.replace('our-1', 'o'.repeat(300))), `in 10000 T1 ${AT}`],
    [
      'no EndToEndId, and an InstrId',
      entry(DETAIL.replaceAll('EndToEndId', 'InstrId').replaceAll('TxId', 'UETR'), unnamed),
      `in 10000 e2e:our-1 ${AT} our-1`,
    ],
    ...['notprovided', 'Not Provided', 'N/A', 'none', 'NULL', '-'].map((none) => [
      `an EndToEndId ${none}`,
      entry(DETAIL.replace('our-1', `${none}</EndToEndId><InstrId>our-2</InstrId><EndToEndId>`)),
      `in 10000 T1 ${AT} our-2`,
    ]),
    [
      'a day of booking that is none',
      entry('', head({ day: '<BookgDt/><ValDt><Dt>2026-03-02</Dt></ValDt>' })),
      `in 10000 S1 ${AT}`,
    ],
    [
      'an amount of a transaction that is none',
      entry(DETAIL.replace('</TxDtls>', '<Amt Ccy="EUR">x</Amt></TxDtls>')),
      `in 10000 T1 ${AT} our-1`,
    ],
    [
      'what was instructed in another currency',
      entry(DETAIL.replace('</TxDtls>', '<AmtDtls><InstdAmt><Amt Ccy="USD">120</Amt></InstdAmt></AmtDtls></TxDtls>')),
      `in 10000 T1 ${AT} our-1`,
    ],
  ])('%s decides nothing', async (_what, odd, line) => {
    expect(await read(odd)).toEqual([line])
  })
})

test('skips what moved nothing, and counts it', async () => {
  expect(await read(entry('', { amount: '0' }) + entry('', { amount: '-0.00' }))).toEqual([
    'passed over of amount 0.00',
    'passed over of amount 0.00',
  ])
})

describe('the account of a statement', () => {
  const account = (id: string, currency = 'EUR') => `<Acct><Id>${id}</Id><Ccy>${currency}</Ccy></Acct>`
  const balance = (code: string, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1</Amt><Dt><Dt>${day}</Dt></Dt></Bal>`
  const period = (from: string, to: string) => `<FrToDt><FrDtTm>${from}</FrDtTm><ToDtTm>${to}</ToDtTm></FrToDt>`
  test.each([
    ['an IBAN in groups', account('<IBAN>de89 3704 0044 0532 0130 00</IBAN>'), 'statement DE89370400440532013000'],
    ['an account number', account('<Othr><Id> 01 23 </Id></Othr>'), 'statement 0123'],
    ['nothing', '', 'statement'],
    ['a period', period('2026-03-01T00:00:00', '2026-03-31T23:59:59'), 'statement 2026-03-01 2026-03-31'],
    [
      'a period to midnight',
      period('2026-03-01T00:00:00+03:00', '2026-04-01T00:00:00+03:00'),
      'statement 2026-03-01 2026-03-31',
    ],
    ['a day', period('2026-03-01T00:00:00', '2026-03-01T00:00:00'), 'statement 2026-03-01 2026-03-01'],
    ['balances', balance('OPBD', '2026-03-02') + balance('CLBD', '2026-03-03'), 'statement 2026-03-02 2026-03-03'],
    ['a balance from before', balance('PRCD', '2026-03-01') + balance('CLBD', '2026-03-03'), 'statement'],
  ])('%s', async (_what, xml, statement) => {
    expect(shown(await readText(statementXml(xml + entry('')), KENYA))).toEqual([statement, `in 10000 S1 ${AT}`])
    expect(shown(await readText(statementXml(xml), KENYA))).toEqual([statement])
  })

  test('skips the entries of an account in another currency', async () => {
    const dollars = account('<IBAN>A2</IBAN>', 'USD') + entry('').replace('Ccy="EUR"', 'Ccy="USD"')
    const two = statementXml(`${account('<IBAN>A1</IBAN>')}${entry('')}</Stmt><Stmt>${dollars}`)
    expect(shown(await readText(two, KENYA))).toEqual([
      'statement A1',
      `in 10000 S1 ${AT}`,
      'statement A2',
      'passed over in USD, and not in EUR',
    ])
    await expect(readText(statementXml(dollars), KENYA)).rejects.toThrow('is in USD, and not in EUR')
  })

  test('reads the report of a day that is not over', async () => {
    const report = statementXml(entry('')).replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt').replaceAll('Stmt>', 'Rpt>')
    expect(shown(await readText(report, KENYA))).toEqual(['statement', `in 10000 S1 ${AT}`])
  })

  test('refuses a notification, whose entries the statement has too', async () => {
    const notification = statementXml(entry('')).replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
    await expect(readText(notification, KENYA)).rejects.toThrow('is a notification (camt.054)')
  })
})
