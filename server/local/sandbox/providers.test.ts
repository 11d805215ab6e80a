import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DEMO_PAYOUT_BALANCE, SANDBOX_BANKS, SANDBOX_PROVIDERS } from './providers.ts'

// A provider is a row of the table, in a currency in which the demo merchant can pay out; the docs list the same
// providers.

const page = readFileSync(new URL('../../../openapi/pages/sandbox.md', import.meta.url), 'utf8')

/** Cells of the rows of the table below a heading, without head and rule. */
function tableUnder(heading: string): string[][] {
  const [, text = ''] = page.split(`\n${heading}\n`)
  const rows = [...(/^(\|.*\n?)+/m.exec(text)?.[0] ?? '').matchAll(/^\|(.*)\|$/gm)]
  return rows.slice(2).map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
}
const grouped = (amount: number): string => amount.toLocaleString('en-US')
const charge = (bps: number, flat = 0): string => `${bps / 100} %${flat === 0 ? '' : ` + ${flat.toFixed(2)}`}`

test('the sandbox page lists exactly the providers with limits, prefixes and charges', () =>
  expect(tableUnder('## Providers')).toEqual(
    SANDBOX_PROVIDERS.map((provider) => [
      `\`${provider.code}\``,
      provider.name,
      provider.currency,
      `${grouped(provider.min)} to ${grouped(provider.max)}`,
      grouped(provider.daily),
      provider.prefixes.join(' '),
      charge(provider.collectionChargeBps, provider.collectionChargeFlat),
      charge(provider.payoutChargeBps, provider.payoutChargeFlat),
    ]),
  ))

test('the page says which providers require an OTP', () => {
  const requesting = SANDBOX_PROVIDERS.filter(({ requiresOtp }) => requiresOtp).map(({ code }) => `\`${code}\``)
  expect(page.replaceAll('\n', ' ')).toContain(` ${requesting.join(' and ')} ask for a one-time password.`)
})

test('the page says which providers move money by bank', () => {
  const banks = SANDBOX_PROVIDERS.filter(({ method }) => method === 'BANK').map(({ code }) => `\`${code}\``)
  expect(page.replaceAll('\n', ' ')).toContain(
    ` ${banks.join(' and ')} move money by bank, all others by mobile money.`,
  )
})

test('the page lists exactly the banks', () =>
  expect(tableUnder('### Banks')).toEqual(
    Object.entries(SANDBOX_BANKS).flatMap(([provider, banks]) =>
      banks.map(([code, name]) => [`\`${code}\``, name, `\`${provider}\``]),
    ),
  ))

test('no number of a country begins with prefixes of two providers', () => {
  const mobile = SANDBOX_PROVIDERS.flatMap(({ code, callingCode, prefixes }) =>
    prefixes.map((prefix) => ({ code, begins: callingCode + prefix })),
  )
  const shared = mobile.flatMap((one, index) =>
    mobile
      .filter((other, position) => position !== index && other.begins.startsWith(one.begins))
      .map((other) => `${one.code} ${one.begins}, ${other.code} ${other.begins}`),
  )
  expect(shared).toEqual([])
})

test.each([
  ['mpesa_ke', '700 719 728 740 743 745 746 748 749 757 758 759 768 769 799 110 115 116 119 140 146 180 189'],
  ['airtel_ke', '730 739 750 756 760 762 767 780 789 100 108 135 139'],
  ['', '744 747 761 770 779 120 109 134 147 170 190'],
])('Kenyan numbers of "%s" are those of 2026: %s', (code, ranges) => {
  const ofKenya = SANDBOX_PROVIDERS.filter(({ currency }) => currency === 'KES')
  for (const range of ranges.split(' ')) {
    const owners = ofKenya.filter(({ prefixes }) => prefixes.some((prefix) => range.startsWith(prefix)))
    expect([range, ...owners.map((owner) => owner.code)]).toEqual([range, ...(code === '' ? [] : [code])])
  }
})

test('one provider has a flat charge', () =>
  expect(SANDBOX_PROVIDERS.filter(({ payoutChargeFlat = 0 }) => payoutChargeFlat > 0)).toHaveLength(1))

test('the demo merchant can pay out in the currency of each provider, and in no other', () =>
  expect(Object.keys(DEMO_PAYOUT_BALANCE).toSorted()).toEqual(
    [...new Set(SANDBOX_PROVIDERS.map(({ currency }) => currency))].toSorted(),
  ))

test('each provider of banks has banks, and no other has', () =>
  expect(Object.keys(SANDBOX_BANKS).toSorted()).toEqual(
    SANDBOX_PROVIDERS.filter(({ method }) => method === 'BANK')
      .map(({ code }) => code)
      .toSorted(),
  ))
