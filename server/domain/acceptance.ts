import { approvalOf, awaitApproval, isCovered, type ApprovalRule, type NewApproval } from './approvals.ts'
import { addToTallies, boundReached, type AccountTally, type BoundedUse, type BoundReached } from './account-bounds.ts'
import {
  exceededLimit,
  type DailyLimit,
  addDailyUse,
  dailyUseOf,
  accountLocks,
  type DailyUses,
} from './amount-limits.ts'
import { idempotencyKeyName, type IdempotencyKey } from './idempotency.ts'
import { beginsOnPage, type PaymentSession } from './payment-session.ts'
import type { Money } from './money.ts'
import type { ExpectedPayment } from './expected-payment.ts'
import { present } from './present.ts'
import {
  claimedReference,
  decideRefund,
  decideReturn,
  refundedBy,
  type RefundFault,
  type RefundPart,
  type RefundRequest,
} from './refund.ts'
import { isReturn, type Transaction } from './transaction.ts'

// The rules by which a batch of new transactions is accepted. A store runs them inside of one commit:
//
// 1. It claims the idempotency keys (keyClaims, applyKeyClaims).
// 2. It claims the references (applyReferenceClaims).
// 3. It locks the collections of refunds and reads their refunds; it locks and reads the usage of limits (usageToRead),
//    and reads the rules for approvals.
// 4. `decide` accepts what fits, and says what waits for an approver.
// 5. It undoes the claims of what was refused (claimsToUndo) and stores the rest.

/** The parts of a new transaction that decide whether it is accepted. */
export interface AcceptanceRequest extends Pick<
  Transaction,
  | 'merchantId'
  | 'merchantReference'
  | 'providerCode'
  | 'type'
  | 'account'
  | 'request'
  | 'amount'
  | 'chargeMinor'
  | 'totalMinor'
  | 'status'
  | 'refund'
  | 'createdAt'
> {
  readonly dailyLimit?: DailyLimit
  readonly uses?: readonly BoundedUse[]
  /** What rules for approvals count; absent: its own amount. */
  readonly approvedAs?: Money
  readonly idempotency?: IdempotencyKey
  readonly refunds?: RefundRequest
  readonly expects?: Pick<ExpectedPayment, 'paidTo' | 'reference'>
}

/** Anything but `accepted`: nothing was stored. */
export type AcceptResult =
  | 'accepted'
  | 'duplicate_reference'
  | 'idempotency_key_taken'
  | LimitExceeded
  | BoundReached
  | FaultyRefund
  | { readonly typedReference: 'taken' }

/** The daily limit that it would exceed: the provider's, or the merchant's share of that. */
interface LimitExceeded {
  readonly exceededMinor: bigint
}

interface FaultyRefund {
  readonly refundFault: RefundFault
}

/** A transaction of a batch, with its result so far. */
export interface Candidate<Request extends AcceptanceRequest> {
  /** Of a refund with its amounts, once they are decided. */
  transaction: Request
  result: AcceptResult
  /** The id of its transaction, once its reference is claimed. */
  id: bigint | undefined
  /** Whether it waits for an approver. */
  needsApproval: boolean
}

export const candidatesOf = <Request extends AcceptanceRequest>(batch: readonly Request[]): Candidate<Request>[] =>
  batch.map((transaction) => ({ transaction, result: 'accepted', id: undefined, needsApproval: false }))

export const accepted = <Request extends AcceptanceRequest>(
  candidates: readonly Candidate<Request>[],
): Candidate<Request>[] => candidates.filter(({ result }) => result === 'accepted')

/** The id of a candidate whose reference is claimed. */
export const idOf = ({ id }: Candidate<AcceptanceRequest>): bigint => present(id, 'the id of a claimed reference')

/** A candidate and its idempotency key. */
interface KeyClaim<Request extends AcceptanceRequest> {
  readonly candidate: Candidate<Request>
  readonly claim: NonNullable<Request['idempotency']>
}

const keyedOf = <Request extends AcceptanceRequest>(candidates: readonly Candidate<Request>[]): KeyClaim<Request>[] =>
  candidates.flatMap((candidate) => {
    const claim = candidate.transaction.idempotency
    return claim ? [{ candidate, claim }] : []
  })

/** The keys to claim. Of equal keys in one batch the first is claimed: its transaction is the one that will exist. */
export const keyClaims = <Request extends AcceptanceRequest>(
  candidates: readonly Candidate<Request>[],
): KeyClaim<Request>[] =>
  [...Map.groupBy(keyedOf(candidates), ({ claim }) => idempotencyKeyName(claim)).values()].flatMap(
    ([first]) => first ?? [],
  )

