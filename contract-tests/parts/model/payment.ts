import type { CollectionRequest, PayoutRequest, Transaction } from '../../../client/index.ts'
import type { PageVisit } from '../../../server/verification/testing/page-visit.ts'
import type { TransactionType, PaymentOption } from './options.ts'

/** The customer's next step, or the end of the payment before a rail received it. */
export type Stage =
  | { readonly at: 'confirmation' }
  /** The OTP is sent with the next run of the jobs: its five minutes begin then. */
  | { readonly at: 'otp'; readonly sentAt?: number }
  | { readonly at: 'rail' }
  | { readonly at: 'ended'; readonly status: 'FAILED' | 'CANCELLED'; readonly message: string }

/** The request that starts a payment. */
export type Draft = {
  readonly way: PaymentOption
  readonly reference: string
  /** Its Idempotency-Key. */
  readonly key: string
  readonly amountMinor: bigint
  /** Empty for a bank collection: the customer chooses on the page. */
  readonly account: string
} & (
  | { readonly type: 'COLLECTION'; readonly request: CollectionRequest }
  | { readonly type: 'PAYOUT'; readonly request: PayoutRequest }
)

/** An accepted payment in the model. */
export interface Payment {
  readonly draft: Draft
  readonly type: TransactionType
  readonly reference: string
  readonly internalReference: string
  readonly paymentUrl: string | undefined
  readonly acceptedAt: number
  /** Its merchant rejects it. */
  readonly rejected: boolean
  /** The last verify reply. */
  record: Transaction
  /** The final states that verify has returned. */
  readonly ended: Set<FinalStatus>
  account: string
  stage: Stage
  triesLeft: number
  /** A day passed before a rail accepted it: then it fails, if the rail confirms that nothing moved. */
  mayTimeOut: boolean
  /** The customer's open tab. */
  visit?: PageVisit
}

type FinalStatus = 'COMPLETED' | 'FAILED' | 'CANCELLED'
interface Outcome {
  readonly status: FinalStatus
  /** Absent: any message. */
  readonly message?: string
}

export const OTP_TRIES_MAX = 5
export const OTP_LIFETIME_MS = 5 * 60_000
export const PAGE_LIFETIME_MS = 30 * 60_000
/** Bound of one merchant. */
export const OPEN_PAGES_MAX = 10
export const DAY_MS = 24 * 60 * 60_000
export const UNCOVERED = 'Insufficient balance for the transaction'

export const isFinal = (status: string): status is FinalStatus =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED'
export const isHosted = ({ draft }: Pick<Payment, 'draft'>): boolean =>
  draft.type === 'COLLECTION' && draft.request.redirect_url !== undefined
/** Whether the customer has not confirmed yet: until then nothing counts toward the account's daily limit. */
export const awaitsConfirmation = ({ stage }: Payment): boolean => stage.at === 'confirmation'
export const endingOf = (account: string): string => account.slice(-3)

/** Whether the customer needs an OTP. */
export const asksForOtp = (way: PaymentOption, account: string): boolean =>
  way.asksForOtp === true || endingOf(account) === '005'

const completed: Outcome = { status: 'COMPLETED' }
const failed = (message: string): Outcome => ({ status: 'FAILED', message })
const TIMED_OUT = failed('The request timed out without a transfer')

/** How a payment may end. */
interface PossibleEnds {
  /** Possible final states in order; empty for a payment that stays PROCESSING. */
  readonly ends: readonly Outcome[]
  /** FAILED may still become COMPLETED. */
  readonly mayTurn: boolean
}

/** Outcomes of the sandbox's test numbers (docs, "Test numbers"). */
export function prospectOf({ stage, draft, account, rejected, mayTimeOut }: Payment): PossibleEnds {
  if (stage.at === 'ended') return only({ status: stage.status, message: stage.message })
  if (rejected) return only(failed("Payout rejected by the merchant's verification URL (HTTP 404)"))
  const prospect = byTestNumber(draft, account)
  return mayTimeOut ? { ...prospect, ends: [...prospect.ends, TIMED_OUT] } : prospect
}

function byTestNumber(draft: Draft, account: string): PossibleEnds {
  const isPayout = draft.type === 'PAYOUT'
  switch (endingOf(account)) {
    case '002':
    case '456':
      return only(
        failed(
          isPayout
            ? "The recipient's account cannot receive the amount"
            : 'Insufficient balance on the customer account',
        ),
      )
    case '003':
      return only(TIMED_OUT)
    case '004':
      return only(failed(isPayout ? 'The recipient declined the request' : 'The customer declined the request'))
    case '006':
      return { ends: [], mayTurn: false }
    // A late poll of the operator returns the second result only.
    case '007':
      return { ends: [TIMED_OUT, completed], mayTurn: isPayout || draft.request.allow_final_status_change !== false }
    default:
      return only(completed)
  }
}

/** Whether the operator of this test number is unreachable at first. */
export const isAwayAtFirst = (account: string): boolean => endingOf(account) === '008'

const only = (outcome: Outcome): PossibleEnds => ({ ends: [outcome], mayTurn: false })
