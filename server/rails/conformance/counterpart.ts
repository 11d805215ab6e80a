import type { FailureCode } from '../../domain/failure-code.ts'
import type { Currency, Money } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { RailReferences, UnrequestedPayment } from '../../actions/ports/rail.ts'
import type { RailKind, SettingValues } from '../rail-kind.ts'
import type { OperatorRequest, WholeAnswer } from '../testing/scripted-operator.ts'

/**
 * Features that not every operator has. A rule names those that it needs, a counterpart those that it lacks, each with
 * the reason that the table prints.
 */
export const FEATURES = {
  wire: 'it is called over HTTP',
  idempotency: 'it recognises a repeated order by our id',
  query: 'it answers a status query at once',
  not_found: 'it says so when it does not know an order',
  callbacks: 'it reports results by callback',
  names: 'it returns its own ids for each order in the reply to it',
  decimals: 'it moves every amount that a currency has, cents too',
  timestamps: 'its requests carry their time',
  refusals: 'it documents replies after which no money moves',
  result_codes: 'its messages say by codes why an order failed, and it documents the codes',
  late_answers: 'it answers status queries by callback',
  polls: 'it takes queries about an order, however it answers them',
  payments: 'merchants order it as a payment',
  refunds: 'it gives a collection back',
  receipts: 'it knows the collection of a refund by an id of its own',
  order_addresses: 'each order has an address of its own for its messages',
  account_address: 'a rail account has one address for the messages about all of its orders',
  amounts: 'its messages carry the amount',
  immediate: 'it may end an order in the answer to it',
  unrequested: 'it reports payments that nobody asked for',
  payment_questions: 'it asks before such a payment',
  one_token: 'a new token ends the previous one',
  late_balances: 'it answers a question about our balances by a message',
  statements: 'it lists its bookings, page by page',
  given_back: 'its payments are given back',
  accepts: 'it takes an order first, and ends it later',
  order_fields: 'its orders carry the amount and our id',
  texts: 'its orders carry a text that somebody reads',
} as const
export type Feature = keyof typeof FEATURES

/**
 * An operator as the kit plays it for one direction of one rail kind: its routes and its wording, no behaviour.
 * `hostile-operator.ts` decides when it accepts, loses, lies or repeats itself. A new rail writes only this for the
 * kit.
 */
export interface Counterpart {
  /** Its column in the table. */
  readonly name: string
  readonly kind: RailKind
  readonly type: TransactionType
  /** A sandbox provider with this currency, whose numbers `account` makes. */
  readonly providerCode: string
  readonly currency: Currency
  /** Its orders go to accounts at this bank of the provider. */
  readonly bankCode?: string
  /** Credentials and every other setting without a default; the kit sets `base_url`. */
  readonly settings: SettingValues
  readonly lacks: Readonly<Partial<Record<Feature, string>>>
  /** @returns an account number that is unique to `n` */
  account(n: number): string
  /** Amounts that must arrive unchanged, the usual one first. */
  readonly amounts: readonly Money[]
  /** A rail account in a currency with two decimals, and amounts that use them. Absent where it lacks `decimals`. */
  readonly decimals?: Pick<Counterpart, 'currency' | 'amounts'>
  /** Amounts that the operator cannot express: no order with one may go out. */
  readonly unsendable: readonly Money[]
  /** The minimum time between an order and its first status query that the operator documents. */
  readonly pollAfterMsMin: number
  /**
   * Its orders are refunds.
   * @returns the collection of the refund to an account number: the operator finds the account by it
   */
  readonly collectionOf?: (account: string) => { readonly orderId: string; readonly externalIds: RailReferences }
  /** The operator's code in its message about a failed order; absent: it has none. */
  readonly failureCode?: string
  readonly words: Words
  /** What it says about refunds of these payments. Absent where it lacks `given_back`. */
  readonly ofRefunds?: Words
}

/** What the operator reads from an order. */
interface ReadOrder {
  /** Our id, as received. */
  readonly orderId: string
  readonly account: string
  readonly amount: Money
  /** The callback URL for the result; absent: its owner has set that of the rail account at the operator. */
  readonly callbackUrl?: string
  /** Texts that the customer, or anybody at the operator, can read. */
  readonly texts: readonly string[]
  /** The time at which the request says it was made. */
  readonly at?: Date
}

/** `strange`: an undocumented state. */
export type Verdict = 'pending' | 'paid' | 'failed' | 'strange'

/** An order in the operator's book. */
export interface BookedOrder extends ReadOrder {
  /** From 1, in the order of arrival: the operator derives its ids from it. */
  readonly number: number
  verdict: Verdict
}

/** The false claim in a reply or a callback. */
export interface Lie {
  readonly orderId?: string
  readonly amount?: Money
  /** The same digits in another currency. */
  readonly currency?: Currency
  readonly account?: string
  readonly names?: RailReferences
}

/** Transforms one JSON body into another. */
export type Change = (body: unknown) => unknown

