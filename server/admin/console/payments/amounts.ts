import { moneyFromWire } from '../../../domain/money.ts'
import type { AdminData } from '../../api/handler.ts'
import type { Viewer } from '../look/viewer.ts'

export type Payment = AdminData<'showFullPayment'>

/** An amount in the currency of the payment, as text. */
export const inCurrency = (viewer: Viewer, { transaction_currency: currency }: Payment, amount: number): string =>
  viewer.money(moneyFromWire(amount, currency))

export const amountOf = (viewer: Viewer, payment: Payment): string =>
  inCurrency(viewer, payment, payment.transaction_amount)

const DAY_MS = 86_400_000

/** The moment when a calendar day begins in a zone, for the API; another text stays, so that the API refuses it. */
export function dayBegins(day: string, zone: string, daysLater = 0): string {
  const utc = Date.parse(`${day}T00:00:00Z`) + daysLater * DAY_MS
  if (Number.isNaN(utc)) return day
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const aheadMs = (at: number): number => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at
  // Clocks may change between midnight in UTC and in the zone.
  return new Date(utc - aheadMs(utc - aheadMs(utc))).toISOString()
}
