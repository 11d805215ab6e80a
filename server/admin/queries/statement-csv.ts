import type { CsvCell } from '../../domain/csv.ts'
import { amountToWire } from '../../domain/money.ts'
import type { MerchantView } from './merchants.ts'
import { isUsed, type MonthlyStatement, type StatementMovement, type WalletStatement } from './reports.ts'

/** A statement without its single movements, amounts in major units. */
export const statementRecord = (
  { public_key, name }: Pick<MerchantView, 'public_key' | 'name'>,
  month: string,
  { wallets }: MonthlyStatement,
) => ({
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

export const STATEMENT_COLUMNS = [
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

const NO_MOVEMENT = Array.from(
  { length: STATEMENT_COLUMNS.length - STATEMENT_COLUMNS.indexOf('transfer_id') },
  () => undefined,
)

type Place = Pick<WalletStatement, 'purpose' | 'currency'>

/** The lines of a statement's file: openings, every movement with the balance after it, closings. */
export async function* statementPages({
  wallets: all,
  lines,
}: MonthlyStatement): AsyncGenerator<readonly (readonly CsvCell[])[]> {
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