/** Replaces fields of the object at a path; undefined removes one. */
export const fieldsAt =
  (path: readonly string[], fields: Readonly<Record<string, unknown>>): Change =>
  (body) => {
    const [name, ...rest] = path
    const object = body as Readonly<Record<string, unknown>>
    return name === undefined ? { ...object, ...fields } : { ...object, [name]: fieldsAt(rest, fields)(object[name]) }
  }

export interface Refusal {
  readonly answer: WholeAnswer
  readonly code: FailureCode
}

export interface ResultCodes {
  /** Documented codes that mean that no money moved. */
  readonly failed: readonly string[]
  /** Undocumented codes. */
  readonly undocumented: readonly string[]
  /** The body of a message with such a code. */
  body(order: BookedOrder, code: string): unknown
}

export interface LateAnswers {
  /** The last path segment of the callback address. */
  readonly tail: string
  /** The operator's id of the query, as in its reply. */
  question(order: BookedOrder): string
  /** The body of such a message. */
  body(order: BookedOrder, verdict: 'paid' | 'failed', said: ResolvedQuestion): unknown
}

/** The ids in a late answer; an absent one is not sent. */
export interface ResolvedQuestion {
  readonly question?: string
  readonly orderId?: string
}

/** Messages about money that nobody asked for. */
export interface UnrequestedWords {
  readonly tail: string
  body(payment: Required<UnrequestedPayment>): unknown
  /** Where it is asked whether it has booked one. */
  readonly askedAt: string
  /** Its answer; without a payment it knows none. */
  booked(payment?: Required<UnrequestedPayment>): WholeAnswer
}

export interface PaymentQuestionWords extends Pick<UnrequestedWords, 'tail' | 'body'> {
  /** Whether the payment goes on after this answer. */
  isAccepted(answer: unknown): boolean
}

export interface BalanceWords {
  readonly tail: string
  /** The reply to the question. */
  asked(question: string): WholeAnswer
  body(question: string, available: Money): unknown
}

/** Its bookings, each page by one call. */
export interface StatementWords {
  /** What a rail account needs for them. */
  readonly settings: SettingValues
  readonly route: string
  /** A page with this many bookings, none of which another page has. */
  page(number: number, bookings: number): WholeAnswer
  readonly broken: WholeAnswer
}

/** The operator's replies and messages. */
export interface Words {
  readonly routes: {
    readonly token: string
    readonly submit: string
    readonly ask: string
    readonly balance?: string
  }
  /** Absent where it lacks `one_token`. */
  readonly hasOneToken?: true
  /** The reply to an order that it ends at once; absent where it lacks `immediate`. */
  outcome?(order: BookedOrder, verdict: Verdict, lie: Lie): WholeAnswer
  /** An honest reply to an order has its outcome. */
  readonly endsAtOnce?: true
  /** A failure in that reply is asked about once more before it counts. */
  readonly failureIsAskedAgain?: true
  /** Each absent where it lacks the feature. */
  readonly unrequested?: UnrequestedWords
  readonly paymentQuestion?: PaymentQuestionWords
  readonly balances?: BalanceWords
  readonly statement?: StatementWords
  token(token: string, lifeSeconds: number): WholeAnswer
  /** Each way to reject a token. */
  readonly tokenRefused: readonly WholeAnswer[]
  read(request: OperatorRequest): ReadOrder
  accepted(order: BookedOrder): WholeAnswer
  /**
   * The reply to an order id that it already has; absent: it does not detect duplicates and takes it as a new order.
   */
  duplicate?(order: BookedOrder): WholeAnswer
  /** Documented refusals: after these no money moves. */
  readonly refusals: readonly Refusal[]
  /** Replies to an order that say nothing about money, by description. */
  readonly unclear: Readonly<Record<string, WholeAnswer>>
  /** An error with this free text. */
  withText(text: string): WholeAnswer
  /** Whether a status query is about this order. */
  isAbout(question: OperatorRequest, order: BookedOrder): boolean
  /** The reply to a status query. */
  verdictMessage(order: BookedOrder, verdict: Verdict, lie: Lie): WholeAnswer
  /** The reply to a status query about an unknown order. */
  readonly unknown: WholeAnswer
  /** The fields of the order that replies contain besides the verdict; `callbackWith` lists them for callbacks. */
  readonly lieFields: readonly (keyof Lie)[]
  /** Replies to a status query that say nothing about money. */
  readonly untold: Readonly<Record<string, WholeAnswer>>
  /** Other shapes of a body that change no verdict, by description: of query replies, and of messages. */
  readonly oddAnswers: Readonly<Record<string, Change>>
  readonly oddMessages: Readonly<Record<string, Change>>
  /** The external ids that it returns when it accepts. */
  names(order: BookedOrder): RailReferences
  /** A callback about an order, sent to the callback URL of that order. */
  callback(order: BookedOrder, verdict: Verdict, lie: Lie): { readonly method: 'POST' | 'PUT'; readonly body: unknown }
  readonly callbackWith: readonly (keyof Lie)[]
  /** Absent where it lacks `result_codes`. */
  readonly resultCodes?: ResultCodes
  /** Absent where it lacks `late_answers`. */
  readonly lateAnswers?: LateAnswers
  /** Request fields that are derived from a secret. */
  readonly secretFields: readonly string[]
}
