import type { Money } from '../../domain/money.ts'
import type { FailureCode } from '../../domain/failure-code.ts'
import type { PayoutTerms } from '../../domain/payout-waits.ts'
import type { OrderType, TransactionType } from '../../domain/provider.ts'
import type { RailOutcome } from '../../domain/transaction.ts'

/**
 * An order for a rail. Internal reference and order id stay the same over all tries whose arrival is unknown: where
 * the rail's traits say that an order may be repeated, the same order sent twice moves money once.
 */
export interface RailOrder {
  readonly internalReference: string
  /** A version 4 UUID: our order id, where the operator lets us choose one. */
  readonly orderId: string
  /**
   * When the order id was committed: the order was not sent before that. Absent: unknown, and it may have been sent
   * this very moment.
   */
  readonly orderedAt?: Date
  readonly type: TransactionType
  readonly providerCode: string
  readonly account: string
  readonly bankCode?: string
  /** What the customer pays or the recipient receives. */
  readonly amount: Money
  /** The rail account that has it, or will get it; absent: none, as in the sandbox. */
  readonly railAccount?: string
  /** What its customer may see of it, to recognise the payment. Absent: the order is not sent now. */
  readonly shown?: { readonly merchant: string; readonly reference: string }
  /** The operator's ids of the order so far. */
  readonly externalIds: RailReferences
}

/**
 * External ids: the operator's ids of an order, under the operator's names for them: `CheckoutRequestID`,
 * `financialTransactionId`, a receipt. Stored unchanged; callbacks, statements and the rail's own queries find the
 * order by them.
 */
export type RailReferences = Readonly<Record<string, string>>

/** What determines the rail of an order, and its traits. */
export type RailRoute = Pick<RailOrder, 'providerCode' | 'type' | 'railAccount'>

/**
 * Whether an order may be sent again when its arrival is unknown. `safe`: the operator deduplicates it by our id.
 * `never`: it would move the money twice, so an order without a reply is only queried.
 */
export type Repeat = 'safe' | 'never'

/** An order whose payer will read a reference of ours. */
export interface PayerReferenceRequest extends RailRoute {
  readonly internalReference: string
  readonly orderId: string
  readonly merchantReference: string
}

/** References that the payer of an order may read on the phone and on the statement. */
export interface PayerReferenceChoice {
  /** Candidates, the best one first. The last one is random enough to be free. */
  readonly candidates: readonly string[]
  /** Scope of uniqueness: which list of the operator's payments the orders are in, whichever rail account they use. */
  readonly scope: string
  /** How long it stays unique, ignoring case. */
  readonly uniqueForMs: number
}

/**
 * An order to give back a part or all of a completed collection, to the account that it came from. It has an order id
 * of its own; it goes to the rail account of the collection.
 */
export interface RefundOrder extends Omit<RailOrder, 'type' | 'bankCode' | 'shown'> {
  readonly collection: {
    readonly orderId: string
    readonly orderedAt?: Date
    /** What the customer paid. */
    readonly amount: Money
    /** Its ids at the operator, receipts among them. */
    readonly externalIds: RailReferences
  }
}

/** Properties of a rail's refunds. */
export interface RefundTraits extends Pick<RailTraits, 'repeat' | 'unanswered' | 'pollAfterMs'> {
  /** Whether it gives back a part of a collection, and several times. If not: all of it, once. */
  readonly partial: boolean
  /** The operator's id of the collection by which alone it gives it back: a receipt that may never have come. */
  readonly needsId?: string
}

/** Properties of a rail. */
export interface RailTraits {
  readonly repeat: Repeat
  /**
   * How to find out whether an order without a reply has arrived, if it may be repeated: by a query, or by the same
   * order again where the operator does not answer queries at once. Absent: by a query.
   */
  readonly unanswered?: 'ask' | 'repeat'
  /**
   * How long to wait for a result before the next query, in milliseconds. @param queried how often it was queried
   * before
   */
  pollAfterMs(queried: number): number
  /** For collections: how it refunds them. Absent: it cannot. */
  readonly refund?: RefundTraits
  /**
   * For collections: its operator reports what customers pay without an order. Absent: it does not. `paidTo`: where no
   * rail account reports it, the name in its messages.
   */
  readonly unrequested?: { readonly receiptName: string; readonly paidTo?: string }
}