/** @param claimed the names of the keys that this commit got */
export function applyKeyClaims(candidates: readonly Candidate<AcceptanceRequest>[], claimed: Iterable<string>): void {
  const free = new Set(claimed)
  // Deleted on the first match, because only the first of equal keys wins the claim.
  for (const { candidate, claim } of keyedOf(candidates))
    if (!free.delete(idempotencyKeyName(claim))) candidate.result = 'idempotency_key_taken'
}

/** A unique text per merchant's reference, for map keys. */
export const referenceName = (
  transaction: Pick<Transaction, 'merchantId' | 'merchantReference' | 'type' | 'refund'>,
): string => `${transaction.merchantId}:${claimedReference(transaction)}`

/**
 * Candidates with the same new reference share its id until `decide` accepts at most one of them.
 * @param ids of the references that this commit got, by referenceName
 */
export function applyReferenceClaims(
  candidates: readonly Candidate<AcceptanceRequest>[],
  ids: ReadonlyMap<string, bigint>,
): void {
  for (const candidate of candidates) {
    candidate.id = ids.get(referenceName(candidate.transaction))
    if (candidate.id === undefined) candidate.result = 'duplicate_reference'
  }
}

/** Candidates that claim a reference to be typed: of those with one merchant's reference, the first. */
export const typedClaims = <Request extends AcceptanceRequest>(
  candidates: readonly Candidate<Request>[],
): Candidate<Request>[] =>
  [
    ...new Map(
      candidates
        .filter(({ result }) => result === 'accepted')
        .toReversed()
        .map((candidate) => [candidate.id, candidate]),
    ).values(),
  ].filter(({ transaction }) => transaction.expects)

/** @param claimed ids of the candidates that got the reference to be typed */
export function applyTypedClaims(
  candidates: readonly Candidate<AcceptanceRequest>[],
  claimed: ReadonlySet<bigint>,
): void {
  const firsts = new Set(typedClaims(candidates))
  for (const candidate of candidates) {
    if (!candidate.transaction.expects || claimed.has(idOf(candidate))) continue
    candidate.result = firsts.has(candidate) ? { typedReference: 'taken' } : 'duplicate_reference'
  }
}

/**
 * Whether it counts toward the daily limit now. A payment on a payment page counts only when the customer confirms it.
 * Before that, a bank account is unknown, and somebody who opens pages for another person's phone must not use up its
 * limit before its owner has been prompted.
 */
export const isCounted = ({ dailyLimit }: AcceptanceRequest): boolean => dailyLimit !== undefined

/** The usage that decides about a batch, and the account numbers to lock before it is read. */
interface UsageQuery<Request extends AcceptanceRequest> {
  readonly locks: readonly string[]
  /** Transactions with daily limits. */
  readonly limited: readonly Request[]
  /** Account numbers with bounds. */
  readonly accounts: readonly string[]
  /** Collections of refunds, which lock before the limits: as in settling, transactions come first. */
  readonly collections: readonly bigint[]
  /** Merchants of payouts and refunds: their rules for approvals. */
  readonly payers: readonly bigint[]
  readonly now: Date
}

export function usageToRead<Request extends AcceptanceRequest>(
  candidates: readonly Candidate<Request>[],
): UsageQuery<Request> {
  const transactions = candidates.map(({ transaction }) => transaction)
  const limited = transactions.filter(isCounted)
  const accounts = transactions.filter(({ uses }) => uses).map(({ account }) => account)
  return {
    locks: accountLocks([...limited.map(({ account }) => account), ...accounts]),
    limited,
    accounts,
    collections: [...new Set(transactions.flatMap(({ refunds }) => refunds?.collectionId ?? []))],
    payers: transactions.filter(({ type }) => type !== 'COLLECTION').map(({ merchantId }) => merchantId),
    now: transactions[0]?.createdAt ?? new Date(0),
  }
}

/** What account numbers have used so far, and the rules for payouts of their merchants. */
export interface AcceptanceFacts {
  readonly daily: DailyUses
  /** Tallies for the bounds of account numbers, by account number. */
  readonly counted: Map<string, readonly AccountTally[]>
  readonly rules: readonly ApprovalRule[]
  /** The locked collections of the refunds, with their refunds, by id. */
  readonly collections: ReadonlyMap<bigint, CollectionToRefund>
}

export interface CollectionToRefund {
  readonly collection: Transaction
  refunds: readonly RefundPart[]
}

/**
 * Among candidates with the same new reference, the first one that fits its limit is accepted. Those before it were
 * over the limit; those after it are duplicates. If none fits, the reference stays unused and every candidate gets the
 * limit as its result.
 */
export function decide(candidates: readonly Candidate<AcceptanceRequest>[], facts: AcceptanceFacts): void {
  const taken = new Set<bigint>()
  for (const candidate of candidates) {
    const id = idOf(candidate)
    candidate.result = taken.has(id) ? 'duplicate_reference' : takeAll(facts, candidate)
    if (candidate.result === 'accepted') taken.add(id)
    candidate.needsApproval = needsApproval(facts.rules, candidate.transaction)
  }
}

