import { amountText, amountToWire, formatMoney } from '../../domain/money.ts'
import { maskAccount } from '../../domain/phone.ts'
import type { Pool } from '../../storage/pool.ts'
import {
  bookedEntries,
  transactionEvents,
  type BookedEntry,
  type HistoryEvent,
  type StaffTransaction,
} from './transactions.ts'

interface TimelineEntry {
  readonly account: string
  readonly amount: number
  readonly currency: string
}

/** An event of a transaction, formatted for people: no account number in full. */
export interface TimelineStep extends HistoryEvent {
  /** Only for bookings. */
  readonly entries?: readonly TimelineEntry[]
}

/**
 * The timeline of a transaction, the oldest event first.
 * @param ofMerchant without bookings that are not the merchant's, such as what an operator costs
 */
export async function timelineOf(
  pool: Pool,
  transaction: StaffTransaction,
  ofMerchant = false,
): Promise<TimelineStep[]> {
  const [history, booked] = await Promise.all([
    transactionEvents(pool, transaction.id),
    bookedEntries(pool, transaction.id),
  ])
  const shown = ofMerchant ? booked.filter(({ merchant_id: id }) => id === transaction.merchantId) : booked
  return timeline(transaction, history, shown)
}

/**
 * Acceptance, history and bookings in the order of their times. Events with the same time are in causal order: the
 * state, then the money.
 */
function timeline(
  transaction: StaffTransaction,
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
}: StaffTransaction): TimelineStep {
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
  `${amount_minor > 0n ? '+' : ''}${amountText(amount_minor, currency)} ${currency}`
