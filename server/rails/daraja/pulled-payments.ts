import type { Clock } from '../../actions/ports/clock.ts'
import { REACH_MS } from './account-reference.ts'
import type { PulledTransaction } from './pulled-transaction.ts'
import { createRememberedPayments, type PulledPayment } from './remembered-payments.ts'

/** Clocks differ: what is looked for at the very end of the reach would be refused. */
const MARGIN_MS = 5 * 60 * 1000

/** What was listed between two times. */
export interface Reading {
  readonly transactions: readonly PulledTransaction[]
  /** Why it did not come whole; what is there holds all the same. */
  readonly fault?: string
  /** Entries without a receipt number. */
  readonly unreadable?: number
}

export interface PulledPayments {
  /** @returns what was paid under a reference, by whomever, and why the last reading did not come whole */
  paidUnder(reference: string): Promise<{ readonly payments: readonly PulledPayment[]; readonly fault?: string }>
}

/**
 * Payments by their reference, read once for all who look within `everyMs`. The first reading is of all that can be read;
 * each later one begins a little before the end of the last whole one. How soon Safaricom lists a payment nobody knows, so
 * that of these beginnings every second goes back twice as far, every fourth four times, and so on: what is listed late
 * by any time is found within a few times as long, and a list of 48 hours is not fetched again every five minutes.
 */
export function createPulledPayments(
  clock: Clock,
  everyMs: number,
  read: (from: Date, to: Date) => Promise<Reading>,
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

  return {
    async paidUnder(reference) {
      const nowMs = clock.now().getTime()
      remembered.lookFor(reference, nowMs)
      if (!last || nowMs - last.atMs >= everyMs) {
        last = { atMs: nowMs, fault: readOn(nowMs) }
        // One that broke off with an error of ours is nobody's to share.
        last.fault.catch(() => (last = undefined))
      }
      const fault = await last.fault
      return { payments: remembered.under(reference), ...(fault !== undefined && { fault }) }
    },
  }
}

/** 1, 2, 1, 4, 1, 2, 1, 8 …: the greatest power of two that divides the number. No more than the whole reach is wanted. */
const widthOf = (reading: number): number => reading & -reading
