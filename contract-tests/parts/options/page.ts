import { parseDocument } from '../../../openapi/reading/contract.ts'
import { minorOf } from '../../driver/money.ts'
import type { Bank, Direction, Option } from '../../driver/provider-options.ts'
import type { ChargeRule } from './charges.ts'

/** A provider as the docs page "The sandbox" has it. */
export interface PageProvider {
  readonly code: string
  readonly name: string
  readonly method: Option['method']
  readonly currency: string
  readonly minMinor: bigint
  readonly maxMinor: bigint
  readonly dailyMinor: bigint
  readonly prefixes: readonly string[]
  readonly asksForOtp: boolean
  readonly charges: Readonly<Record<Direction, ChargeRule>>
}

export interface SandboxPage {
  readonly providers: readonly PageProvider[]
  readonly banks: readonly Omit<Bank, 'isActive'>[]
}

/** @param contract text of the bundled contract @returns undefined without such a page, or without its tables */
export function readSandboxPage(contract: string): SandboxPage | undefined {
  const page = parseDocument(contract).tags?.find(({ name }) => name === 'sandbox')?.description
  if (page === undefined) return undefined
  const prefixes = new Map(
    rowsUnder(page, '## Providers', PREFIXES).map((row) => [row['provider'], row[PREFIXES]?.split(' ') ?? []]),
  )
  const providers = rowsUnder(page, '## Providers').flatMap((row) => providerOf(row, prefixes.get(row['provider'])))
  const banks = rowsUnder(page, '### Banks').flatMap((row) => {
    const { provider = '', bank_code: code = '', bank: name = '' } = row
    return provider === '' || code === '' || name === '' ? [] : [{ provider, code, name }]
  })
  return providers.length === 0 ? undefined : { providers, banks }
}

const PREFIXES = 'its numbers begin with'

/**
 * Cells of the table below a heading, by column name: the order of columns does not matter.
 * @param column which the table has; the first one unless given
 */
function rowsUnder(page: string, heading: string, column = ''): readonly Readonly<Record<string, string>>[] {
  const [, text = ''] = page.split(`\n${heading}\n`)
  const tables = text.match(/^(\|.*\n?)+/gm) ?? []
  const table = tables.find((each) => each.split('\n', 1)[0]?.includes(column)) ?? ''
  const [head = [], , ...rows] = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf)
  return rows.map((cells) => Object.fromEntries(head.map((column, index) => [column, cells[index] ?? ''])))
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim().replaceAll('`', ''))

function providerOf(row: Readonly<Record<string, string>>, prefixes: readonly string[] = []): PageProvider[] {
  const { provider: code = '', name = '', currency = '' } = row
  const { 'moves money by': means = '' } = row
  const { 'one transaction': limits = '', 'in 24 hours': daily = '' } = row
  const { 'collection charge': ofCollection = '', 'payout charge': ofPayout = '' } = row
  if (code === '' || means === '' || ofPayout === '') return []
  const minor = (text: string): bigint => minorOf(Number(text.replaceAll(',', '')), currency) ?? 0n
  const [min = '', max = ''] = limits.split(' to ')
  const charge = (text: string): ChargeRule => {
    const [percent = '', flat = '0'] = text.split(' + ')
    return { bps: BigInt(Math.round(Number.parseFloat(percent) * 100)), flatMinor: minor(flat) }
  }
  return [
    {
      code,
      name,
      method: means === 'bank' ? 'BANK' : 'MOBILE_MONEY',
      currency,
      minMinor: minor(min),
      maxMinor: minor(max),
      dailyMinor: minor(daily),
      prefixes,
      asksForOtp: means.endsWith('with a one-time password'),
      charges: { COLLECTION: charge(ofCollection), PAYOUT: charge(ofPayout) },
    },
  ]
}
