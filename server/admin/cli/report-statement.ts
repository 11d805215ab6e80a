import type { CsvCell } from '../../domain/csv.ts'
import { amountToWire, moneyText } from '../../domain/money.ts'
import type { MerchantView } from '../queries/merchants.ts'
import {
  findStatementMonth,
  withStatement,
  type MonthlyStatement,
  type StatementMovement,
  type WalletStatement,
} from '../queries/reports.ts'
import { MALIPO } from './called-as.ts'
import { printCsv, refuseBoth, type CsvPage, type OutputOptions } from './csv-output.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { withDatabase } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'
import { print, printable, printJson, printTable } from './output.ts'

/** `report statement`: opening, movements and closing of a merchant's wallets in a month. */
export async function statementOfMonth(name: string, text: string, options: OutputOptions): Promise<void> {
  refuseBoth(options)
  await withDatabase(async (context) => {
    const merchant = await merchantNamed(context, name)
    const month = await findStatementMonth(context.pool, text)
    if (!month) throw usedWrongly(`malipo: ${printable(text)} is no month: write it like 2026-11`)
    if (month === 'archived')
      throw notFound(
        `malipo: payments of ${text} or of a later month are archived.\nRead them: ${MALIPO} archive show --help`,
      )
    await withStatement(context.pool, merchant.id, month, async (statement) => {
      if (options.csv) return printCsv(CSV_COLUMNS, csvPages(statement))
      if (options.json) return printJson(toRecord(merchant, text, statement))
      printStatement(merchant, text, statement)
    })
  })
}

const toRecord = ({ public_key, name }: MerchantView, month: string, { wallets }: MonthlyStatement) => ({
  merchant_public_key: public_key,
  merchant_name: name,
  month,
  wallets: wallets.map(({ purpose, currency, opening_minor, closing_minor, movements }) => ({
    wallet: purpose,
    currency,
    opening_balance: amountToWire(opening_minor, currency),
    movements: movements.map(({ kind, count, amount_minor }) => ({
      kind,
      count,
      amount: amountToWire(amount_minor, currency),
    })),
    closing_balance: amountToWire(closing_minor, currency),
  })),
})

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

/** A merchant has wallets in all currencies of the providers. */
const isUsed = ({ opening_minor, movements }: WalletStatement): boolean => opening_minor !== 0n || movements.length > 0

const CSV_COLUMNS = [
  'wallet',
  'currency',
  'at',
  'what',
  'amount',
  'balance',
  'transfer_id',
  'merchant_reference',
  'transaction_amount',
  'transaction_charge',
  'reference',
] as const

const NO_MOVEMENT = Array.from({ length: CSV_COLUMNS.length - CSV_COLUMNS.indexOf('transfer_id') }, () => undefined)

type Place = Pick<WalletStatement, 'purpose' | 'currency'>

async function* csvPages({ wallets: all, lines }: MonthlyStatement): AsyncGenerator<CsvPage> {
  const wallets = all.filter(isUsed)
  const balances = new Map(wallets.map((wallet) => [placeOf(wallet), wallet.opening_minor]))
  const total = (wallet: WalletStatement, what: string, amountMinor: bigint): readonly CsvCell[] => [
    wallet.purpose,
    wallet.currency,
    undefined,
    what,
    undefined,
    amountToWire(amountMinor, wallet.currency),
    ...NO_MOVEMENT,
  ]
  yield wallets.map((wallet) => total(wallet, 'opening', wallet.opening_minor))
  for await (const page of lines)
    yield page.map((line) => {
      const balance = (balances.get(placeOf(line)) ?? 0n) + line.amount_minor
      balances.set(placeOf(line), balance)
      return movementCells(line, balance)
    })
  yield wallets.map((wallet) => total(wallet, 'closing', wallet.closing_minor))
}

const placeOf = ({ purpose, currency }: Place): string => `${currency} ${purpose}`

function movementCells(line: StatementMovement, balanceMinor: bigint): readonly CsvCell[] {
  const wire = (amountMinor: bigint | null) => (amountMinor === null ? null : amountToWire(amountMinor, line.currency))
  return [
    line.purpose,
    line.currency,
    line.at,
    line.kind,
    wire(line.amount_minor),
    wire(balanceMinor),
    line.transfer_id,
    line.merchant_reference,
    wire(line.transaction_amount_minor),
    wire(line.charge_minor),
    line.reference,
  ]
}
