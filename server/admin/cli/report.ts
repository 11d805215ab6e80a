import { InvalidArgumentError, type Command } from 'commander'
import type { CsvCell } from '../../domain/csv.ts'
import { amountToWire, moneyText } from '../../domain/money.ts'
import {
  readBalances,
  readVolumes,
  VOLUME_GROUPS,
  type MerchantWallet,
  type Volume,
  type VolumeGroup,
  isUsed,
  withStatement,
  type MonthlyStatement,
} from '../queries/reports.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseSince, type RelativeTime } from './command.ts'
import { printCsv, refuseBoth, type OutputOptions } from './csv-output.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { withDatabase } from './database.ts'
import { print, printJson, printTable, type Column, printable } from './output.ts'
import { monthNamed } from '../operations/month-named.ts'
import type { MerchantView } from '../queries/merchants.ts'
import { STATEMENT_COLUMNS, statementPages, statementRecord } from '../queries/statement-csv.ts'

const CSV = ['--csv', 'print a CSV file'] as const

export function define(group: Command): void {
  addExamples(group, `${MALIPO} report volume --since 1d`)
  addLeaf(
    group,
    'volume',
    'count and sum payments: of today (UTC), or of any period',
    `${MALIPO} report volume`,
    `${MALIPO} report volume --since 2026-11-01 --until 2026-12-01 --by merchant,status --csv`,
  )
    .option(
      '--since <time>',
      'accepted since: 90s, 15m, 1h, 7d, or a moment in ISO 8601 (default: 00:00 UTC)',
      parseSince,
    )
    .option('--until <time>', 'accepted before: the same (default: now)', parseSince)
    .option('--merchant <merchant>', 'only of this merchant (public key or id)')
    .option('--by <groups>', `one or more of ${VOLUME_GROUPS.join(', ')}, with commas between`, parseGroups, [
      'provider',
      'type',
      'status',
    ])
    .option(...CSV)
    .action(volume)
  addLeaf(group, 'balances', 'list the balances of all merchants, and their sums', `${MALIPO} report balances`)
    .option(...CSV)
    .action(balances)
  addLeaf(
    group,
    'statement',
    "a merchant's statement of a month: what its wallets held, what moved, what they held then",
    `${MALIPO} report statement pub_sandbox_demo 2026-11`,
    `${MALIPO} report statement 2 2026-11 --csv`,
  )
    .argument('<merchant>', 'public key or id')
    .argument('<month>', 'in UTC, for example 2026-11')
    .option('--csv', 'print a CSV file that has every movement')
    .action(statementOfMonth)
}

function parseGroups(text: string): readonly VolumeGroup[] {
  const groups = text.toLowerCase().split(',')
  const found = VOLUME_GROUPS.filter((group) => groups.includes(group))
  if (found.length !== groups.length)
    throw new InvalidArgumentError(`It must be one or more of ${VOLUME_GROUPS.join(', ')}, with commas between.`)
  return found
}

/** Prints objects as a CSV file; the first one names the columns. */
const printRecords = (records: readonly Readonly<Record<string, CsvCell>>[], columns: readonly string[]) =>
  printCsv(columns, [records.map((record) => columns.map((name) => record[name]))])

interface VolumeOptions extends OutputOptions {
  readonly since?: RelativeTime
  readonly until?: RelativeTime
  readonly merchant?: string
  readonly by: readonly VolumeGroup[]
}

const GROUP_COLUMNS: Readonly<Record<VolumeGroup, readonly (keyof Volume)[]>> = {
  provider: ['provider_code'],
  merchant: ['merchant_public_key', 'merchant_name'],
  type: ['transaction_type'],
  status: ['transaction_status'],
  day: ['day'],
}

async function volume(options: VolumeOptions): Promise<void> {
  const { since, until, merchant, by, json, csv } = options
  refuseBoth(options)
  const volumes = await withDatabase(async (context) => {
    const now = context.clock.now()
    const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
    const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
    const period = { since: since?.(now) ?? midnight, until: until?.(now) ?? now }
    return readVolumes(context.pool, { ...period, merchantId }, by)
  })
  const names = by.flatMap((group) => GROUP_COLUMNS[group])
  const records = volumes.map(({ amount_minor, charge_minor, ...row }) => ({
    ...row,
    amount: amountToWire(amount_minor, row.currency),
    charge: amountToWire(charge_minor, row.currency),
  }))
  if (csv) return printRecords(records, [...names, 'currency', 'payments', 'amount', 'charge'])
  if (json) return printJson(records)
  printTable(
    volumes,
    [
      ...names
        .filter((name) => name !== 'merchant_public_key')
        .map((name): Column<Volume> => ({ title: TITLES[name] ?? name, of: (row) => row[name], cut: true })),
      { title: 'PAYMENTS', of: ({ payments }) => payments.toLocaleString('en'), align: 'right' },
      { title: 'AMOUNT', of: (row) => money(row.amount_minor, row), align: 'right' },
      { title: 'CHARGES', of: (row) => money(row.charge_minor, row), align: 'right' },
    ],
    'No payment.',
  )
}

