import type { Money } from '../../domain/money.ts'
import type { FailureCode } from '../../domain/failure-code.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { RailOutcome } from '../../domain/transaction.ts'

/**
 * What a rail is asked to do. Internal reference and order id stay the same over all tries whose arrival is not known:
 * where the rail's traits say that an order may be repeated, the same one twice moves money once.
 */
export interface RailOrder {
  readonly internalReference: string
  /** A version 4 UUID: the id that an operator gets where it lets us choose one. */
  readonly orderId: string
  /**
   * When that id was committed: the order has not gone out before. Absent: nobody knows, and it may have gone out this
   * very moment.
   */
  readonly orderedAt?: Date
  readonly type: TransactionType
  readonly providerCode: string
  readonly account: string
  readonly bankCode?: string
  /** What the customer pays or the recipient gets. */
  readonly amount: Money
  /** Which installation of a rail has it, or shall get it; absent: none, as in the sandbox. */
  readonly installation?: string
  /** What its customer may be told of it, so that they recognise it. Absent: it does not go out now. */
  readonly shown?: { readonly merchant: string; readonly reference: string }
  /** What the operator has called it so far. */
  readonly theirs: RailReferences
}

/**
 * Names that an operator gives an order, by what the operator calls each: `CheckoutRequestID`, `financialTransactionId`,
 * a receipt. Kept as they come, and found again by operators, statements and the rail's own questions.
 */
export type RailReferences = Readonly<Record<string, string>>

/** What decides which rail an order takes, and under which traits. */
export type RailRoute = Pick<RailOrder, 'providerCode' | 'type' | 'installation'>

/**
 * Whether an order may be sent again when nobody knows if it arrived. `safe`: the operator knows it again by our id.
 * `never`: it would move the money twice, so an order without an answer is only asked about.
 */
export type Repeat = 'safe' | 'never'

/** An order whose payer is to read a reference of ours. */
export interface PayerReferenceRequest extends RailRoute {
  readonly internalReference: string
  readonly orderId: string
  readonly merchantReference: string
}

/** How an order may be named on its payer's phone and statement. */
export interface PayerReferenceChoice {
  /** The best one first. The last one is random enough to be free. */
  readonly candidates: readonly string[]
  /** Where no two orders share one: which list of the operator's payments they stand in, of whichever rail account. */
  readonly scope: string
  /** For how long, in upper or lower case. */
  readonly uniqueForMs: number
}

/** What a rail says of itself. */
export interface RailTraits {
  readonly repeat: Repeat
  /**
   * What finds out whether an order without an answer has arrived, where it may be repeated: a question, or, of an operator
   * that answers none at once, the same order again. Absent: a question.
   */
  readonly unanswered?: 'ask' | 'repeat'
  /** How long to wait for a result before it is asked for, in milliseconds. @param asked how often it was asked before */
  askAfterMs(asked: number): number
}

/**
 * `accepted`: the result comes later. `refused`: it never will. `not_sent`: certainly nothing arrived. `unreachable`: we
 * do not know whether the rail got it.
 */
export type RailAnswer =
  | { readonly answer: 'accepted'; readonly theirs?: RailReferences }
  | { readonly answer: 'refused'; readonly reason: string; readonly code?: FailureCode }
  /** `attemptsMax`: the order fails after so many attempts, none of which the operator took. Absent: time is the bound. */
  | { readonly answer: 'not_sent'; readonly error: string; readonly attemptsMax?: number }
  | { readonly answer: 'unreachable'; readonly error: string }

/** What a rail knows of an order. `nothing_moved`: it confirms that no such transfer exists or will. */
export type RailKnowledge =
  | {
      readonly knows: 'outcome'
      readonly outcome: RailOutcome
      readonly theirs?: RailReferences
      /** Ids of the movement of money. They bind only with a success: failures carry placeholders. */
      readonly receipts?: RailReferences
    }
  | { readonly knows: 'in_progress'; readonly theirs?: RailReferences; readonly question?: string }
  | { readonly knows: 'nothing_moved' }
  | {
      readonly knows: 'unreachable'
      readonly error: string
      /** The operator's id of this query, where its answer comes by callback. */
      readonly question?: string
      /** The operator's result code, where no table says what it means. Reported at once. */
      readonly unmappedCode?: string
    }

/** What a rail says came of an order, of its own accord. */
export interface RailReport {
  readonly internalReference: string
  readonly outcome: RailOutcome
  readonly theirs?: RailReferences
  /** Ids of the movement of money. They bind only with a success: failures carry placeholders. */
  readonly receipts?: RailReferences
  /** Who says it where the rail does not, for the history: a line of a statement. */
  readonly toldBy?: string
}

/** As it came in; nothing in it is believed. */
export interface ReceivedCallback {
  readonly method: 'POST' | 'PUT'
  /** What `callbackUrl` was given. */
  readonly tail?: string
  readonly body: string
}

/** What a callback claims about the order whose address it came to. */
export interface CallbackReading {
  /**
   * Of the orders whose messages come to that address: about another it changes nothing. Absent: of both types, where the
   * operator can be asked.
   */
  readonly type?: TransactionType
  /** Absent: it claims no verdict. */
  readonly outcome?: RailOutcome
  /**
   * It says that money moved, also where it says too little for an outcome: about a payout that is FAILED that must not
   * stay quiet.
   */
  readonly claimsPaid?: boolean
  /** Whether the operator can be asked about the order. Then only its answer counts, and the claim is a hint to ask now. */
  readonly mayAsk: boolean
  /** Must be those of the order where they are there, else it changes nothing. */
  readonly orderId?: string
  readonly amount?: Money
  readonly account?: string
  /** Names that are known already must be the same. */
  readonly theirs: RailReferences
  /** Ids of the movement of money. They bind only with a success: failures carry placeholders. */
  readonly receipts?: RailReferences
  /** The operator's id of the query that this answers: believed only if we sent that query about this order. */
  readonly answersQuestion?: string
  /** The operator's result code, where no table says what it means. Reported at once. */
  readonly unmappedCode?: string
}

/**
 * The connection to an operator or bank. Answers come in the order of the questions; one failing order does not fail
 * the others.
 */
export interface Rail {
  /**
   * What an operator claims in a message that came by itself; of simulated operators there are none.
   * @returns undefined for what breaks the operator's contract, or comes by an installation that is removed
   * @throws what keeps us from reading it now
   */
  readCallback?(installation: string, callback: ReceivedCallback): CallbackReading | undefined
  /** Which installation a provider's next order goes to: committed with the order, because it alone may be asked later. */
  installationOf?(providerCode: string): string | undefined
  /**
   * How an order may be named where its payer reads it: one candidate is reserved and committed before the order goes
   * out, as `PAYER_REFERENCE` among its external ids. Absent, also for one order: its payer reads no reference of ours.
   */
  payerReference?(order: PayerReferenceRequest): PayerReferenceChoice | undefined
  /** The same for ever for one route: what it says decides whether an order may go out again. */
  traitsOf(route: RailRoute): RailTraits
  submit(orders: readonly RailOrder[]): Promise<readonly RailAnswer[]>
  ask(orders: readonly RailOrder[]): Promise<readonly RailKnowledge[]>
}
