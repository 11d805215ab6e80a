import { moneyText } from '../../domain/money.ts'
import { monthNamed } from '../operations/month-named.ts'
import type { MerchantView } from '../queries/merchants.ts'
import { isUsed, withStatement, type MonthlyStatement } from '../queries/reports.ts'
import { STATEMENT_COLUMNS, statementPages, statementRecord } from '../queries/statement-csv.ts'
import { printCsv, refuseBoth, type OutputOptions } from './csv-output.ts'
import { withDatabase } from './database.ts'
import { print, printable, printJson, printTable } from './output.ts'

/** `report statement`: opening, movements and closing of a merchant's wallets in a month. */
export async function statementOfMonth(name: string, text: string, options: OutputOptions): Promise<void> {
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
