import { hash } from 'node:crypto'
import type { Failure } from './failure-code.ts'
import type { Money } from './money.ts'
import type { OrderType } from './provider.ts'
import { STATUS_MESSAGES, type Transaction } from './transaction.ts'

// Four eyes: what a rule covers waits for a second person. Both stores and the command line decide by these functions.

/**
 * What rules may cover, and the roles that may approve it: of payouts and refunds the roles of the merchant's own
 * people, of everything else the roles of staff.
 */
export const APPROVER_ROLES = {
  payouts: ['owner', 'finance'],
  refunds: ['owner', 'finance'],
  'manual-resolution': ['admin', 'finance'],
  deposits: ['admin', 'finance'],
  transfers: ['admin', 'finance'],
  rates: ['admin', 'finance'],
  limits: ['admin', 'finance'],
  suspensions: ['admin', 'finance'],
  resumptions: ['admin', 'finance'],
  keys: ['admin', 'developer'],
  'rail-settings': ['admin', 'developer'],
  roles: ['admin'],
  urls: ['admin', 'developer'],
  rules: ['admin'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ApprovalOperation = keyof typeof APPROVER_ROLES
export const APPROVAL_OPERATIONS = Object.keys(APPROVER_ROLES) as readonly ApprovalOperation[]

/** Operations whose rules may begin at an amount. */
export const WITH_AMOUNTS: readonly ApprovalOperation[] = [
  'payouts',
  'refunds',
  'manual-resolution',
  'deposits',
  'transfers',
]
/** Operations that concern no single merchant. */
export const OF_NO_MERCHANT: readonly ApprovalOperation[] = ['rates', 'rail-settings']

/** After this long without a decision a request has expired. */
export const APPROVAL_TTL_MS = 24 * 60 * 60 * 1000

export const APPROVAL_REFUSED = {
  reason: "Payout refused by the merchant's approver",
  code: 'approval_refused',
} as const satisfies Failure
export const APPROVAL_EXPIRED = {
  reason: 'Payout was not approved in time',
  code: 'approval_expired',
} as const satisfies Failure

/** The failure of a payout, or the same of a refund. */
export const approvalFailure = (type: OrderType, failure: Failure): Failure =>
  type === 'REFUND' ? { ...failure, reason: failure.reason.replace('Payout', 'Refund') } : failure

export interface ApprovalRule {
  readonly id: bigint
  readonly operation: ApprovalOperation
  /** Absent: it covers every merchant, and what concerns none. */
  readonly merchantId?: bigint
  /** Absent: it covers every amount. */
  readonly currency?: string
  /** The smallest amount that it covers. */
  readonly fromMinor: bigint
}

/** What somebody is about to do. */
export interface IntendedChange {
  readonly operation: ApprovalOperation
  readonly merchantId?: bigint | undefined
  readonly amount?: Money | undefined
}

/** Whether one of the rules covers it. An amount that is not known counts as covered. */
export const isCovered = (rules: readonly ApprovalRule[], { operation, merchantId, amount }: IntendedChange): boolean =>
  rules.some(
    (rule) =>
      rule.operation === operation &&
      (rule.merchantId === undefined || rule.merchantId === merchantId) &&
      (rule.currency === undefined ||
        amount === undefined ||
        (rule.currency === amount.currency && amount.amountMinor >= rule.fromMinor)),
  )

/** Somebody who makes or decides a request. Without a person: an API key, or the user of a sandbox's machine. */
export interface Party {
  readonly name: string
  readonly personId?: bigint
}

/** `lapsed`: its maker has left, or the payout was ended. */
export type ApprovalState = 'waiting' | 'approved' | 'refused' | 'expired' | 'lapsed'

/** A request for the approval of exactly one order or change. */
export interface Approval {
  readonly id: bigint
  readonly operation: ApprovalOperation
  /** Of the payout that waits; absent for a change by staff. */
  readonly transactionId?: bigint
  readonly merchantId?: bigint
  /** Identifies what is to be approved: see `orderDigest`. */
  readonly digest: string
  readonly maker: Party
  readonly requestedAt: Date
  readonly expiresAt: Date
  readonly state: ApprovalState
}

/** The role that a person has now. Read it in the transaction that decides: it may have been taken away meanwhile. */
export interface Standing {
  readonly role: string
  /** Absent: staff. */
  readonly merchantId?: bigint
}

export interface Decision {
  readonly state: 'approved' | 'refused'
  readonly by: Party
  /** `anybody`: the user of a sandbox's machine, where nobody signs in. Undefined: the person's access has ended. */
  readonly standing: Standing | 'anybody' | undefined
  /** Of what the approver has read. */
  readonly digestSeen: string
  /** Of what would be executed. */
  readonly digestNow: string
  readonly at: Date
}

/** Why a decision is refused. */
export type DecisionRefusal = 'decided' | 'expired' | 'no_approver' | 'own_request' | 'changed'

/** The same for people. */
export const DECISION_REFUSALS: Readonly<Record<DecisionRefusal, string>> = {
  decided: 'it no longer waits',
  expired: 'it has expired: nobody decided within 24 hours',
  no_approver: 'your role may not decide about it',
  own_request: 'whoever made a request cannot approve it: somebody else must',
  changed: 'what would be executed differs from what was requested',
}

/**
 * Whether somebody may decide a request now. Its maker may take it back and never approve it, and an approval is for
 * exactly what its approver has read.
 * @returns undefined if the decision stands
 */
export function decisionRefusal(approval: Approval, decision: Decision): DecisionRefusal | undefined {
  const { state, by, standing, digestSeen, digestNow, at } = decision
  if (approval.state !== 'waiting') return 'decided'
  if (at.getTime() >= approval.expiresAt.getTime()) return 'expired'
  if (!isApprover(approval, standing)) return 'no_approver'
  if (state === 'refused') return undefined
  if (isSameParty(approval.maker, by)) return 'own_request'
  return [digestSeen, digestNow].every((digest) => digest === approval.digest) ? undefined : 'changed'
}

/** Whether the merchant's own people decide about it. */
export const isOfMerchant = (operation: ApprovalOperation): boolean =>
  operation === 'payouts' || operation === 'refunds'

/** What a rule must cover for a transaction of this type to wait. */
export const approvalOf = (type: OrderType): ApprovalOperation => (type === 'REFUND' ? 'refunds' : 'payouts')

function isApprover({ operation, merchantId }: Approval, standing: Decision['standing']): boolean {
  if (standing === undefined) return false
  if (standing === 'anybody') return true
  const roles: readonly string[] = APPROVER_ROLES[operation]
  return roles.includes(standing.role) && standing.merchantId === (isOfMerchant(operation) ? merchantId : undefined)
}

const isSameParty = (one: Party, other: Party): boolean => one.personId === other.personId && one.name === other.name

const digestOf = (fields: readonly (string | null)[]): string => hash('sha256', JSON.stringify(fields), 'hex')

type Order = Pick<
  Transaction,
  | 'type'
  | 'internalReference'
  | 'merchantId'
  | 'merchantReference'
  | 'method'
  | 'providerCode'
  | 'account'
  | 'amount'
  | 'chargeMinor'
  | 'totalMinor'
  | 'customerName'
  | 'bankCode'
  | 'branchCode'
>

/** Identifies an order with all that decides who gets how much. */
export const orderDigest = (order: Order): string =>
  digestOf([
    order.internalReference,
    String(order.merchantId),
    order.merchantReference,
    order.method,
    order.providerCode,
    order.account,
    order.amount.currency,
    String(order.amount.amountMinor),
    String(order.chargeMinor),
    String(order.totalMinor),
    order.customerName ?? null,
    order.bankCode ?? null,
    order.branchCode ?? null,
  ])

/** Identifies orders that are decided together, by the digests of their requests in the order of these. */
export const digestOfAll = (digests: readonly string[]): string =>
  digests.length === 1 ? (digests[0] ?? '') : digestOf(digests)

/** Identifies a change by staff: its exact input. @param input the keyed digest of the secrets in it */
export const changeDigest = (args: readonly string[], input: string | undefined): string =>
  digestOf([...args, input ?? null])

/** A payout by API key is made by nobody in particular. */
const BY_API_KEY: Party = { name: 'API key' }

/** What is stored with a payout that waits. */
export type NewApproval = Omit<Approval, 'id' | 'state' | 'transactionId'>

/**
 * A payout or refund that a rule covers waits before the handshake and the hold, and its only job is its end.
 */
export function awaitApproval(payout: Order & { readonly createdAt: Date; readonly maker?: Party }) {
  const expiresAt = new Date(payout.createdAt.getTime() + APPROVAL_TTL_MS)
  const approval: NewApproval = {
    operation: approvalOf(payout.type),
    merchantId: payout.merchantId,
    digest: orderDigest(payout),
    maker: payout.maker ?? BY_API_KEY,
    requestedAt: payout.createdAt,
    expiresAt,
  }
  const firstJob = { kind: 'expireApproval' as const, dueAt: expiresAt }
  return { approval, changes: { statusMessage: STATUS_MESSAGES.awaitingApprover, firstJob } }
}
