import type { Clock } from '../../actions/ports/clock.ts'
import { REACH_MS } from './account-reference.ts'
import type { PulledTransaction } from './pulled-transaction.ts'
import { createRememberedPayments, type PulledPayment } from './remembered-payments.ts'

/** Clock skew: Safaricom would refuse a query for the very end of the allowed period. */
const MARGIN_MS = 5 * 60 * 1000

/** The entries listed for a period. */
export interface PullReading {
  readonly transactions: readonly PulledTransaction[]
  /** Why the list is incomplete; its entries are valid all the same. */
  readonly fault?: string
}

export interface PulledPayments {
  /** @returns the payments under a reference, by any payer, and why the last reading was incomplete */
  paidUnder(reference: string): Promise<{ readonly payments: readonly PulledPayment[]; readonly fault?: string }>
  /** @returns the payment with this receipt number, if it is listed */
  paidAs(receipt: string): Promise<(PulledPayment & { readonly reference: string }) | undefined>
}

/**
 * Payments by reference; all callers within `everyMs` share one reading. The first reading covers the whole allowed
 * period; each later one begins a little before the end of the last complete one. Nobody knows how soon Safaricom
 * lists a payment, so every second reading goes back twice as far, every fourth four times, and so on. A payment that
 * is listed late is found within a small multiple of its delay, and a list of 48 hours is not fetched again every five
 * minutes.
 */
export function createPulledPayments(
  clock: Clock,
  everyMs: number,
  read: (from: Date, to: Date) => Promise<PullReading>,
): PulledPayments {
  const remembered = createRememberedPayments()
  let wholeToMs: number | undefined
  let readings = 0
  let last: { readonly atMs: number; readonly fault: Promise<string | undefined> } | undefined

  async function readOn(nowMs: number): Promise<string | undefined> {
    const reachMs = nowMs - REACH_MS + MARGIN_MS
    const fromMs = wholeToMs === undefined ? reachMs : Math.max(reachMs, wholeToMs - everyMs * widthOf(readings))
    const reading = await read(new Date(fromMs), new Date(nowMs))
    remembered.add(reading.transactions, fromMs, nowMs)
    if (reading.fault === undefined) {
      wholeToMs = nowMs
      readings += 1
    }
    return reading.fault
  }

  function upToDate(nowMs: number): Promise<string | undefined> {
    if (!last || nowMs - last.atMs >= everyMs) {
      last = { atMs: nowMs, fault: readOn(nowMs) }
      // A reading that failed with a bug of ours is not shared.
      last.fault.catch(() => (last = undefined))
    }
    return last.fault
  }

  return {
    async paidUnder(reference) {
      const nowMs = clock.now().getTime()
      remembered.markForSearch(reference, nowMs)
      const fault = await upToDate(nowMs)
      return { payments: remembered.under(reference), ...(fault !== undefined && { fault }) }
    },
    async paidAs(receipt) {
      await upToDate(clock.now().getTime())
      return remembered.withReceipt(receipt)
    },
  }
}

/** 1, 2, 1, 4, 1, 2, 1, 8 …: the greatest power of two that divides the number, limited to the whole allowed period. */
const widthOf = (reading: number): number => reading & -reading
