import { expect, test } from 'vitest'
import { readCamt053 } from './camt-053.ts'
import { statementFormat } from './format.ts'
import { STATEMENT_SETTINGS } from '../rails/statement-settings.ts'

const FORMAT = statementFormat(
  {
    ...Object.fromEntries(
      Object.entries(STATEMENT_SETTINGS).flatMap(([name, setting]) =>
        'default' in setting ? [[name, setting.default]] : [],
      ),
    ),
    statement_time_zone: 'Africa/Nairobi',
  },
  'KES',
)

async function read(entries: string): Promise<unknown[]> {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt>
<Bal><Amt Ccy="KES">1.00</Amt></Bal>${entries}</Stmt></BkToCstmrStmt></Document>`
  async function* parts() {
    for (let from = 0; from < text.length; from += 11) yield text.slice(from, from + 11)
  }
  const found: unknown[] = []
  for await (const reading of readCamt053(parts(), FORMAT)) {
    if (reading.got !== 'line') found.push(reading.got === 'fault' ? reading.fault : reading.got)
    else {
      const { reference, ourReference, direction, amount, fee, at } = reading.line
      found.push([direction, amount.amountMinor, fee?.amountMinor, reference, ourReference, at.toISOString()])
    }
  }
  return found
}

const entry = (inside: string, { amount = '100.00', way = 'CRDT', status = '<Sts><Cd>BOOK</Cd></Sts>' } = {}): string =>
  `<Ntry><NtryRef>N1</NtryRef><Amt Ccy="KES">${amount}</Amt><CdtDbtInd>${way}</CdtDbtInd>${status}
   <BookgDt><Dt>2026-03-02</Dt></BookgDt><AcctSvcrRef>S1</AcctSvcrRef>${inside}</Ntry>`
const DETAIL = '<NtryDtls><TxDtls><Refs><EndToEndId>our-1</EndToEndId><TxId>T1</TxId></Refs></TxDtls></NtryDtls>'
const AT = '2026-03-01T21:00:00.000Z'

test('money that came and money that went, with the names of their transaction', async () => {
  expect(await read(entry(DETAIL) + entry('', { way: 'DBIT', amount: '7.5' }))).toEqual([
    ['in', 10_000n, undefined, 'T1', 'our-1', AT],
    ['out', 750n, undefined, 'S1', undefined, AT],
  ])
})

test('a status is written in two ways; what is not booked moved nothing', async () => {
  expect(
    await read(entry('', { status: '<Sts>BOOK</Sts>' }) + entry('', { status: '<Sts><Cd>PDNG</Cd></Sts>' })),
  ).toEqual([['in', 10_000n, undefined, 'S1', undefined, AT], 'passed_over'])
})

test('a time with a zone, and prefixes of a namespace', async () => {
  const found = await read(
    entry(DETAIL)
      .replace('<Dt>2026-03-02</Dt>', '<DtTm>2026-03-02T10:00:00+01:00</DtTm>')
      .replaceAll(/<(\/?)(\w)/g, '<$1ns:$2'),
  )
  expect(found).toEqual([['in', 10_000n, undefined, 'T1', 'our-1', '2026-03-02T09:00:00.000Z']])
})

test('transactions that the bank has put together are lines of their own, if they sum up', async () => {
  const part = (n: number, amount: string) =>
    `<TxDtls><Refs><EndToEndId>our-${n}</EndToEndId></Refs><Amt Ccy="KES">${amount}</Amt></TxDtls>`
  const together = `<NtryDtls>${part(1, '60.00')}${part(2, '40.00')}</NtryDtls>`
  expect(await read(entry(together))).toEqual([
    ['in', 6_000n, undefined, 'S1/1', 'our-1', AT],
    ['in', 4_000n, undefined, 'S1/2', 'our-2', AT],
  ])
  expect(await read(entry(together, { amount: '100.01' }))).toEqual([
    'has transactions that do not sum to the amount of their entry',
  ])
})

test('charges beside the amount, and charges in it', async () => {
  const charge = (included: boolean) =>
    `<Chrgs><Rcrd><Amt Ccy="KES">2.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>${included}</ChrgInclInd></Rcrd></Chrgs>`
  const found = await read(entry(charge(false)) + entry(charge(true)) + entry(charge(true), { way: 'DBIT' }))
  expect(found.map((each) => (each as unknown[]).slice(0, 3))).toEqual([
    ['in', 10_000n, 200n],
    ['in', 10_200n, 200n],
    ['out', 9_800n, 200n],
  ])
})

test.each([
  ['another currency', entry('').replace('Ccy="KES"', 'Ccy="USD"'), 'is not in KES, the currency of the installation'],
  ['no day', entry('').replace(/<BookgDt>.*<\/BookgDt>/s, ''), 'has no BookgDt with a time or a day that can be read'],
  ['no way', entry('').replace('CRDT', 'BOTH'), 'has no CdtDbtInd of CRDT or DBIT'],
  ['no name', entry('').replaceAll(/<(NtryRef|AcctSvcrRef)>.*?<\/\1>/g, ''), 'has no AcctSvcrRef, TxId or NtryRef'],
  ['no amount', entry('').replace('100.00', 'many'), 'has an Amt that cannot be read as KES'],
])('%s is told', async (_what, entries, fault) => {
  expect(await read(entries)).toEqual([fault])
})
