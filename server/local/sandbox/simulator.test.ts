import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TransactionType } from '../../domain/provider.ts'
import { planFor, sandboxForecast } from './simulator.ts'

const page = readFileSync(new URL('../../../openapi/pages/sandbox.md', import.meta.url), 'utf8')
const [ofSimulatedRails = ''] = page.split('### The real rails, over HTTP')
const rows = [...ofSimulatedRails.matchAll(/^\| (\d{3}.*?) +\|.*\| +(.*?) +\|$/gm)].flatMap(
  ([, endings = '', codes = '']) => [...endings.matchAll(/\d{3}/g)].map(([ending]) => ({ ending, codes })),
)

/** `a`; of a payout `b` */
function documented(codes: string, type: TransactionType): string | undefined {
  const [ofBoth = '', ofPayout = ofBoth] = codes.split('; of a payout ')
  return /`(\w+)`/.exec(type === 'PAYOUT' ? ofPayout : ofBoth)?.[1]
}

test('the page explains every test number', () => expect(rows.map(({ ending }) => ending)).toHaveLength(12))

test.each(rows)('test number $ending fails with the code that its page names: $codes', ({ ending, codes }) => {
  for (const type of ['COLLECTION', 'PAYOUT'] as const) {
    const { reports } = planFor({ type, account: `256772000${ending}` }, 1)
    const given = reports.flatMap(({ outcome }) => (outcome.status === 'FAILED' ? [outcome.code] : []))
    expect(given[0], type).toBe(documented(codes, type))
  }
})

test.each([
  ['123', 'pays'],
  ['001', 'pays'],
  ['002', 'lacks_money'],
  ['456', 'lacks_money'],
  ['003', 'gives_no_answer'],
  ['004', 'declines'],
  ['005', 'asks_for_otp'],
  ['006', 'stays_open'],
  ['007', 'pays_late'],
  ['008', 'pays_once_reached'],
  ['009', 'pays'],
  ['010', 'pays_slowly'],
])('a number that ends in %s: %s', (ending, forecast) => {
  expect(sandboxForecast(`256772000${ending}`)).toBe(forecast)
})
test('forecasts nothing before there is a number', () => expect(sandboxForecast('')).toBeUndefined())
