import type { ReceiverRule } from './blocked-receivers.ts'
import type { AcceptOrder, Decision, Order, Plan, Verdict } from './world/order.ts'
import type { NumberWords } from './scenarios/number-words.ts'
import type { Booking } from './world/statement.ts'
import type { OperatorState } from './world/world.ts'

/** One request that fits the contract, and whom it is about. */
export interface Call<Body = unknown> {
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** The customer's number that the request names, if it names one: scenarios may be about it. */
  readonly msisdn: string | undefined
  /** Takes an order into the book, with what scenarios say about it. */
  readonly accept: AcceptOrder
  /** Whether a scenario wants one of the operator's own oddities in this call: its value, `true` where it has none. */
  readonly quirk: (name: string) => string | number | boolean | undefined
}

/** What goes back. `body` is JSON unless `contentType` says otherwise; without one, `Content-Length: 0`. */
export interface OperatorReply {
  readonly status: number
  readonly body?: unknown
  readonly contentType?: string
  /** Beside 405: the methods that the path has (RFC 9110, section 15.5.6). */
  readonly allow?: readonly string[]
}

type JsonBody<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : undefined

/** One handler per `operationId` of the generated types. */
export type Handlers<Operations> = {
  readonly [Id in keyof Operations]: (call: Call<JsonBody<Operations[Id]>>) => OperatorReply | Promise<OperatorReply>
}

/** The same, when it does not matter which. */
export type AnyHandlers = Readonly<Record<string, (call: Call<never>) => OperatorReply | Promise<OperatorReply>>>

/** Why the base refuses a request itself, before a handler has seen it. `fault` is for the log and for people. */
export type Problem =
  | { readonly problem: 'no_such_path' | 'wrong_method' | 'length_required' }
  | { readonly problem: 'invalid'; readonly operation: string; readonly fault: string }
  | { readonly problem: 'unauthorized'; readonly operation: string; readonly scheme: string }

/** A callback of the operator: which operations of the contract it may be, and how it says it. */
export interface CallbackText {
  /** By the methods that the contract has for it; the first is what the operator does. */
  readonly operations: Readonly<Partial<Record<'PUT' | 'POST', string>>>
  readonly url: string
  readonly body: object
}

/** What whoever starts a simulator may choose; each operator has its own defaults. */
export interface OperatorOptions {
  readonly currency?: string
  /** MTN: the value of `X-Target-Environment` that it answers to. */
  readonly environment?: string
  /** MTN: where callbacks of the credentials that work from the start may go. */
  readonly callbackHost?: string
  /** MTN: receivers of callbacks that are slow or fail are tried again, and then blocked. */
  readonly blocksReceivers?: boolean
  /** MTN: several environments at one address, each with its currency, instead of the one. */
  readonly countries?: Readonly<Record<string, string>>
  /** What every account of the merchant's holds at the start, in main units. */
  readonly openingBalance?: string
}

export interface PrintedValue {
  readonly name: string
  readonly value: string
}

/** What one operator is, beside its contract: everything else is the base's. */
export interface Operator {
  readonly name: string
  readonly title: string
  /** The bundle below generated/operators/. */
  readonly document: object
  /** How long a customer has to approve, in milliseconds. */
  readonly windowMs: number
  /** Fields and headers (lower case) that the log shows no more than the beginning of, in JSON bodies at any depth. */
  readonly secrets: readonly string[]
  readonly currency: string
  /** Own accounts with what they hold at the start, in main units. */
  readonly accounts: Readonly<Record<string, string>>

  /** @param send for callbacks that are about no order's verdict */
  open(world: OperatorState, send: (callback: CallbackText) => void): OpenOperator
  /** What it does oddly when a scenario asks for it (`quirk`), with a sentence for each. */
  readonly quirks: Readonly<Record<string, string>>

  /** Refuses in the operator's own form. */
  problem(problem: Problem): OperatorReply
  /** For scenarios: a refusal with a code of the operator's. `status` where the scenario names one. */
  refusal(code: string, status?: number, message?: string): OperatorReply

  /** What an order becomes by what the customer did at the phone; undefined when it goes on waiting. */
  decided(order: Order, decision: Decision): Verdict | undefined
  /** What a number does by itself, without anybody at the phone. */
  planOf(order: Order): Plan | undefined
  /** What is checked when money is to be moved: the code of the failure when the account that pays has too little. */
  readonly codeWithoutFunds: string
  /** The operator's own number of a movement of money, which nobody else has. */
  receipt(sequence: number): string
  /** What the operator tells about an order now; empty when the order asked for none. */
  callbacksOf(order: Order): readonly CallbackText[]
  /** Absent: each callback is sent once. */
  readonly receivers?: ReceiverRule
  /** How it puts what Malipo's test numbers ask for. */
  readonly malipoNumbers: NumberWords
  /** What the phone shows: the operator's words. */
  prompt(order: Order): { readonly title: string; readonly text: string }
  message(order: Order): string

  readonly statement: {
    readonly columns: readonly string[]
    /** One for each line of it; more where the operator writes a charge by itself. */
    rows(booking: Booking): readonly (readonly string[])[]
  }
}

/** One that runs: its API users, tokens and whatever else it keeps live in here. */
export interface OpenOperator {
  readonly handlers: AnyHandlers
  /** Whether the credentials of a request are good, by the names of the contract's security schemes. */
  readonly credentials: Readonly<Record<string, (headers: Call['headers'], operation: string) => boolean>>
  /** The customer's number that a request is about, in its body, its path, or in the order that it names. */
  msisdnOf(request: Pick<Call, 'operation' | 'params' | 'body'>): string | undefined
  /** What the operator hands out beside its API, as texts by their names below `/simulator/files/`. */
  readonly files?: Readonly<Record<string, string>>
  /** Credentials that work from the start, to be printed. */
  readonly printed: readonly PrintedValue[]
  /** The settings of `malipo rail add` beside address and currency, in the gateway's words. */
  readonly railSettings: Readonly<Record<string, string>>
  /** Where it serves several currencies: what differs for each of them. */
  readonly countries?: readonly { readonly currency: string; readonly settings: Readonly<Record<string, string>> }[]
}