/**
 * `accepted`: the result comes later. `outcome`: it is final already, believed as the answer to a query would be.
 * `refused`: there will be no result. `not_sent`: certainly nothing arrived.
 * `unreachable`: it is unknown whether the rail received it.
 */
export type RailAnswer =
  | { readonly answer: 'accepted'; readonly externalIds?: RailReferences }
  | ({ readonly answer: 'outcome' } & KnownOutcome)
  | { readonly answer: 'refused'; readonly reason: string; readonly code?: FailureCode }
  /**
   * `attemptsMax`: the order fails after this many attempts, none of which the operator took. Absent: only time limits
   * them. `lacksId`: the operator's id of the collection is not known yet, which the merchant is told.
   */
  | { readonly answer: 'not_sent'; readonly error: string; readonly attemptsMax?: number; readonly lacksId?: true }
  | { readonly answer: 'unreachable'; readonly error: string }

/** What a rail knows of an order. `nothing_moved`: it confirms that no such transfer exists or will. */
export type RailKnowledge =
  | ({ readonly knows: 'outcome' } & KnownOutcome)
  | { readonly knows: 'in_progress'; readonly externalIds?: RailReferences; readonly question?: string }
  | { readonly knows: 'nothing_moved' }
  | {
      readonly knows: 'unreachable'
      readonly error: string
      /** The operator's id of this query, if its answer comes by callback. */
      readonly question?: string
      /** The operator's result code, if no mapping explains it. Reported at once. */
      readonly unmappedCode?: string
    }

/** A final result in the operator's answer to a call about one order. */
export interface KnownOutcome {
  readonly outcome: RailOutcome
  readonly externalIds?: RailReferences
  /** Ids of the money movement. They bind only with a success: failures carry placeholders. */
  readonly receipts?: RailReferences
}

/** The outcome of an order as a rail reports it on its own initiative. */
export interface RailReport {
  readonly internalReference: string
  readonly outcome: RailOutcome
  readonly externalIds?: RailReferences
  /** Ids of the money movement. They bind only with a success: failures carry placeholders. */
  readonly receipts?: RailReferences
  /** The source, for the history, if it is not the rail: a line of a statement. */
  readonly reportedBy?: string
}

/** As it was received; nothing in it is trusted. */
export interface ReceivedCallback {
  readonly method: 'POST' | 'PUT'
  /** The `tail` that `callbackUrl` was given. */
  readonly tail?: string
  readonly body: string
}

/** What a callback claims about the order whose address it came to. */
export interface CallbackReading {
  /**
   * Type of the orders whose messages come to that address: for another type it changes nothing. Absent: all types,
   * where the operator can be queried.
   */
  readonly type?: OrderType
  /** Absent: it claims no verdict. */
  readonly outcome?: RailOutcome
  /**
   * It claims that money moved, also where its data is not enough for an outcome: staff must be alerted about a payout
   * that is FAILED.
   */
  readonly claimsPaid?: boolean
  /**
   * Whether the operator can be queried about the order. Then only its answer counts, and the claim only triggers a
   * query.
   */
  readonly mayQuery: boolean
  /** If present, these must match the order, or the message changes nothing. */
  readonly orderId?: string
  readonly amount?: Money
  readonly account?: string
  /** Ids that are stored already must match. */
  readonly externalIds: RailReferences
  /** Ids of the money movement. They bind only with a success: failures carry placeholders. */
  readonly receipts?: RailReferences
  /** The operator's id of the query that this answers: trusted only if we sent that query about this order. */
  readonly answersQuestion?: string
  /** The operator's result code, if no mapping explains it. Reported at once. */
  readonly unmappedCode?: string
}

/** A balance of ours, as an operator reports it. */
export interface RailBalance {
  /** The operator's name of the account. */
  readonly account: string
  /** Payouts are paid from it. */
  readonly isFloat?: true
  readonly available: Money
}

