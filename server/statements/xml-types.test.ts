import { expect, test } from 'vitest'
import { entryXml, readEntries, readText, statementXml } from './testing/read-text.ts'

// XML Schema values in every notation that a bank's software may write.

test.each([
  ['.05', '5'],
  ['5.', '500'],
  ['+5', '500'],
  ['  5.10\n ', '510'],
  ['000000000000000000000000000000005', '500'],
  ['5.000000', '500'],
  ['1.500', '150'],
  ['<![CDATA[5]]>', '500'],
  ['<!-- not 4 -->5', '500'],
  ['&#53;', '500'],
])('reads the decimal %j', async (amount, minor) => {
  expect(await readEntries(entryXml('', { amount }))).toEqual([`in ${minor} S1 2026-03-02T00:00:00.000Z`])
})

test.each(['.', '', '+', '1e3', '1 000', '5,00', '0x5', 'NaN', 'INF'])('refuses the decimal %j', async (amount) => {
  expect(await readEntries(entryXml('', { amount }))).toEqual([
    'unclear in S1 2026-03-02: has an Amt that cannot be read as EUR',
  ])
})

/** The time and the day of an entry with this date. */
async function timeOf(date: string, zone = 'Africa/Nairobi') {
  const head = `<Sts>BOOK</Sts><BookgDt>${date}</BookgDt><AcctSvcrRef>S1</AcctSvcrRef>`
  const settings = { statement_time_zone: zone }
  const found = await readText(statementXml(entryXml('', { head })), { currency: 'EUR', settings })
  const [reading] = found.filter(({ got }) => got !== 'statement')
  return reading?.got === 'line' ? `${reading.line.at.toISOString()} ${reading.line.bookedOn}` : reading?.got
}

test.each([
  ['<Dt>2026-03-02</Dt>', '2026-03-01T21:00:00.000Z 2026-03-02'],
  ['<Dt> 2026-03-02+03:00 </Dt>', '2026-03-01T21:00:00.000Z 2026-03-02'],
  ['<Dt>2026-03-02-05:00</Dt>', '2026-03-02T05:00:00.000Z 2026-03-02'],
  ['<Dt>2026-03-02Z</Dt>', '2026-03-02T00:00:00.000Z 2026-03-02'],
  ['<Dt><![CDATA[2026-03-02]]></Dt>', '2026-03-01T21:00:00.000Z 2026-03-02'],
  ['<DtTm>2026-03-02T10:00:00</DtTm>', '2026-03-02T07:00:00.000Z 2026-03-02'],
  ['<DtTm>2026-03-02T10:00:00.123456789012</DtTm>', '2026-03-02T07:00:00.000Z 2026-03-02'],
  ['<DtTm>2026-03-02T10:00:00.5Z</DtTm>', '2026-03-02T10:00:00.000Z 2026-03-02'],
  ['<DtTm>2026-03-02T01:00:00+03:00</DtTm>', '2026-03-01T22:00:00.000Z 2026-03-02'],
  ['<DtTm>2026-03-01T22:00:00Z</DtTm>', '2026-03-01T22:00:00.000Z 2026-03-02'],
  ['<DtTm>2026-03-01T24:00:00</DtTm>', '2026-03-01T21:00:00.000Z 2026-03-02'],
  ['<DtTm>2026-03-02</DtTm>', '2026-03-01T21:00:00.000Z 2026-03-02'],
  ['2026-03-02', '2026-03-01T21:00:00.000Z 2026-03-02'],
])('reads the date %j', async (date, time) => {
  expect(await timeOf(date)).toBe(time)
})

test('keeps the day of a written zone where the setting has none', async () => {
  expect(await timeOf('<DtTm>2026-03-02T01:00:00+03:00</DtTm>', 'UTC')).toBe('2026-03-01T22:00:00.000Z 2026-03-02')
})

test.each([
  '<Dt>2026-02-30</Dt>',
  '<Dt>02-03-2026</Dt>',
  '<DtTm>2026-03-02T24:00:01</DtTm>',
  '<Dt>2026-03-02+15:00</Dt>',
  '<DtTm>2026-03-02T25:00:00</DtTm>',
  '',
])('refuses the date %j', async (date) => {
  expect(await timeOf(date)).toBe('unclear')
})

test('reads prefixes of namespaces, at elements and attributes', async () => {
  const xml = statementXml(entryXml(''))
    .replaceAll(/<(\/?)(\w)/g, '<$1ns:$2')
    .replaceAll(' Ccy=', ' ns:Ccy=')
  const found = await readText(xml, { currency: 'EUR' })
  expect(found.map(({ got }) => got)).toEqual(['statement', 'line'])
})