function takeAll(facts: AcceptanceFacts, candidate: Candidate<AcceptanceRequest>): AcceptResult {
  const { refunds } = candidate.transaction
  return refunds ? takeRefund(facts, candidate, refunds) : takeCapacity(facts, candidate.transaction)
}

/** Takes a part of the collection, and sets the amounts of the refund. */
function takeRefund(
  { collections }: AcceptanceFacts,
  candidate: Candidate<AcceptanceRequest>,
  request: RefundRequest,
): AcceptResult {
  const found = collections.get(request.collectionId)
  const decide = isReturn(candidate.transaction) ? decideReturn : decideRefund
  const decided = decide(found?.collection, refundedBy(found?.refunds ?? []), request)
  if (typeof decided === 'string' || 'leftMinor' in decided) return { refundFault: decided }
  const { way, ...amounts } = decided
  const { refund } = candidate.transaction
  candidate.transaction = { ...candidate.transaction, ...amounts, ...(refund && { refund: { ...refund, way } }) }
  if (found) found.refunds = [...found.refunds, candidate.transaction]
  return 'accepted'
}

/** Staff give back from suspense: who approves that is decided before (admin/operations). */
const needsApproval = (rules: readonly ApprovalRule[], request: AcceptanceRequest): boolean => {
  const { type, merchantId, amount, approvedAs = amount } = request
  if (isReturn(request)) return false
  return type !== 'COLLECTION' && isCovered(rules, { operation: approvalOf(type), merchantId, amount: approvedAs })
}

/** Checks the daily limit and the bounds of the account number; reserves the amount if it fits. */
function takeCapacity({ daily, counted }: AcceptanceFacts, transaction: AcceptanceRequest): AcceptResult {
  const { account, merchantId, amount, dailyLimit, uses = [], createdAt } = transaction
  const exceededMinor = dailyLimit && exceededLimit(dailyLimit, dailyUseOf(daily, transaction), amount.amountMinor)
  if (exceededMinor !== undefined) return { exceededMinor }
  const tallies = counted.get(account) ?? []
  for (const { bounds } of uses) {
    const reached = boundReached(bounds, merchantId, tallies, createdAt)
    if (reached) return reached
  }
  if (dailyLimit) addDailyUse(daily, transaction, amount.amountMinor)
  counted.set(account, addToTallies(tallies, merchantId, uses, createdAt))
  return 'accepted'
}

/** An accepted transaction as it is stored, with the request for its approval if it waits for one. */
export function asStored<Request extends Parameters<typeof awaitApproval>[0]>(
  candidate: Candidate<Request & AcceptanceRequest>,
): { readonly id: bigint; readonly transaction: Request; readonly approval?: NewApproval } {
  const id = idOf(candidate)
  if (!candidate.needsApproval) return { id, transaction: candidate.transaction }
  const { approval, changes } = awaitApproval(candidate.transaction)
  return { id, transaction: { ...candidate.transaction, ...changes }, approval }
}

/** Claims of one commit whose transactions it does not store. */
export interface UndoneClaims<Request extends AcceptanceRequest> {
  readonly refused: readonly Candidate<Request>[]
  /** Transactions whose references no candidate uses. */
  readonly references: readonly Request[]
  readonly keys: readonly IdempotencyKey[]
}

/**
 * A refused transaction leaves nothing behind: its idempotency key becomes free again, and so does a reference that no
 * candidate used.
 */
export function claimsToUndo<Request extends AcceptanceRequest>(
  candidates: readonly Candidate<Request>[],
): UndoneClaims<Request> {
  const used = new Set(accepted(candidates).map(({ id }) => id))
  const overLimit = candidates.filter(({ result }) => typeof result === 'object')
  const refused = [...overLimit, ...candidates.filter(({ result }) => result === 'duplicate_reference')]
  return {
    refused,
    references: overLimit.filter(({ id }) => !used.has(id)).map(({ transaction }) => transaction),
    keys: refused.flatMap(({ transaction: { idempotency } }) => idempotency ?? []),
  }
}

/** The first outcome that an idempotency key stores for an accepted transaction. */
export const acceptedOutcome = ({
  internalReference,
  merchantReference,
  session,
  expects,
}: Pick<Transaction, 'internalReference' | 'merchantReference'> & {
  readonly session?: Pick<PaymentSession, 'awaits'>
  readonly expects?: Pick<ExpectedPayment, 'reference' | 'expiresAt'>
}) => ({
  result: 'accepted' as const,
  accepted: {
    internalReference,
    merchantReference,
    onPaymentPage: beginsOnPage(session),
    ...(expects && { typed: { reference: expects.reference, expiresAt: expects.expiresAt.toISOString() } }),
  },
})
