import { amountToWire, decimalsOf, formatMoney } from '../domain/money.ts'
import { maskAccount } from '../domain/phone.ts'
import {
  bookedEntries,
  transactionEvents,
  type BookedEntry,
  type HistoryEvent,
  type OperatorTransaction,
} from '../storage/operators/transactions.ts'
import { withDatabase } from './database.ts'
import { print, printable, printJson } from './output.ts'
import { transactionNamed } from './transaction-record.ts'

interface EventsOptions {
  readonly merchant?: string
  readonly json?: true
}
interface TimelineEntry {
  readonly account: string
  readonly amount: number
  readonly currency: string
}
interface TimelineStep extends HistoryEvent {
  readonly entries?: readonly TimelineEntry[]
}

/** `transaction events`: what happened to one, step by step. */
export async function events(reference: string, { merchant, json }: EventsOptions): Promise<void> {
  const { transaction, steps } = await withDatabase(async (context) => {
    const transaction = await transactionNamed(context, reference, merchant)
    const [history, booked] = await Promise.all([
      transactionEvents(context.pool, transaction.id),
      bookedEntries(context.pool, transaction.id),
    ])
    return { transaction, steps: timeline(transaction, history, booked) }
  })
  if (json) return printJson(steps)
  print(`${transaction.merchantReference}  ${transaction.status}: ${printable(transaction.statusMessage)}\n`)
  const kindWidth = Math.max(...steps.map(({ kind }) => kind.length))
  for (const { at, kind, detail } of steps)
    print(`${at.toISOString()}  ${kind.padEnd(kindWidth)}  ${printable(detail)}`)
}

/**
 * Acceptance, history and bookings in the order of their times; what has one time stands in the order of cause: the
 * state, then the money.
 */
function timeline(
  transaction: OperatorTransaction,
  history: readonly HistoryEvent[],
  booked: readonly BookedEntry[],
): TimelineStep[] {
  const bookings = [...Map.groupBy(booked, ({ transfer_id }) => transfer_id).values()].map(bookingStep)
  return [acceptanceStep(transaction), ...history, ...bookings].sort((a, b) => a.at.getTime() - b.at.getTime())
}

function acceptanceStep({
  createdAt,
  type,
  amount,
  account,
  providerCode,
  merchantName,
}: OperatorTransaction): TimelineStep {
  const flow = type === 'COLLECTION' ? 'from' : 'to'
  return {
    at: createdAt,
    kind: 'accepted',
    detail: `${type} of ${formatMoney(amount)} ${flow} ${maskAccount(account)} by ${providerCode}, for ${merchantName}`,
  }
}

function bookingStep(entries: readonly BookedEntry[]): TimelineStep {
  const [{ at, transfer_kind, transfer_id }] = entries as [BookedEntry, ...BookedEntry[]]
  return {
    at,
    kind: 'booked',
    detail: `${transfer_kind} transfer ${transfer_id}: ${entries.map((entry) => `${accountName(entry)} ${signed(entry)}`).join(', ')}`,
    entries: entries.map((entry) => ({
      account: accountName(entry),
      amount: amountToWire(entry.amount_minor, entry.currency),
      currency: entry.currency,
    })),
  }
}

const accountName = ({ account, provider_code }: BookedEntry): string =>
  provider_code === '' ? account : `${account} of ${provider_code}`

const signed = ({ amount_minor, currency }: BookedEntry): string =>
  `${amount_minor > 0n ? '+' : ''}${amountToWire(amount_minor, currency).toFixed(decimalsOf(currency))} ${currency}`
