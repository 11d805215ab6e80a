import type { Clock } from '../actions/ports/clock.ts'
import type {
  CallbackReading,
  PayerReferenceChoice,
  PayerReferenceRequest,
  RailAnswer,
  RailKnowledge,
  RailOrder,
  RailTraits,
  ReceivedCallback,
} from '../actions/ports/rail.ts'
import type { Money } from '../domain/money.ts'
import type { TransactionType } from '../domain/provider.ts'
import type { Random } from '../domain/references.ts'
import type { StatementLine } from '../domain/statement-line.ts'
import type { Drift } from './drift.ts'

export type { CallbackReading, ReceivedCallback } from '../actions/ports/rail.ts'
export type { StatementLine } from '../domain/statement-line.ts'

/**
 * One kind of operator, for example MTN MoMo: a folder here, a contract in openapi/operators and a line in `registry.ts`.
 * A company may have several installations of it, one per country, product or set of credentials.
 */
export interface RailKind {
  /** Names the folder, the contract and what `malipo rail add` takes: `mtn-momo`. */
  readonly name: string
  /** What people call it. */
  readonly title: string
  readonly types: readonly TransactionType[]
  /** The settings without which an installation takes nothing of a type; what is not named takes every one. */
  readonly needs?: Readonly<Partial<Record<TransactionType, readonly string[]>>>
  /** Where real money moves, as far as is known: no mode but live takes these. */
  readonly productionHosts?: readonly string[]
  /** Where the operator's own sandbox is: live mode never takes its payments for real ones. */
  readonly sandboxHosts?: readonly string[]
  /**
   * What it moves is whole multiples of this, in minor units: what a charge on top of an amount gives is rounded up to one.
   * Absent: it moves every amount that the currency has.
   */
  readonly amountStepMinor?: bigint
  /**
   * The words that its addresses end with, `''` for an address without one: at any other nothing is taken. What
   * `callbackUrl` gets is one of them, and `readCallback` reads what comes there.
   */
  readonly callbackTails: readonly string[]
  /** Beside those that every installation has (`COMMON_SETTINGS`), in the order in which they are asked for. */
  readonly settings: Readonly<Record<string, RailSetting>>
  /** What is known of the operator's statements; absent: nothing, so that its settings say all. */
  readonly statement?: StatementForm
  /** @throws SettingFault for values that cannot be used together */
  connect(settings: SettingValues, world: RailWorld): Adapter
}

/** How an operator's statements name things. */
export interface StatementForm {
  /** Of `STATEMENT_SETTINGS`, where they are not the general ones. */
  readonly defaults: SettingValues
  /** What the name of a line is called among the names of its order. */
  receiptName(type: TransactionType): string
  /** What a line carries in the place of our order id, where that is something else. */
  readonly ours?: {
    /** What it is called among the names of an order. */
    readonly name: string
    of(orderId: string): string
  }
}

/** A value that the owner of an installation gives. Secrets are sealed at rest and never shown again. */
export interface RailSetting {
  /** Ends the sentence "It is …", for prompts and the docs. */
  readonly meaning: string
  readonly secret?: true
  /** Absent: it must be given. */
  readonly default?: string
  /**
   * It says in whose name orders go out, or to which of the operator's worlds. While one is open this may not change: it
   * would be looked for where it never was, and go out a second time. `once_set`: only what was not set before may be.
   */
  readonly fixed?: 'while_open' | 'once_set'
  /** May be left out altogether. */
  readonly optional?: true
  /** @returns what is wrong with the value, to follow its name: "must be …" */
  fault?(value: string): string | undefined
}

/** By name; a setting that was left out and has no default is absent. */
export type SettingValues = Readonly<Record<string, string>>

/** What an installation's settings cannot be. The message is for its owner and repeats no secret. */
export class SettingFault extends Error {
  override readonly name = 'SettingFault'
}

/** What an adapter has of the world outside: nothing else. */
export interface RailWorld {
  readonly clock: Clock
  readonly random: Random
  /** ISO 4217: what all orders of this installation are in. */
  readonly currency: string
  /**
   * Calls go to the installation's hosts only, within its limits and times, and each exchange is kept for support.
   * @returns what openapi-fetch takes as `fetch`, which throws NotSent or NoAnswer (`operator-errors.ts`) and nothing else
   */
  fetchFor(about: ExchangeAbout): (request: Request) => Promise<Response>
  /**
   * Where the operator may tell what came of an order. @param tail one word that comes back with the callback, where an
   * operator takes several addresses: of `callbackTails`. @returns undefined when this gateway has no address that the operator could reach
   */
  callbackUrl(orderId: string, tail?: string): string | undefined
  /**
   * Counts where a message differs from the operator's contract. Differences in answers are counted without it.
   * @param source as the contract names the callback
   */
  onDrift?(source: string, drift: readonly Drift[]): void
}

/** What a call is for: limits of rate are per purpose, and the record of exchanges names it and the order. */
export interface ExchangeAbout {
  readonly purpose: 'token' | 'submit' | 'ask' | 'statement' | 'check' | 'provision'
  readonly orderId?: string
}

/**
 * An operator's API in the terms of the port: one order at a time, no memory of orders. Batches, limits of rate, the
 * circuit, the record and the storing of references are around it (`installed-rail.ts`).
 */
export interface Adapter {
  traitsOf(type: TransactionType): RailTraits
  /** See `Rail.payerReference`. Absent: no payer of this operator's reads a reference of ours. */
  payerReference?(order: PayerReferenceRequest): PayerReferenceChoice | undefined
  submit(order: RailOrder): Promise<RailAnswer>
  ask(order: RailOrder): Promise<RailKnowledge>
  /** @returns undefined for what breaks the operator's contract: it is counted, and changes nothing */
  readCallback(callback: ReceivedCallback): CallbackReading | undefined
  /** What our accounts at the operator hold. */
  balances(): Promise<readonly RailBalance[]>
  /** Tries credentials, balance and, where one is given, an account; in the order in which they depend on each other. */
  check(probe: { readonly account?: string }): Promise<readonly CheckRow[]>
  /** What the operator has booked between two times, for what nothing else finds again. Absent: it has no such call. */
  statement?(from: Date, to: Date): Promise<readonly StatementLine[]>
  /** Gives the money of a collection back. This and the next are absent where the operator has no such call. */
  refund?(refund: RefundOrder): Promise<RailAnswer>
  askRefund?(refund: RefundOrder): Promise<RailKnowledge>
  /** Whether an account could pay or be paid now, and whose it is as far as the operator says. */
  holder?(account: string): Promise<HolderKnowledge>
}

/** An order to give back what a collection brought, with an id of its own. */
export interface RefundOrder extends Pick<RailOrder, 'orderId' | 'orderedAt' | 'amount'> {
  /** The order id of the collection. */
  readonly collectionOrderId: string
}

export type HolderKnowledge =
  | { readonly knows: 'active'; readonly name?: string }
  | { readonly knows: 'inactive' }
  | { readonly knows: 'no_account' }
  | { readonly knows: 'unreachable'; readonly error: string }

export interface RailBalance {
  /** What the operator calls the account. */
  readonly account: string
  readonly available: Money
}

export interface CheckRow {
  readonly what: string
  readonly ok: boolean
  /** In the operator's words where it fails. */
  readonly detail: string
}
