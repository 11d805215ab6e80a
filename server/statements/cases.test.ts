import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DARAJA_STATEMENT } from '../rails/daraja/statement.ts'
import { readBytes, shown, type ReadOptions } from './testing/read-text.ts'

// Files that were misread once, made from public bug reports and real statements, where no row of another test has the
// same.

const folder = new URL('testing/cases/', import.meta.url)
const read = async (name: string, options: ReadOptions) =>
  shown(await readBytes(readFileSync(new URL(name, folder)), { partBytes: 100, ...options }))

const ACCOUNT = 'statement KE0000000001'
const CAMT: Readonly<Record<string, readonly string[]>> = {
  'c01-leading-zeros-batch': [
    ACCOUNT,
    'in 32956 B1 2026-11-19T00:00:00.000Z E1',
    'in 10000 B2 2026-11-19T00:00:00.000Z E2',
  ],
  'c05-fee-other-currency': [
    ACCOUNT,
    'out 20000 A1 2026-11-19T00:00:00.000Z',
    'unclear A1 2026-11-19: has a fee of 1.12 CHF, which is not in EUR',
  ],
  'c07-no-status': [ACCOUNT, 'passed over with no status'],
  'c22-cdata-reference': [ACCOUNT, 'in 10000 A&1 2026-11-19T00:00:00.000Z E12'],
  'c23-day1-ntryref-1': [ACCOUNT, 'in 500000 1 2026-11-18T00:00:00.000Z ORDER-DAY-1'],
  'c23-day2-ntryref-1': [ACCOUNT, 'in 500000 1 2026-11-19T00:00:00.000Z ORDER-DAY-2'],
  'c36-wise-total-charges-included-unsaid': [
    'statement X',
    'unclear in 19586 A1 2026-11-19: has charges of 4.14, and does not say whether they are in its amount (statement_charges)',
  ],
}

const MTN_REPORT = {
  statement_columns:
    'reference=Id; ours=External Transaction Id; at=Date; status=Status; direction=Type; amount=Amount; currency=Currency; fee=Fee; balance=Balance',
  statement_directions: 'in=Credit; out=Debit',
  statement_statuses: 'Successful',
}
const CSV: Readonly<Record<string, readonly [ReadOptions, readonly string[]]>> = {
  'e1-charge': [
    { settings: DARAJA_STATEMENT.defaults, currency: 'KES' },
    ['in 75000 TKQWXIR1QC 2026-11-26T12:18:46.000Z A5RD13QCJ73V'],
  ],
  'm03-mtn-failed': [
    { settings: MTN_REPORT },
    ['passed over with status Failed', 'passed over with status Reversed reversal of 30000000002'],
  ],
  'p01-portal-ymd': [
    { settings: DARAJA_STATEMENT.defaults, currency: 'KES' },
    ['in 100000 RA00000001 2026-11-19T13:02:11.000Z X1'],
  ],
  'p10-negative-paid-in': [
    { settings: DARAJA_STATEMENT.defaults, currency: 'KES' },
    ['out 50000 RA00000015 2026-11-19T13:02:11.000Z RA00000003'],
  ],
  'p12d-mixed-line-ends': [
    { settings: DARAJA_STATEMENT.defaults, currency: 'KES' },
    ['in 50000 RB00000002 2026-11-19T13:02:11.000Z X7', 'in 50000 RB00000003 2026-11-19T13:03:11.000Z X7'],
  ],
}

test('every file is read', () => {
  const files = ['camt', 'csv'].flatMap((form) => readdirSync(new URL(form, folder)))
  expect(files.map((file) => file.replace(/\.\w+$/, '')).toSorted()).toEqual(
    [...Object.keys(CAMT), ...Object.keys(CSV)].toSorted(),
  )
})

test.each(Object.entries(CAMT))('reads %s', async (name, lines) => {
  expect(await read(`camt/${name}.xml`, { currency: 'EUR' })).toEqual(lines)
})

test.each(Object.entries(CSV))('reads %s', async (name, [options, lines]) => {
  expect(await read(`csv/${name}.csv`, options)).toEqual(lines)
})

test.each([
  ['included', 'in 20000 A1 2026-11-19T00:00:00.000Z fee 414'],
  ['on_top', 'in 19586 A1 2026-11-19T00:00:00.000Z fee 414'],
])('reads unstated charges as %s by the setting', async (statement_charges, line) => {
  const name = 'camt/c36-wise-total-charges-included-unsaid.xml'
  expect(await read(name, { currency: 'EUR', settings: { statement_charges } })).toEqual(['statement X', line])
})
