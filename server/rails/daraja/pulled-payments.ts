import type { Clock } from '../../actions/ports/clock.ts'
import { isAccountReference } from './account-reference.ts'
import type { PulledTransaction } from './pulled-transaction.ts'

/** How far back the query goes [documented]. */
export const REACH_MS = 48 * 60 * 60 * 1000
/** Clocks differ: what is looked for at the very end of the reach would be refused. */
const MARGIN_MS = 5 * 60 * 1000
/** Payments that are remembered; more of them push out those that were read first. */
const KEPT_MAX = 500_000

/** What was listed between two times. */
export interface Reading {
  readonly transactions: readonly PulledTransaction[]
  /** Why it did not come whole; what is there holds all the same. */
  readonly fault?: string
  /** Entries without a receipt number. */
  readonly unreadable?: number
}

type Payment = Pick<PulledTransaction, 'transactionId' | 'amount' | 'msisdn'>

export interface PulledPayments {
  /** @returns what was paid under one of our references, and why the last reading did not come whole */
  paidUnder(reference: string): Promise<{ readonly payments: readonly Payment[]; readonly fault?: string }>
}

/**
 * Payments by our reference, read once for all who look within `everyMs`. The first reading is of all that can be read;
 * each later one begins a little before the end of the last whole one. How soon Safaricom lists a payment nobody knows, so
 * that of these beginnings every second goes back twice as far, every fourth four times, and so on: what is listed late
 * by any time is found within a few times as long, and a list of 48 hours is not fetched again every five minutes.
 */
export function createPulledPayments(
  clock: Clock,
  everyMs: number,
  read: (from: Date, to: Date) => Promise<Reading>,
): PulledPayments {
  const known = new Map<string, { readonly payment: Payment; readonly reference: string; readonly readAtMs: number }>()
  const byReference = new Map<string, Set<Payment>>()
  let wholeToMs: number | undefined
  let readings = 0
  let last: { readonly atMs: number; readonly fault: Promise<string | undefined> } | undefined

  function forget(transactionId: string): void {
    const { reference, payment } = known.get(transactionId) ?? {}
    known.delete(transactionId)
    if (reference === undefined || !payment) return
    const others = byReference.get(reference)
    others?.delete(payment)
    if (others?.size === 0) byReference.delete(reference)
  }

  function keep({ transactions }: Reading, nowMs: number): void {
    for (const { transactionId, amount, msisdn, billreference = '' } of transactions) {
      const reference = billreference.trim().toUpperCase()
      if (!isAccountReference(reference)) continue
      forget(transactionId)
      const payment = { transactionId, ...(amount && { amount }), ...(msisdn && { msisdn }) }
      known.set(transactionId, { payment, reference, readAtMs: nowMs })
      byReference.set(reference, (byReference.get(reference) ?? new Set()).add(payment))
    }
    for (const [transactionId, { readAtMs }] of known) {
      if (known.size <= KEPT_MAX && nowMs - readAtMs <= REACH_MS) break
      forget(transactionId)
    }
  }

  async function readOn(nowMs: number): Promise<string | undefined> {
    const reachMs = nowMs - REACH_MS + MARGIN_MS
    const fromMs = wholeToMs === undefined ? reachMs : Math.max(reachMs, wholeToMs - everyMs * widthOf(readings))
    const reading = await read(new Date(fromMs), new Date(nowMs))
    keep(reading, nowMs)
    if (reading.fault === undefined) {
      wholeToMs = nowMs
      readings += 1
    }
    return reading.fault
  }

  return {
    async paidUnder(reference) {
      const nowMs = clock.now().getTime()
      if (!last || nowMs - last.atMs >= everyMs) {
        last = { atMs: nowMs, fault: readOn(nowMs) }
        // One that broke off with an error of ours is nobody's to share.
        last.fault.catch(() => (last = undefined))
      }
      const fault = await last.fault
      return { payments: [...(byReference.get(reference) ?? [])], ...(fault !== undefined && { fault }) }
    },
  }
}

/** 1, 2, 1, 4, 1, 2, 1, 8 …: the greatest power of two that divides the number. No more than the whole reach is wanted. */
const widthOf = (reading: number): number => reading & -reading