/** Money that somebody paid into a rail account without an order of ours, by the operator's own message. */
export interface UnrequestedPayment {
  /** The operator's id of the movement: it is booked once. */
  readonly receipt: string
  readonly amount: Money
  /** Who paid, as the operator writes it: a number, or a part or a hash of one. */
  readonly account?: string
  /** What the payer typed. */
  readonly reference?: string
  readonly paidAt: Date
}

/**
 * What a message claims that came to an address of a rail account: its operator has one address for all orders. The
 * order is found by the ids in the reading, among those of that rail account only.
 */
export type AccountMessage =
  | { readonly about: 'order'; readonly reading: CallbackReading }
  /**
   * `receiptName`: what the receipts of collections are called, as in their traits. `mayBeOrdered`: it names no
   * reference, and orders may be paid so too.
   */
  | {
      readonly about: 'payment'
      readonly payment: UnrequestedPayment
      readonly receiptName: string
      readonly mayBeOrdered?: true
    }
  /** Believed only if we asked `answersQuestion`. */
  | { readonly about: 'balances'; readonly answersQuestion: string; readonly balances: readonly RailBalance[] }

/** Why a payment that nobody asked for is not welcome. */
export type PaymentRefusal = 'unknown_reference' | 'wrong_amount' | 'unknown_account' | 'not_now'

/** An operator's question before such a payment, which waits for the answer. */
export interface PaymentQuestion {
  readonly payment: Omit<UnrequestedPayment, 'receipt' | 'paidAt'>
  /** @returns the body of the answer, in the operator's words; undefined refuses nothing */
  answer(refusal: PaymentRefusal | undefined): string
}

/**
 * The connection to an operator or bank. Replies are in the order of the requests; one failing order does not fail the
 * others.
 */
export interface Rail {
  /**
   * Parses what an operator claims in an unsolicited message. Simulated operators send none.
   * @returns undefined when it breaks the operator's contract, or came through a rail account that is removed
   * @throws when it cannot be read now
   */
  readCallback?(railAccount: string, callback: ReceivedCallback): CallbackReading | undefined
  /** The same for a message at an address of the rail account itself. */
  readMessage?(railAccount: string, callback: ReceivedCallback): AccountMessage | undefined
  /**
   * Queries the operator about a payment that a message claims, by its receipt.
   * @returns the payment as the operator has booked it; undefined when it does not say so, or not yet
   */
  confirmPayment?(railAccount: string, claim: UnrequestedPayment): Promise<UnrequestedPayment | undefined>
  /**
   * The rail account of a provider's next order. It is committed with the order, because only that account may be
   * queried later.
   */
  railAccountOf?(providerCode: string): string | undefined
  /** What a provider's next payout depends on. Absent, as a method or for a provider: its payouts never wait. */
  payoutTerms?(providerCode: string): PayoutTerms | undefined
  /**
   * References that the payer of an order may read. One candidate is reserved and committed before the order is sent,
   * as `PAYER_REFERENCE` among its external ids. Absent, as a method or for one order: the payer reads no reference of
   * ours.
   */
  payerReference?(order: PayerReferenceRequest): PayerReferenceChoice | undefined
  /** Must never change for a route: it decides whether an order may be sent again. */
  traitsOf(route: RailRoute): RailTraits
  submit(orders: readonly RailOrder[]): Promise<readonly RailAnswer[]>
  query(orders: readonly RailOrder[]): Promise<readonly RailKnowledge[]>
  /** Like `submit` and `query`, for refunds; present where a route has the trait `refund`. */
  refund?(orders: readonly RefundOrder[]): Promise<readonly RailAnswer[]>
  queryRefund?(orders: readonly RefundOrder[]): Promise<readonly RailKnowledge[]>
  /** Queries about who has an account. Absent, as a method or for a provider: its operator does not answer such. */
  holderQuery?(providerCode: string): HolderQuery | undefined
}

/** Whether an account could pay or be paid now, and its holder's name if the operator returns it. Never rejects. */
export type HolderQuery = (account: string) => Promise<HolderKnowledge>

export type HolderKnowledge =
  | { readonly knows: 'active'; readonly name?: string }
  | { readonly knows: 'inactive' }
  | { readonly knows: 'no_account' }
  | { readonly knows: 'unreachable'; readonly error: string }
