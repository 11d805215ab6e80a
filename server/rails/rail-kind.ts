import type { Clock } from '../actions/ports/clock.ts'
import type {
  AccountMessage,
  CallbackReading,
  HolderKnowledge,
  PayerReferenceChoice,
  PayerReferenceRequest,
  PaymentQuestion,
  RailAnswer,
  RailBalance,
  RailKnowledge,
  RailOrder,
  RailTraits,
  ReceivedCallback,
  RefundOrder,
  UnrequestedPayment,
} from '../actions/ports/rail.ts'
import type { FailureCode } from '../domain/failure-code.ts'
import type { TransactionType } from '../domain/provider.ts'
import type { Random } from '../domain/references.ts'
import type { StatementLine } from '../domain/statement-line.ts'
import type { Drift } from './drifted-field.ts'
import type { OperatorContract } from './operator-contract.ts'
import { sameAcrossCopies } from './operator-errors.ts'
import type { ProbeList } from './probe.ts'

export type {
  CallbackReading,
  HolderKnowledge,
  RailBalance,
  ReceivedCallback,
  RefundOrder,
} from '../actions/ports/rail.ts'
export type { StatementLine } from '../domain/statement-line.ts'

/**
 * A rail kind, for example MTN MoMo: a folder here, a contract in openapi/operators and a line in `registry.ts`. A
 * company may have several rail accounts of it, one per country, product or set of credentials.
 */
export interface RailKind {
  /** The name of the folder, of the contract and in `malipo rail add`: `mtn-momo`. */
  readonly name: string
  /** The display name. */
  readonly title: string
  readonly types: readonly TransactionType[]
  /** The settings that a rail account requires for each transaction type; an absent type requires none. */
  readonly needs?: Readonly<Partial<Record<TransactionType, readonly string[]>>>
  /** Known hosts that move real money: only live mode accepts them. */
  readonly productionHosts?: readonly string[]
  /** Hosts of the operator's own sandbox: live mode never counts its payments as real ones. */
  readonly sandboxHosts?: readonly string[]
  /**
   * It moves only whole multiples of this, in minor units: an amount plus its charge is rounded up to one. Absent: it
   * moves every amount that the currency has.
   */
  readonly amountStepMinor?: bigint
  /** The operator reports the balance that payouts are paid from (`isFloat`). Absent: payouts go out without it. */
  readonly hasFloat?: true
  /**
   * The last path segments of its callback URLs, `''` for a URL without one: messages at any other are rejected.
   * `callbackUrl` gets one of them, and `readCallback` reads the message that comes there.
   */
  readonly callbackTails: readonly string[]
  /**
   * The same for the addresses of the rail account itself, for an operator with one callback URL per application or
   * short code. Absent: it has none.
   */
  readonly accountTails?: readonly string[]
  /** The last path segment where the operator asks whether a payment without an order is welcome, before it is made. */
  readonly paymentQuestionTail?: string
  /** Absent: the contract of its name in openapi/operators. */
  readonly contract?: OperatorContract
  /** In addition to those of every rail account (`COMMON_SETTINGS`), in the order of the prompts. */
  readonly settings: Readonly<Record<string, RailSetting>>
  /** The known format of the operator's statements; absent: unknown, so that the settings define all of it. */
  readonly statement?: StatementForm
  /** The providers of the sandbox that it serves where the sandbox has real rails, to its operator's simulator. */
  readonly sandbox?: readonly SandboxRailAccount[]
  /** @throws SettingFault for a combination of values that cannot be used */
  connect(settings: SettingValues, world: RailWorld): Adapter
}

/** A rail account of the sandbox. */
export interface SandboxRailAccount {
  /** Without the words that operators reject in URLs. */
  readonly name: string
  readonly provider: string
  readonly currency: string
  /** Its own settings, besides those from the simulator and the common ones. */
  readonly settings: SettingValues
}

/** The names in an operator's statements. */
export interface StatementForm {
  /** Overrides of the defaults of `STATEMENT_SETTINGS`. */
  readonly defaults: SettingValues
  /** The name of a line's reference among the external ids of its order. */
  receiptName(type: TransactionType): string
  /** What a line carries instead of our order id, if not the order id. */
  readonly ourReference?: {
    /** Its name among the external ids of an order. */
    readonly name: string
    of(orderId: string): string
  }
}

/** A setting of a rail account. Secrets are encrypted at rest and never shown again. */
export interface RailSetting {
  /** Completes the sentence "It is …", for prompts and the docs. */
  readonly meaning: string
  readonly secret?: true
  /** Absent: the setting is required. */
  readonly default?: string
  /**
   * The setting determines the account that orders go out from, or the operator's environment. It must not change
   * while an order is open: the order would be looked up where it never was, and go out a second time. `once_set`:
   * only an unset value may change.
   */
  readonly fixed?: 'while_open' | 'once_set'
  /** The setting may be unset. */
  readonly optional?: true
  /** @returns what is wrong with the value, as text after its name: "must be …" */
  fault?(value: string): string | undefined
}

/** By name; a setting that is unset and has no default is absent. */
export type SettingValues = Readonly<Record<string, string>>

/** Invalid settings of a rail account. The message is for its owner and repeats no secret. */
export class SettingFault extends Error {
  override readonly name = 'SettingFault'
}
sameAcrossCopies(SettingFault, 'SettingFault')

