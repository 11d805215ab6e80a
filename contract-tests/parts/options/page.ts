import { parseDocument } from '../../../openapi/reading/contract.ts'
import { minorOf } from '../model/money.ts'
import type { ChargeRule } from './charges.ts'

export type Type = 'COLLECTION' | 'PAYOUT'
export type Method = 'MOBILE_MONEY' | 'BANK'

/** A provider as the docs page "The sandbox" has it. */
export interface PageProvider {
  readonly code: string
  readonly name: string
  readonly method: Method
  readonly currency: string
  readonly minMinor: bigint
  readonly maxMinor: bigint
  readonly dailyMinor: bigint
  readonly prefixes: readonly string[]
  readonly asksForOtp: boolean
  readonly charges: Readonly<Record<Type, ChargeRule>>
}

export interface PageBank {
  readonly provider: string
  readonly code: string
  readonly name: string
}

export interface SandboxPage {
  readonly providers: readonly PageProvider[]
  readonly banks: readonly PageBank[]
}

const METHODS: Readonly<Record<string, Method>> = { 'mobile money': 'MOBILE_MONEY', bank: 'BANK' }

/** @param contract text of the bundled contract @returns undefined when it has no such page, or one without its tables */
export function readSandboxPage(contract: string): SandboxPage | undefined {
  const page = parseDocument(contract).tags?.find(({ name }) => name === 'sandbox')?.description
  if (page === undefined) return undefined
  const [, asking = ''] = /([^.]*) ask for a one-time password\./.exec(page.replaceAll('\n', ' ')) ?? []
  const providers = rowsUnder(page, '## Providers').flatMap((row) => providerOf(row, asking))
  const banks = rowsUnder(page, '### Banks').flatMap(([provider = '', code = '', name = '']) =>
    name === '' ? [] : [{ provider: plain(provider), code: plain(code), name }],
  )
  return providers.length === 0 ? undefined : { providers, banks }
}

const plain = (cell: string): string => cell.replaceAll('`', '')

/** Cells of the table below a heading, without head and rule. */
function rowsUnder(page: string, heading: string): readonly string[][] {
  const [, text = ''] = page.split(`\n${heading}\n`)
  const [table = ''] = /^(\|.*\n?)+/m.exec(text) ?? []
  const rows = table.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

function providerOf(row: readonly string[], asking: string): PageProvider[] {
  const [
    code = '',
    name = '',
    method = '',
    currency = '',
    limits = '',
    daily = '',
    prefixes = '',
    ofCollection = '',
    ofPayout = '',
  ] = row
  const known = METHODS[method]
  if (!known || ofPayout === '') return []
  const minor = (text: string): bigint => minorOf(Number(text.replaceAll(',', '')), currency) ?? 0n
  const [min = '', max = ''] = limits.split(' to ')
  const charge = (text: string): ChargeRule => {
    const [percent = '', flat = '0'] = text.split(' + ')
    return { bps: BigInt(Math.round(Number.parseFloat(percent) * 100)), flatMinor: minor(flat) }
  }
  return [
    {
      code: plain(code),
      name,
      method: known,
      currency,
      minMinor: minor(min),
      maxMinor: minor(max),
      dailyMinor: minor(daily),
      prefixes: prefixes === '' ? [] : prefixes.split(' '),
      asksForOtp: asking.includes(code),
      charges: { COLLECTION: charge(ofCollection), PAYOUT: charge(ofPayout) },
    },
  ]
}
