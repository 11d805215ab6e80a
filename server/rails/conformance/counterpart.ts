import type { FailureCode } from '../../domain/failure-code.ts'
import type { Currency, Money } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { RailReferences } from '../../actions/ports/rail.ts'
import type { RailKind, SettingValues } from '../rail-kind.ts'
import type { OperatorRequest, WholeAnswer } from '../testing/scripted-operator.ts'

/**
 * What not every operator has. A rule names those that it needs, a counterpart those that it lacks, each with the reason
 * that the table prints.
 *
 * - `wire`: it is called over HTTP
 * - `idempotency`: it knows an order again by our id
 * - `query`: asked about an order, it answers at once
 * - `not_found`: it says so when it does not know an order
 * - `callbacks`: it tells results by itself
 * - `names`: it gives each order names of its own, in answer to it
 * - `decimals`: it moves every amount that a currency has, cents too
 * - `timestamps`: its requests carry their time
 * - `refusals`: it documents answers after which nothing will move
 * - `result_codes`: its messages say by codes why an order failed, and it documents which codes there are
 * - `late_answers`: it answers queries about an order by messages
 */
export type Feature =
  | 'wire'
  | 'idempotency'
  | 'query'
  | 'not_found'
  | 'callbacks'
  | 'names'
  | 'decimals'
  | 'timestamps'
  | 'refusals'
  | 'result_codes'
  | 'late_answers'

/**
 * An operator as the kit plays it for one direction of one kind of rail: its routes and its words, no behaviour. When it
 * accepts, loses, lies or repeats itself, `hostile-operator.ts` decides. All that a new rail writes for the kit.
 */
export interface Counterpart {
  /** The column of the table. */
  readonly name: string
  readonly kind: RailKind
  readonly type: TransactionType
  /** A provider of the sandbox with this currency, whose numbers `account` makes. */
  readonly providerCode: string
  readonly currency: Currency
  /** Credentials and whatever else has no default; `base_url` is the kit's. */
  readonly settings: SettingValues
  readonly lacks: Readonly<Partial<Record<Feature, string>>>
  /** @returns an account number that no other `n` has */
  account(n: number): string
  /** Amounts that must arrive as they are, the usual one first. */
  readonly amounts: readonly Money[]
  /** Absent where it lacks `decimals`: an installation in a currency with two decimals, and amounts that have some. */
  readonly decimals?: Pick<Counterpart, 'currency' | 'amounts'>
  /** Amounts that the operator has no word for: nothing of them may go out. */
  readonly unsendable: readonly Money[]
  /** The operator documents that no question should come sooner after an order. */
  readonly askAfterMsMin: number
  readonly words: Words
}

/** What the operator reads in an order. */
export interface ReadOrder {
  /** Our id, as it came. */
  readonly orderId: string
  readonly account: string
  readonly amount: Money
  /** Where the result is to be told. */
  readonly callbackUrl?: string
  /** What the customer, or anybody at the operator, can read. */
  readonly texts: readonly string[]
  /** The time that the request says it was made at. */
  readonly at?: Date
}

/** `strange`: a state that nobody documents. */
export type Verdict = 'pending' | 'paid' | 'failed' | 'strange'

/** An order in the operator's book. */
export interface BookedOrder extends ReadOrder {
  /** From 1, in the order of arrival: names that the operator makes come from it. */
  readonly number: number
  verdict: Verdict
}

/** What an answer or a callback says otherwise than the truth. */
export interface Lie {
  readonly orderId?: string
  readonly amount?: Money
  /** The same digits, of another currency. */
  readonly currency?: Currency
  readonly account?: string
  readonly names?: RailReferences
}

/** Makes another body of one; both are JSON. */
export type Change = (body: unknown) => unknown

/** Other fields in the object at a path; undefined takes one out. */
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
  /** Documented: nothing was moved. */
  readonly failed: readonly string[]
  /** No page has them. */
  readonly undocumented: readonly string[]
  /** The body of a message with such a code. */
  body(order: BookedOrder, code: string): unknown
}

export interface LateAnswers {
  /** The word at the end of the address that they go to. */
  readonly tail: string
  /** The operator's id of the query, as its reply gives it. */
  question(order: BookedOrder): string
  /** The body of such a message. */
  body(order: BookedOrder, verdict: 'paid' | 'failed', said: AnsweredQuestion): unknown
}

/** What a late answer names; absent: it does not name it. */
export interface AnsweredQuestion {
  readonly question?: string
  readonly orderId?: string
}

/** How the operator says things. */
export interface Words {
  readonly routes: { readonly token: string; readonly submit: string; readonly ask: string }
  token(token: string, lifeSeconds: number): WholeAnswer
  /** Each way to say that a token is not good. */
  readonly tokenRefused: readonly WholeAnswer[]
  read(request: OperatorRequest): ReadOrder
  accepted(order: BookedOrder): WholeAnswer
  /** Said of an order whose id it has already; absent: it does not know it again, and takes it as another. */
  duplicate?(order: BookedOrder): WholeAnswer
  /** Documented: after these nothing moves. */
  readonly refusals: readonly Refusal[]
  /** Answers to an order that say nothing of money, by what they are. */
  readonly unclear: Readonly<Record<string, WholeAnswer>>
  /** An error whose free text says this. */
  saying(text: string): WholeAnswer
  /** Whether a question is about this order. */
  isAbout(question: OperatorRequest, order: BookedOrder): boolean
  /** The answer to a question. */
  told(order: BookedOrder, verdict: Verdict, lie: Lie): WholeAnswer
  /** The answer to a question about what it does not have. */
  readonly unknown: WholeAnswer
  /** What answers carry of the order beside its verdict; the other two likewise. */
  readonly toldWith: readonly (keyof Lie)[]
  /** Answers to a question that say nothing of money. */
  readonly untold: Readonly<Record<string, WholeAnswer>>
  /** Other shapes of a body that decide nothing, by what they are: of answers to questions, and of messages. */
  readonly oddAnswers: Readonly<Record<string, Change>>
  readonly oddMessages: Readonly<Record<string, Change>>
  /** What it gives as names of its own when it accepts. */
  names(order: BookedOrder): RailReferences
  /** A message of its own about an order, to the address that came with it. */
  callback(order: BookedOrder, verdict: Verdict, lie: Lie): { readonly method: 'POST' | 'PUT'; readonly body: unknown }
  readonly callbackWith: readonly (keyof Lie)[]
  /** Absent where it lacks `result_codes`. */
  readonly resultCodes?: ResultCodes
  /** Absent where it lacks `late_answers`. */
  readonly lateAnswers?: LateAnswers
  /** Fields of requests that are made from a secret. */
  readonly secretFields: readonly string[]
}