/** The only access that an adapter has to the outside. */
export interface RailWorld {
  readonly clock: Clock
  readonly random: Random
  /** ISO 4217: the currency of all orders of this rail account. */
  readonly currency: string
  /** That of the kind: callbacks are read by it. */
  readonly contract: OperatorContract
  /**
   * Calls go only to the rail account's hosts, within its rate limits and timeouts, and each exchange is recorded for
   * support.
   * @returns a `fetch` for openapi-fetch, which throws only NotSent or NoAnswer (`operator-errors.ts`)
   */
  fetchFor(about: ExchangeAbout): (request: Request) => Promise<Response>
  /**
   * The callback URL of an order, to which the operator may report its result.
   * @param tail one of `callbackTails`, which comes back with the callback, for an operator that takes several URLs
   * @returns undefined when this gateway has no address that the operator could reach
   */
  callbackUrl(orderId: string, tail?: string): string | undefined
  /** An address of the rail account itself, which its owner registers with the operator. @param tail one of `accountTails` */
  accountUrl(tail: string): string | undefined
  /** The rail account's own meanings of the operator's failure codes: they name a failure, and never make one. */
  readonly failureCodes: ReadonlyMap<string, FailureCode>
  /** See `SharedTokens`. Absent: this process is the only one. */
  readonly sharedTokens?: SharedTokens
  /**
   * Counts where a message differs from the operator's contract. Differences in replies are counted without it.
   * @param source the callback's name in the contract
   */
  onDrift?(source: string, drift: readonly Drift[]): void
}

/**
 * The current token of a rail account, shared by all processes: for operators where a new token ends the previous one.
 * One process at a time fetches a new one, and the others wait for it.
 */
export interface SharedTokens {
  /**
   * @param product what the token is for, where a rail account has several
   * @param ended the token that this process knows, to be replaced; absent: none
   * @returns the token of all processes, once it is another one and has not ended
   * @throws what `fetch` throws; NotSent when another process does not get one in time
   */
  renew(product: string, ended: string | undefined, fetch: () => Promise<SharedToken>): Promise<SharedToken>
}

export interface SharedToken {
  readonly token: string
  /** Before the request: nobody knows when exactly its lifetime began. */
  readonly fetchedAt: Date
  readonly endsAt: Date
}

/** The purpose of a call: rate limits are per purpose, and the record of exchanges shows it and the order. */
export interface ExchangeAbout {
  readonly purpose: 'token' | 'submit' | 'ask' | 'statement' | 'check' | 'provision'
  readonly orderId?: string
}

/**
 * Adapts an operator's API to the port: one order at a time, stateless. Batches, rate limits, the circuit breaker, the
 * record and the storing of external ids are in the wrapper (`installed-rail.ts`).
 */
export interface Adapter {
  traitsOf(type: TransactionType): RailTraits
  /** See `Rail.payerReference`. Absent: this operator shows payers no reference of ours. */
  payerReference?(order: PayerReferenceRequest): PayerReferenceChoice | undefined
  submit(order: RailOrder): Promise<RailAnswer>
  query(order: RailOrder): Promise<RailKnowledge>
  /** @returns undefined for a message that breaks the operator's contract: it is counted, and changes nothing */
  readCallback(callback: ReceivedCallback): CallbackReading | undefined
  /**
   * Reads a message at one of `accountTails`. If it is about an order, `readCallback` reads the same message too.
   * @returns undefined as `readCallback` does
   */
  readMessage?(message: ReceivedCallback): AccountMessage | undefined
  /**
   * Queries a payment that `readMessage` read, by its receipt. Absent: it is looked for in `statement`.
   * @returns the payment as the operator has booked it; undefined when it does not say so, or not yet
   */
  queryPayment?(claim: UnrequestedPayment): Promise<UnrequestedPayment | undefined>
  /** Reads what came to `paymentQuestionTail`. @returns undefined for anything else */
  readPaymentQuestion?(message: ReceivedCallback): PaymentQuestion | undefined
  /** The balances of our accounts at the operator, if a call returns them. */
  balances(): Promise<readonly RailBalance[]>
  /** Asks for them where the operator answers by a message. @returns its id of the question. @throws as `balances` */
  askBalances?(): Promise<string>
  /** Checks credentials, balance and, if given, an account, in the order of their dependencies. */
  check(probe: { readonly account?: string }): Promise<readonly CheckRow[]>
  /** The calls of `malipo rail probe`. @param about an account that the operator knows. Absent: there are none */
  probes?(about: { readonly account?: string }): ProbeList
  /**
   * The operator's bookings in a period, to find payments that nothing else finds, page by page. Absent: it has no such
   * call.
   */
  statement?(from: Date, to: Date): AsyncIterable<StatementLine>
  /** Refunds a collection. This and the next are present where `traitsOf('COLLECTION')` has `refund`. */
  refund?(refund: RefundOrder): Promise<RailAnswer>
  queryRefund?(refund: RefundOrder): Promise<RailKnowledge>
  /** Whether an account could pay or be paid now, and its holder's name if the operator returns it. */
  holder?(account: string): Promise<HolderKnowledge>
}

export interface CheckRow {
  readonly what: string
  readonly ok: boolean
  /** Contains the operator's text if the check fails. */
  readonly detail: string
}
