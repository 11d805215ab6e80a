import { listOf, type Fields } from '../../harness/json.ts'
import { acceptedPayment } from '../accepted-payment.ts'
import { BoundedMap } from '../bounded-map.ts'
import type { ObservedExchange } from '../observed-exchange.ts'
import { minorOf } from './minor-units.ts'

/** How long the recording shows a payment in one state. */
interface StateSpan {
  readonly status: string
  /** What the payment has moved its wallet by in this state, in minor units. */
  movedMinor: bigint
  /** When the first reply with this state had come. */
  readonly since: number
  /** When the last request was sent that was answered with this state. */
  until: number
}

/** A payment as the recording shows it. */
export interface FollowedPayment {
  readonly internalReference: string
  readonly type: string
  merchantReference: string
  /** The public key of its merchant; undefined: only its callbacks were recorded. */
  merchant?: string
  /** Undefined until a record of it was seen. */
  currency?: string
  account: string
  /** When the request was sent that created it; undefined: nothing shows it. */
  acceptedFrom?: number
  readonly spans: StateSpan[]
}

/** A batch that was accepted; a replay repeats it. */
interface FollowedBatch {
  /** The public key of its merchant. */
  readonly merchant: string
  readonly reference: string
}

/** A later state has a higher rank; a late success follows a failure. */
const RANK: Readonly<Record<string, number>> = { PENDING: 0, PROCESSING: 1, FAILED: 2, CANCELLED: 2, COMPLETED: 3 }

/** Follows every payment of a recording through its states. */
export function createPayments() {
  const payments = new BoundedMap<string, FollowedPayment>()
  const known = (internalReference: string, type: string): FollowedPayment =>
    payments.of(internalReference, () => ({ internalReference, type, merchantReference: '', account: '', spans: [] }))
  const batches = createBatches(known)
  return {
    all: (): readonly FollowedPayment[] => [...payments.values()],
    /** Batches whose payouts no reply has named yet. */
    unread: (): readonly FollowedBatch[] => batches.unread(),
    follow(seen: ObservedExchange): void {
      const { direction, record, merchant, isReplay, began, ended } = seen
      if (batches.follow(seen)) return
      const accepted = acceptedPayment(seen)
      if (accepted) {
        const payment = known(accepted.internalReference, accepted.type)
        payment.merchantReference = accepted.merchantReference
        payment.merchant ??= merchant
        // A replay shows neither another payment, nor when this one began.
        if (!isReplay && payment.acceptedFrom === undefined && payment.spans.every(({ since }) => since >= began))
          payment.acceptedFrom = began
        note(payment, { status: 'PENDING', movedMinor: 0n, since: ended, until: began })
        return
      }
      const { internal_reference: reference, transaction_type, transaction_currency: currency } = record
      if (typeof reference !== 'string' || typeof currency !== 'string') return
      const payment = known(reference, String(transaction_type))
      payment.currency = currency
      payment.merchantReference = String(record.merchant_reference)
      payment.account = String(record.transaction_account)
      if (direction === 'asked') payment.merchant ??= merchant
      // A callback is sent again with the state of its first attempt: it is no proof that the state still holds.
      const until = direction === 'asked' ? began : 0
      note(payment, { status: String(record.transaction_status), movedMinor: movedBy(record), since: ended, until })
    },
  }
}

/** The payouts of batches: they are known by their own references once the batch was read. */
function createBatches(known: (internalReference: string, type: string) => FollowedPayment) {
  const rows = new BoundedMap<string, Pick<FollowedPayment, 'merchant' | 'acceptedFrom'>>()
  const batches = new Map<string, FollowedBatch>()
  return {
    unread: (): readonly FollowedBatch[] => [...batches.values()],
    /** @returns whether it is about a batch */
    follow({ operation, exchange: { reply }, sent, data, merchant, began, ended }: ObservedExchange): boolean {
      const { batch_reference: reference, payouts } = data
      const key = `${merchant} ${String(reference)}`
      if (operation?.id === 'createPayoutBatch' && reply.status === 202) {
        for (const row of listOf(sent.payouts))
          rows.set(String(row.merchant_reference), { merchant, acceptedFrom: began })
        batches.set(key, { merchant, reference: String(reference) })
        return true
      }
      if (operation?.id !== 'getPayoutBatch' || reply.status !== 200) return false
      batches.delete(key)
      for (const { internal_reference: internalReference, merchant_reference } of listOf(payouts)) {
        const payment = known(String(internalReference), 'PAYOUT')
        const merchantReference = String(merchant_reference)
        Object.assign(payment, { merchantReference, ...rows.get(merchantReference) })
        payment.merchant ??= merchant
        note(payment, { status: 'PENDING', movedMinor: 0n, since: ended, until: began })
      }
      return true
    },
  }
}

/** A payout or refund leaves its wallet when it begins, and is given back when it fails; a collection comes at its end. */
function movedBy({ transaction_type, transaction_status: status, transaction_currency: currency, ...record }: Fields) {
  if (transaction_type === 'COLLECTION')
    return status === 'COMPLETED' ? (minorOf(record.total_credit, currency) ?? 0n) : 0n
  return status === 'COMPLETED' || status === 'PROCESSING' ? -(minorOf(record.total_debit, currency) ?? 0n) : 0n
}

/** Replies of concurrent requests come in any order: one that is older than what is known says nothing new. */
function note({ spans }: FollowedPayment, next: StateSpan): void {
  const last = spans.at(-1)
  const [rank, lastRank] = [RANK[next.status] ?? 0, RANK[last?.status ?? ''] ?? -1]
  if (last === undefined || rank > lastRank) spans.push(next)
  else if (next.status === last.status) {
    last.until = Math.max(last.until, next.until)
    last.movedMinor = next.movedMinor
  }
}

/**
 * What a payment had moved its wallet by at a reading of the wallets, in minor units.
 * @returns undefined when it may have changed its state during the reading, or may have begun before or after it
 */
export function movedAt(
  { acceptedFrom, spans, type }: FollowedPayment,
  reading: { readonly from: number; readonly to: number },
): bigint | undefined {
  if (acceptedFrom !== undefined && acceptedFrom > reading.to) return 0n
  const index = spans.findLastIndex(({ since }) => since < reading.from)
  const span = spans[index]
  if (span === undefined) return undefined
  // The money of a payout or refund is held shortly before its state says so.
  if (type !== 'COLLECTION' && span.status === 'PENDING' && index < spans.length - 1) return undefined
  if (span.status === 'COMPLETED') return span.movedMinor
  if (span.status === 'FAILED' || span.status === 'CANCELLED') return index === spans.length - 1 ? 0n : undefined
  return span.until > reading.to ? span.movedMinor : undefined
}