const DAY_MS = 86_400_000
const TITLES: Readonly<Partial<Record<keyof Volume, string>>> = {
  day: 'DAY',
  provider_code: 'PROVIDER',
  merchant_name: 'MERCHANT',
  transaction_type: 'TYPE',
  transaction_status: 'STATUS',
}

const money = (amountMinor: bigint, { currency }: { readonly currency: string }): string =>
  moneyText({ amountMinor, currency })

const BALANCES = ['available', 'uncleared', 'reserve', 'held'] as const

async function balances(options: OutputOptions): Promise<void> {
  refuseBoth(options)
  const wallets = await withDatabase(({ pool, config }) => readBalances(pool, config.mode === 'sandbox'))
  const records = wallets.map(({ merchant_public_key, merchant_name, purpose, currency, ...row }) => ({
    merchant_public_key,
    merchant_name,
    wallet: purpose,
    currency,
    ...Object.fromEntries(BALANCES.map((part) => [part, amountToWire(row[`${part}_minor`], currency)])),
  }))
  if (options.csv)
    return printRecords(records, ['merchant_public_key', 'merchant_name', 'wallet', 'currency', ...BALANCES])
  if (options.json) return printJson(records)
  const columns = BALANCES.map((part): Column<MerchantWallet> => ({
    title: part.toUpperCase(),
    of: (row) => money(row[`${part}_minor`], row),
    align: 'right',
  }))
  const wallet: Column<MerchantWallet> = { title: 'WALLET', of: ({ purpose }) => purpose }
  const used = wallets.filter((row) => BALANCES.some((part) => row[`${part}_minor`] !== 0n))
  printTable(
    used,
    [{ title: 'MERCHANT', of: ({ merchant_name }) => merchant_name, cut: true }, wallet, ...columns],
    'No merchant has money.',
  )
  if (used.length === 0) return
  print('\nAll merchants:')
  printTable(sums(used), [wallet, ...columns], '')
}

/** The sum of each kind of wallet in each currency. */
function sums(wallets: readonly MerchantWallet[]): readonly MerchantWallet[] {
  const found = new Map<string, MerchantWallet>()
  for (const wallet of wallets) {
    const name = `${wallet.currency} ${wallet.purpose}`
    const before = found.get(name)
    const added = (part: keyof MerchantWallet & `${string}_minor`) => wallet[part] + (before?.[part] ?? 0n)
    found.set(name, {
      ...wallet,
      available_minor: added('available_minor'),
      uncleared_minor: added('uncleared_minor'),
      reserve_minor: added('reserve_minor'),
      held_minor: added('held_minor'),
    })
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}

/** `report statement`: opening, movements and closing of a merchant's wallets in a month. */
async function statementOfMonth(name: string, text: string, options: OutputOptions): Promise<void> {
  refuseBoth(options)
  await withDatabase(async (context) => {
    const { merchant, month } = await monthNamed(context, name, text)
    await withStatement(context.pool, merchant.id, month, async (statement) => {
      if (options.csv) return printCsv(STATEMENT_COLUMNS, statementPages(statement))
      if (options.json) return printJson(statementRecord(merchant, text, statement))
      printStatement(merchant, text, statement)
    })
  })
}

function printStatement({ name }: MerchantView, month: string, { wallets }: MonthlyStatement): void {
  const rows = wallets.filter(isUsed).flatMap(({ purpose, currency, opening_minor, closing_minor, movements }) => {
    const line = (what: string, amountMinor: bigint, count?: number) => ({
      wallet: `${purpose} ${currency}`,
      what,
      count,
      amount: moneyText({ amountMinor, currency }),
    })
    return [
      line('opening', opening_minor),
      ...movements.map(({ kind, count, amount_minor }) => line(kind, amount_minor, count)),
      line('closing', closing_minor),
    ]
  })
  print(`${printable(name)}, ${month}. What payouts in flight hold is part of a balance.\n`)
  printTable(
    rows,
    [
      { title: 'WALLET', of: ({ wallet }) => wallet },
      { title: 'WHAT', of: ({ what }) => what },
      { title: 'COUNT', of: ({ count }) => count?.toLocaleString('en') ?? '', align: 'right' },
      { title: 'AMOUNT', of: ({ amount }) => amount, align: 'right' },
    ],
    `${name} had no money and no movement.`,
  )
}
