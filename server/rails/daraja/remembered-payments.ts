import { REACH_MS } from './account-reference.ts'
import type { PulledTransaction } from './pulled-transaction.ts'
import { timeIn } from './nairobi-time.ts'

/** The maximum number of cached payments that no order has looked for; beyond it the oldest ones are evicted. */
const KEPT_MAX = 100_000

export interface PulledPayment extends Pick<PulledTransaction, 'transactionId' | 'amount' | 'msisdn'> {
  /** The time of the payment; without a readable time, the start of the period that was queried when it was listed. */
  readonly notBefore: Date
}

interface KnownPayment {
  readonly payment: PulledPayment
  readonly reference: string
  readonly readAtMs: number
}

interface RememberedPayments {
  /** Protects payments under this reference from eviction from now on. */
  markForSearch(reference: string, nowMs: number): void
  /** @param fromMs start of the queried period */
  add(transactions: readonly PulledTransaction[], fromMs: number, nowMs: number): void
  /** @returns the payments under a reference, ignoring case */
  under(reference: string): readonly PulledPayment[]
  /** @returns the payment with this receipt number, and its reference: `''` for none */
  withReceipt(receipt: string): (PulledPayment & { readonly reference: string }) | undefined
}

/**
 * A cache of payments by reference. Customers also pay without a prompt, under any reference, and those payments look
 * like ours until an order looks for one. So every payment is kept for as long as it is listed; beyond a limit only
 * those that an order has looked for are kept.
 */
export function createRememberedPayments(): RememberedPayments {
  /** By receipt number, in the order of reading. */
  const known = new Map<string, KnownPayment>()
  const byReference = new Map<string, Set<PulledPayment>>()
  /** When each reference was last looked up, in that order. */
  const searchedAtMs = new Map<string, number>()

  function forget(transactionId: string): void {
    const { reference, payment } = known.get(transactionId) ?? {}
    known.delete(transactionId)
    if (reference === undefined || !payment) return
    const others = byReference.get(reference)
    others?.delete(payment)
    if (others?.size === 0) byReference.delete(reference)
  }

  function forgetOld(nowMs: number): void {
    for (const [reference, atMs] of searchedAtMs) {
      if (nowMs - atMs <= REACH_MS) break
      searchedAtMs.delete(reference)
    }
    for (const [transactionId, { reference, readAtMs }] of known) {
      const isOld = nowMs - readAtMs > REACH_MS
      if (!isOld && known.size <= KEPT_MAX) break
      if (isOld || !searchedAtMs.has(reference)) forget(transactionId)
    }
  }

  return {
    markForSearch(reference, nowMs) {
      searchedAtMs.delete(keyOf(reference))
      searchedAtMs.set(keyOf(reference), nowMs)
    },

    add(transactions, fromMs, nowMs) {
      for (const { transactionId, amount, msisdn, billreference = '', trxDate = '' } of transactions) {
        const reference = keyOf(billreference)
        const before = known.get(transactionId)?.payment.notBefore.getTime() ?? fromMs
        forget(transactionId)
        const notBefore = timeIn(trxDate) ?? new Date(Math.max(before, fromMs))
        const payment = {
          transactionId,
          notBefore,
          ...(amount !== undefined && { amount }),
          ...(msisdn !== undefined && { msisdn }),
        }
        known.set(transactionId, { payment, reference, readAtMs: nowMs })
        byReference.set(reference, (byReference.get(reference) ?? new Set()).add(payment))
      }
      forgetOld(nowMs)
    },

    withReceipt(receipt) {
      const found = known.get(receipt)
      return found && { ...found.payment, reference: found.reference }
    },
    under: (reference) => [...(byReference.get(keyOf(reference)) ?? [])],
  }
}

const keyOf = (reference: string): string => reference.trim().toUpperCase()
