import type { ReceiverRule } from './blocked-receivers.ts'
import type { AcceptOrder, Decision, NewOrder, Order, Plan, Verdict } from './world/order.ts'
import type { NumberWords } from './scenarios/number-words.ts'
import type { Booking } from './world/statement.ts'
import type { OperatorState } from './world/world.ts'

/** One request that fits the contract, and its customer. */
export interface Call<Body = unknown> {
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** The body as it came. */
  readonly text?: string
  /** The customer's number in the request, if there is one: scenarios may be about it. */
  readonly msisdn: string | undefined
  /** Adds an order to the book, with the effects of scenarios. */
  readonly accept: AcceptOrder
  /** The value of the operator's quirk that a scenario wants in this call, `true` if it has none. */
  readonly quirk: (name: string) => string | number | boolean | undefined
}

/** The reply. `body` is JSON unless `contentType` says otherwise; without one, `Content-Length: 0`. */
export interface OperatorReply {
  readonly status: number
  readonly body?: unknown
  readonly contentType?: string
  /** With 405: the methods of the path (RFC 9110, section 15.5.6). */
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

/** The same for any operation. */
type AnyHandlers = Readonly<Record<string, (call: Call<never>) => OperatorReply | Promise<OperatorReply>>>

/** Why the base refuses a request before it reaches a handler. `fault` is for the log and for people. */
export type Problem =
  | { readonly problem: 'no_such_path' | 'wrong_method' | 'length_required' }
  | { readonly problem: 'invalid'; readonly operation: string; readonly fault: string }
  | { readonly problem: 'unauthorized'; readonly operation: string; readonly scheme: string }

/** A callback of the operator: its possible operations in the contract, and its body. */
export interface CallbackText {
  /** By the methods that the contract has for it; the operator uses the first. */
  readonly operations: Readonly<Partial<Record<'PUT' | 'POST', string>>>
  readonly url: string
  readonly body: object
}

/** Messages that are about no order's verdict. */
export interface MessagesToMerchant {
  /** Now. */
  send(text: CallbackText): void
  /** @returns the answer; undefined without one */
  ask(text: CallbackText): Promise<unknown>
}

/** What a customer enters at the phone to pay without being asked. */
export interface CustomerPayment {
  /** One of `Operator.accounts`. */
  readonly account: string
  readonly msisdn: string
  readonly amount: string
  readonly reference: string
}

/** Payments without an order of the merchant's. */
export interface UnrequestedPayments {
  orderOf(payment: CustomerPayment): NewOrder
  /** The question to the merchant before it; absent: the operator asks none. */
  questionOf?(order: NewOrder, at: Date): CallbackText | undefined
  /** Whether the payment goes on. Absent: it does. @param answer undefined when none came */
  isWelcome?(answer: unknown, order: NewOrder): boolean
}

/** Options of whoever starts a simulator; each operator has its own defaults. */
export interface OperatorOptions {
  readonly currency?: string
  /** The value of `X-Target-Environment` that MTN accepts, or the country of the application. */
  readonly environment?: string
  /** MTN: the callback host of the built-in credentials. */
  readonly callbackHost?: string
  /** MTN: callbacks to slow or failing receivers are retried, and then the receiver is blocked. */
  readonly blocksReceivers?: boolean
  /** Several environments or countries at one address, each with its currency, instead of one. */
  readonly countries?: Readonly<Record<string, string>>
  /** The opening balance of every account of the merchant, in main units. */
  readonly openingBalance?: string
  /** The callback URL of the application, where an operator has one, or by its countries, read when it is needed. */
  readonly callbackUrl?: string | ((country: string) => string | undefined)
  /** Messages have to be signed, where an operator has signatures. */
  readonly isSigned?: boolean
  /** Callbacks carry a hash, where an operator has one. */
  readonly hashesCallbacks?: boolean
  /** How PINs are padded, where an operator takes one. */
  readonly pinPadding?: 'pkcs1' | 'oaep'
}

interface PrintedValue {
  readonly name: string
  readonly value: string
}

/** The definition of one operator, besides its contract: everything else is in the base. */
export interface Operator {
  readonly name: string
  readonly title: string
  /** The bundle below generated/operators/. */
  readonly document: object
  /** How long a customer has to approve, in milliseconds. */
  readonly windowMs: number
  /** Fields and headers (lower case) of which the log shows only the beginning, in JSON bodies at any depth. */
  readonly secrets: readonly string[]
  readonly currency: string
  /** The merchant's accounts with their opening balances, in main units. */
  readonly accounts: Readonly<Record<string, string>>

  open(world: OperatorState, callbacks: MessagesToMerchant): OpenOperator
  /** Its odd behaviours that a scenario can request (`quirk`), with a sentence for each. */
  readonly quirks: Readonly<Record<string, string>>

  /** Refuses in the operator's own form. */
  problem(problem: Problem): OperatorReply
  /** For scenarios: a refusal with a code of the operator's. `status` where the scenario names one. */
  refusal(code: string, status?: number, message?: string): OperatorReply

  /** The verdict for the customer's action at the phone; undefined when the order keeps waiting. */
  decided(order: Order, decision: Decision): Verdict | undefined
  /** The built-in outcome of a number, without anybody at the phone. */
  planOf(order: Order): Plan | undefined
  /** The check before money moves: the failure code when the paying account has too little. */
  readonly codeWithoutFunds: string
  /** The operator's unique number of a movement of money. */
  receipt(sequence: number): string
  /** The operator's current message about an order; empty when the order requested none. */
  callbacksOf(order: Order): readonly CallbackText[]
  /** Absent: each callback is sent once. */
  readonly receivers?: ReceiverRule
  /** How it plays Malipo's test numbers. */
  readonly malipoNumbers: NumberWords
  /** What the phone shows: the operator's words. */
  prompt(order: Order): { readonly title: string; readonly text: string }
  message(order: Order): string

  readonly statement: {
    readonly columns: readonly string[]
    /** One per movement; more where the operator writes a charge separately. */
    rows(booking: Booking): readonly (readonly (string | number)[])[]
  }
}

/** A running one: its API users, tokens and all other state live in here. */
export interface OpenOperator {
  readonly handlers: AnyHandlers
  /** Whether the credentials of a request are valid, by the names of the contract's security schemes. */
  readonly credentials: Readonly<Record<string, (headers: Call['headers'], operation: string) => boolean>>
  /** The customer's number of a request: in its body, its path, or the order that it names. */
  msisdnOf(request: Pick<Call, 'operation' | 'params' | 'body'>): string | undefined
  readonly unrequested: UnrequestedPayments
  /** For operators with one callback URL per application: sets it, as its owner does in the operator's portal. */
  setCallbackUrl?(url: string, country?: string): void
  /** Files that the operator publishes besides its API, as texts by their names below `/simulator/files/`. */
  readonly files?: Readonly<Record<string, string>>
  /** Built-in credentials, to be printed. */
  readonly printed: readonly PrintedValue[]
  /** The settings of `malipo rail add` besides address and currency, by the gateway's names. */
  readonly railSettings: Readonly<Record<string, string>>
  /** With several currencies: the settings that differ for each of them. */
  readonly countries?: readonly { readonly currency: string; readonly settings: Readonly<Record<string, string>> }[]
}
