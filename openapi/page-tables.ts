import { readFileSync } from 'node:fs'
import { SANDBOX_PROVIDERS, type SandboxProvider } from '../server/local/sandbox/providers.ts'
import { REASONS } from '../server/domain/reasons.ts'
import { SETTINGS, type Setting } from '../server/settings.ts'

/** A table of a page that lists what the code has. Its columns identify it. */
interface PageTable {
  readonly page: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface Listed {
  readonly settings?: readonly Setting<unknown>[]
  readonly providers?: readonly SandboxProvider[]
}

/**
 * The pages with a table that the code fills, by path from the root: their text as it is, with these tables as the code
 * gives them now.
 *
 * @throws when a page has no table with these columns
 */
export function pagesWithTables(listed: Listed = {}): Readonly<Record<string, string>> {
  const pages: Record<string, string> = {}
  for (const { page, columns, rows } of tablesOf(listed)) {
    const path = `openapi/pages/${page}.md`
    pages[path] = withTable(pages[path] ?? readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'), columns, rows)
  }
  return pages
}

function tablesOf({ settings = Object.values(SETTINGS), providers = SANDBOX_PROVIDERS }: Listed): readonly PageTable[] {
  return [
    {
      page: 'errors',
      columns: ['`reason`', '`code` and meaning'],
      rows: Object.entries(REASONS).map(([reason, [status, meaning]]) => [code(reason), `${status}: ${meaning}`]),
    },
    {
      page: 'settings',
      columns: ['variable', 'meaning', 'default'],
      rows: settings.map(({ name, meaning, default: value }) => [code(name), meaning, value]),
    },
    {
      page: 'sandbox',
      columns: [
        'provider',
        'name',
        'currency',
        'moves money by',
        'one transaction',
        'in 24 hours',
        'collection charge',
        'payout charge',
      ],
      rows: providers.map(providerRow),
    },
    {
      page: 'sandbox',
      columns: ['provider', 'its numbers begin with'],
      rows: providers
        .filter(({ prefixes }) => prefixes.length > 0)
        .map(({ code: name, prefixes }) => [code(name), prefixes.join(' ')]),
    },
    {
      page: 'sandbox',
      columns: ['`bank_code`', 'bank', 'provider'],
      rows: providers.flatMap((provider) =>
        (provider.banks ?? []).map(([bankCode, name]) => [code(bankCode), name, code(provider.code)]),
      ),
    },
  ]
}

const code = (text: string): string => `\`${text}\``
const grouped = (amount: number): string => amount.toLocaleString('en-US')
const charge = (bps: number, flat = 0): string => `${bps / 100} %${flat === 0 ? '' : ` + ${flat.toFixed(2)}`}`

const providerRow = (provider: SandboxProvider): readonly string[] => [
  code(provider.code),
  provider.name,
  provider.currency,
  provider.method === 'BANK' ? 'bank' : `mobile money${provider.requiresOtp ? ', with a one-time password' : ''}`,
  `${grouped(provider.min)} to ${grouped(provider.max)}`,
  grouped(provider.daily),
  charge(provider.collectionChargeBps, provider.collectionChargeFlat),
  charge(provider.payoutChargeBps, provider.payoutChargeFlat),
]

/** Replaces the table with these columns, aligned as the formatter aligns it. */
function withTable(markdown: string, columns: readonly string[], rows: PageTable['rows']): string {
  const [table] = [...markdown.matchAll(/^(?:\|.*\n)+/gm)].filter(
    ([text]) => cellsOf(text.split('\n', 1)[0] ?? '').join() === columns.join(),
  )
  if (table === undefined) throw new Error(`no table of the page has the columns ${columns.join(', ')}`)
  const widthOf = (index: number): number => Math.max(...[columns, ...rows].map((cells) => cells[index]?.length ?? 0))
  const rule = columns.map((_, index) => '-'.repeat(widthOf(index)))
  const text = [columns, rule, ...rows]
    .map((cells) => `| ${cells.map((cell, index) => cell.padEnd(widthOf(index))).join(' | ')} |\n`)
    .join('')
  return markdown.slice(0, table.index) + text + markdown.slice(table.index + table[0].length)
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
