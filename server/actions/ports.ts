import type { AccountUse, AccountUseKind, BoundedUse } from '../domain/account-bounds.ts'
import type { CallbackEvent, NextStep } from '../domain/callback.ts'
import type { ExchangeRate } from '../domain/exchange.ts'
import type { AccountKey, AccountKind, Transfer } from '../domain/ledger.ts'
import type { CallbackSecrets, Merchant } from '../domain/merchant.ts'
import type { Currency, Money } from '../domain/money.ts'
import type { PaymentSession } from '../domain/payment-session.ts'
import type { Bank, PaymentOption, TransactionType } from '../domain/provider.ts'
import type { Random } from '../domain/references.ts'
import type { RailOutcome, Transaction } from '../domain/transaction.ts'

// What the actions need from outside, in their words. storage, rails and callbacks implement it; tests may too.

/**
 * The database did not answer or ended the connection: the caller may try again; nothing is said about what was
 * committed.
 */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause })
    this.name = 'StorageUnavailable'
  }
}

/** A wallet does not hold what was to be taken from it; nothing was booked. */
export class WalletTooLow extends Error {
  constructor(cause: unknown) {
    super('the wallet does not hold that much', { cause })
    this.name = 'WalletTooLow'
  }
}

export interface Clock {
  now(): Date
}

/** Merchants, providers, banks and rates: answered from memory, at most a second behind the database. */
export interface ReferenceData {
  merchantByPublicKey(publicKey: string): Merchant | undefined
  merchantById(id: bigint): Merchant | undefined
  option(providerCode: string, type: TransactionType): PaymentOption | undefined
  options(currency: Currency, type: TransactionType): readonly PaymentOption[]
  banks(providerCode: string): readonly Bank[]
  rate(from: Currency, to: Currency): ExchangeRate | undefined
  callbackSecrets(merchantId: bigint): CallbackSecrets
  /** The RSA key that signs now. */
  rsaSigningKey(): RsaSigningKey
}

export interface RsaSigningKey {
  /** Goes with every signature: receivers fetch the public half by it. */
  readonly id: string
  /** PKCS#8. */
  readonly privatePem: string
}

/** Idempotency-Key of a request with a digest of what was asked; the same key may only come with the same digest. */
export interface IdempotencyClaim {
  readonly merchantId: bigint
  /** Of one operation: the same header sent to another operation is another key. */
  readonly key: string
  readonly digest: Uint8Array
}

/** What an acceptance gave the merchant, and what a replay gives again. */
export interface Accepted {
  readonly internalReference: string
  readonly merchantReference: string
  /** Whether the customer has something to do on the payment page: the reply then carries its address. */
  readonly onPaymentPage: boolean
}

/**
 * The stored first answer of an Idempotency-Key: of a request that was carried out. One that was refused before that
 * leaves its key free.
 */
export type FirstOutcome = AcceptedOutcome | TriedOutcome

export interface AcceptedOutcome {
  readonly result: 'accepted'
  readonly accepted: Accepted
}

/** A wrong one-time password: refused, and yet it has used up a try. */
export interface TriedOutcome {
  readonly result: 'refused'
  readonly code: 'invalid_otp'
}

/** Makes one-time passwords and sends them to the customer's phone. */
export interface OneTimePasswords {
  /**
   * The password of a collection's n-th send: six digits that do not start with 0. Always the same for the same send,
   * so that it need be kept nowhere, and a send that is repeated after a crash carries what the first one did. The
   * sandbox always gives the documented one.
   */
  issue(internalReference: string, send: number): number
  /** Keyed digest: what is stored instead of the password. */
  digest(internalReference: string, otp: number): Uint8Array
  /**
   * Within seconds. Rejects when the message service did not say that it took the password: perhaps it did all the
   * same.
   */
  send(account: string, otp: number): Promise<void>
}

/** The two signatures of a redirect and of a callback's legacy headers. */
export interface LegacySigner {
  sign(
    merchantId: bigint,
    text: string,
  ): Promise<{ readonly hmacSignature: string; readonly rsaSignature: string; readonly rsaKeyId: string }>
}

export interface IdempotencyStore {
  find(
    claim: IdempotencyClaim,
    since: Date,
  ): Promise<{ readonly digest: Uint8Array; readonly outcome: FirstOutcome } | undefined>
}

export interface NewTransaction extends Omit<Transaction, 'id'> {
  readonly description: string
  readonly customerEmail?: string
  readonly redirectUrl?: string
  /** Absent when it does not count toward the daily limit yet: a payment page claims it when its customer confirms. */
  readonly dailyLimitMinor?: bigint
  /** What it takes of its account number's bounds, if there is room. */
  readonly uses?: readonly BoundedUse[]
  /** The first thing to do after acceptance, and when; it commits together with the transaction. */
  readonly firstWork: { readonly kind: WorkKind; readonly dueAt: Date }
  /** What there is to do besides. */
  readonly furtherWork?: { readonly kind: WorkKind; readonly dueAt: Date }
  /** Absent when the customer has nothing to do but approve on the phone. */
  readonly session?: Omit<PaymentSession, 'transactionId'>
  readonly idempotency?: IdempotencyClaim
}

export type AcceptResult =
  'accepted' | 'duplicate_reference' | 'daily_limit_exceeded' | 'idempotency_key_taken' | BoundReached

/** The account number has no room for another of this kind. */
export type BoundReached = `${AccountUseKind}_bound_reached`

export interface Acceptance {
  /**
   * Commits the transaction with its first work, or says why not. Many at once share one commit; none disturbs another.
   */
  accept(transaction: NewTransaction): Promise<AcceptResult>
}

export interface Wallet {
  readonly type: 'MERCHANT_COLLECTION' | 'MERCHANT_PAYOUT'
  readonly currency: Currency
  readonly availableMinor: bigint
  readonly unclearedMinor: bigint
  readonly reserveMinor: bigint
}

/** A collection as its customer meets it. */
export interface Payment {
  readonly transaction: Transaction
  readonly session?: PaymentSession
  readonly description: string
  readonly redirectUrl?: string
}

/** Questions that need no transaction of the database. */
export interface Lookups {
  transactionByMerchantReference(merchantId: bigint, merchantReference: string): Promise<Transaction | undefined>
  payment(internalReference: string): Promise<Payment | undefined>
  wallets(merchantId: bigint, currency: Currency | undefined): Promise<readonly Wallet[]>
}

export type WorkKind =
  | 'verifyPayout'
  | 'holdFunds'
  | 'submitToRail'
  | 'askRail'
  | 'deliverCallback'
  | 'expirePage'
  | 'sendOtp'
  | 'clearFunds'
  | 'releaseReserve'

/**
 * A piece of work claimed for a limited time. Whoever writes on the strength of it names its id, its kind and the token
 * of the claim: no two claims ever have the same, so a worker that was paused beyond its lease finds nothing of its own
 * any more, whatever became of the row since.
 */
export interface WorkItem {
  readonly id: bigint
  readonly kind: WorkKind
  readonly subjectId: bigint
  /** How often work of this kind was claimed for this subject, from 1: for waits that grow. */
  readonly attempt: number
  readonly token: string
  /** How often it was put aside because running it failed. */
  readonly failures: number
}

/** What somebody claims work with. */
export interface Claim {
  /** Made anew for every claim, before it is sent: a claim whose answer is lost can still be given back. */
  readonly token: string
  readonly now: Date
  /** Nobody else gets the items before then. */
  readonly leaseUntil: Date
}

export interface NewWork {
  readonly kind: WorkKind
  readonly subjectId: bigint
  readonly dueAt: Date
}

export interface TransactionEvent {
  readonly transactionId: bigint
  readonly kind: string
  readonly detail: string
}

export interface NewCallback {
  readonly webhookId: string
  readonly transactionId: bigint
  readonly merchantId: bigint
  readonly event: CallbackEvent
  readonly url: string
  readonly body: string
}

export interface Callback extends NewCallback {
  readonly id: bigint
  readonly attempts: number
  readonly status: 'PENDING' | 'DELIVERED' | 'STOPPED'
}

export interface CallbackAttempt {
  readonly at: Date
  /** Where it went, masked. */
  readonly url: string
  readonly durationMs: number
  readonly httpStatus?: number
  readonly error?: string
  readonly replyExcerpt?: string
}

export interface HandshakeAttempt extends Omit<CallbackAttempt, 'url'> {
  readonly transactionId: bigint
}

/**
 * One database transaction: everything done through it commits together or not at all. No network call may wait inside
 * it.
 */
export interface Unit {
  /**
   * Those of the items that are still ours, locked until commit: a worker whose lease was taken over must not write.
   */
  holdWork(items: readonly WorkItem[]): Promise<readonly WorkItem[]>
  finishWork(items: readonly WorkItem[]): Promise<void>
  /** Turns each item into other work, or the same at a later time. */
  replaceWork(items: readonly WorkItem[], kind: WorkKind, dueAt: Date): Promise<void>
  /** Puts it off, each to its own time, as if it had not been begun: it only waited for its turn. */
  postponeWork(postponed: readonly Postponed[]): Promise<void>
  addWork(work: readonly NewWork[]): Promise<void>
  /** Ends all work that was to bring these transactions to an end, whoever holds it: their outcome is known. */
  finishPaymentWork(transactionIds: readonly bigint[]): Promise<void>
  /** In the order of their ids, locked until commit. */
  lockTransactions(
    by: { readonly ids: readonly bigint[] } | { readonly internalReferences: readonly string[] },
  ): Promise<readonly Transaction[]>
  saveStates(transactions: readonly Transaction[]): Promise<void>
  /** Account and bank that the customer chose on the payment page. */
  saveAccount(transaction: Transaction): Promise<void>
  /** Of a transaction that is locked; undefined when its customer never had anything to do. */
  loadSession(transactionId: bigint): Promise<PaymentSession | undefined>
  saveSession(session: PaymentSession): Promise<void>
  /** Counts the transaction toward its daily limit, unless that would exceed it. @returns whether it fits */
  claimDailyLimit(transaction: Transaction, limitMinor: bigint, now: Date): Promise<boolean>
  /**
   * How many of each kind count for an account number now, which is locked until commit. After claimDailyLimit where a
   * commit does both: that one locks the account number too, and in the right order.
   */
  lockAccountUsage(account: string, now: Date): Promise<ReadonlyMap<AccountUseKind, number>>
  /** Counts for the transaction's account number from now on. */
  addAccountUsage(transaction: Transaction, uses: readonly AccountUse[]): Promise<void>
  /** The transaction's page is no longer open: it counts no more. */
  endPageUsage(transaction: Transaction): Promise<void>
  /**
   * Keeps the first outcome of a key. @returns false when the key has one already: then this request was carried out
   * before
   */
  rememberOutcome(claim: IdempotencyClaim, outcome: FirstOutcome, now: Date): Promise<boolean>
  /** What one kind of transfer brought into an account kind, by transaction. */
  bookedInto(kind: AccountKind, transactionIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>
  releaseDailyLimit(transactions: readonly Transaction[]): Promise<void>
  /** Takes up again what a failed transaction had released: a late completion counts toward the daily limit. */
  countTowardDailyLimit(transactions: readonly Transaction[]): Promise<void>
  /** Booked right before the commit, whenever it is called. The commit fails when a wallet would fall below zero. */
  book(transfers: readonly Transfer[], now: Date): Promise<void>
  /** Balances by accountName, not locked: what is booked on the strength of them is checked again by the commit. */
  balances(keys: readonly AccountKey[]): Promise<ReadonlyMap<string, bigint>>
  /** At most one per transaction, each of them locked. @returns the number of each attempt, from 1, by transaction */
  recordHandshakes(attempts: readonly HandshakeAttempt[]): Promise<ReadonlyMap<bigint, number>>
  /** Stores them with the work to deliver them. */
  addCallbacks(callbacks: readonly NewCallback[], now: Date): Promise<void>
  addEvents(events: readonly TransactionEvent[], now: Date): Promise<void>
}

export interface Store {
  /** @throws WalletTooLow when what was booked takes more than a wallet holds by now; StorageUnavailable */
  transaction<T>(run: (unit: Unit) => Promise<T>): Promise<T>
  /**
   * One commit for all that ask at the same time, in batches of at most `batchMax`: `run` gives one result per item, in
   * their order.
   */
  together<Item, Result>(
    batchMax: number,
    run: (unit: Unit, items: readonly Item[]) => Promise<readonly Result[]>,
  ): (item: Item) => Promise<Result>
}

/** A callback to deliver, with what its signatures cover. */
export interface DueCallback extends Callback {
  /** When its transaction became final. */
  readonly createdAt: Date
  /** Whether the merchant had a URL then: if not, its first attempt comes when an operator sends it. */
  readonly hadUrl: boolean
  /** How often an operator has sent it again: an answer to an attempt from before that decides nothing any more. */
  readonly resends: number
  /** Attempts made before it was last sent again: then its schedule began anew. */
  readonly attemptsBefore: number
  readonly signed: Pick<Transaction, 'merchantReference' | 'internalReference' | 'type' | 'status'>
}

export interface Postponed {
  readonly item: WorkItem
  readonly dueAt: Date
}

export interface DeliveryRecord {
  readonly item: WorkItem
  readonly callback: DueCallback
  readonly attempt: CallbackAttempt
  readonly next: NextStep
}

export interface CallbackStore {
  /** The pending ones of these; a callback that has ended in the meantime is left out, and its work finished. */
  load(items: readonly WorkItem[]): Promise<readonly DueCallback[]>
  /**
   * Stores the attempt, and what follows from it. Once the lease was lost that is for the new holder to say, but an
   * acknowledgement ends the delivery all the same, unless it was sent again since. Many at once share one commit.
   */
  record(delivery: DeliveryRecord): Promise<void>
  /** Puts it off without an attempt. */
  postpone(item: WorkItem, dueAt: Date): Promise<void>
  /**
   * Stops it without an attempt, because its merchant has no URL for it: it goes out when one is set and an operator
   * resends it. Where a URL has come that this process does not know yet, it is only put off for a moment.
   */
  withhold(item: WorkItem, callback: DueCallback, now: Date): Promise<void>
}

export interface WorkQueue {
  /** Claims up to `limit` items that are due. */
  claim(kind: WorkKind, claim: Claim, limit: number): Promise<readonly WorkItem[]>
  /**
   * Gives back what was claimed and not done, so that nobody waits for the lease to end. What others hold by now stays
   * theirs.
   */
  release(items: readonly WorkItem[], dueAt: Date): Promise<void>
  /** Gives back what a claim took whose answer never came. */
  releaseClaim(kind: WorkKind, claim: Claim, dueAt: Date): Promise<void>
  /**
   * Running it fails, and not because the database is away: it waits until then, counted and with the reason, and holds
   * up nothing else.
   */
  putAside(item: WorkItem, dueAt: Date, reason: string): Promise<void>
}

/** What operators watch of the database. */
export interface Figures {
  connections(): Connections
  /** A backlog is counted up to here. */
  readonly backlogCountedMax: number
  /** What is due and unclaimed, one of each kind. */
  backlog(kinds: readonly WorkKind[], now: Date): Promise<readonly Backlog[]>
  /** What waits for an operator. */
  waitingForOperator(): Promise<WaitingForOperator>
  /** Reads every entry there is, so for the background only. The signal ends it. */
  sumLedger(signal: AbortSignal): Promise<LedgerFindings>
}

/** Connections of this process to the database. */
export interface Connections {
  /** In use or idle. */
  readonly open: number
  readonly idle: number
  /** Callers that wait for one. */
  readonly waiting: number
}

export interface Backlog {
  readonly kind: WorkKind
  readonly items: number
  readonly oldestDueAt: Date | null
}

export interface WaitingForOperator {
  /** Payments that the rail has made and that are not booked. */
  readonly paidNotBooked: number
  /** Work that was put aside because running it fails. */
  readonly workPutAside: number
}

export interface LedgerFindings {
  /** Accounts whose balance is not the sum of their entries. */
  readonly accountsOff: number
  /** Currencies whose entries do not sum to zero. */
  readonly currenciesOff: number
}

/** Where an action goes, and for whom: each host and each merchant has a bounded share of what may run at a time. */
export interface Destination {
  readonly host: string
  readonly merchantId: bigint
}

/** There was no place in time: ask again after so long. */
export interface PutOff {
  readonly afterMs: number
}

/** Tells whether the host answered promptly. */
export type Outbound = () => Promise<boolean>

/**
 * Runs an action when its host and its merchant have a free place. It is prepared before that, and only when there is
 * hope of one.
 * @returns when to try again, if it was not run
 */
export type Turns = (to: Destination, prepare: () => Promise<Outbound>) => Promise<PutOff | undefined>

/** Hears of what an operator must look at, after it has been committed. */
export interface Notices {
  /** The rail has paid what is FAILED here, and it could not be booked. */
  paidNotBooked(transaction: Transaction): void
}

/** Tells this process's own work loop that there is something to do, so that it need not wait for its next look. */
export interface Wake {
  wake(kind: WorkKind): void
}

/** What a rail is asked to do. The internal reference is its idempotency key: the same one twice moves money once. */
export interface RailOrder {
  readonly internalReference: string
  readonly type: TransactionType
  readonly providerCode: string
  readonly account: string
  readonly bankCode?: string
  /** What the customer pays or the recipient gets. */
  readonly amount: Money
}

/**
 * `accepted`: the result comes later. `refused`: it never will. `unreachable`: we do not know whether the rail got it.
 */
export type RailAnswer =
  | { readonly answer: 'accepted' }
  | { readonly answer: 'refused'; readonly reason: string }
  | { readonly answer: 'unreachable'; readonly error: string }

/** What a rail knows of an order. `nothing_moved`: it confirms that no such transfer exists or will. */
export type RailKnowledge =
  | { readonly knows: 'outcome'; readonly outcome: RailOutcome }
  | { readonly knows: 'in_progress' }
  | { readonly knows: 'nothing_moved' }
  | { readonly knows: 'unreachable'; readonly error: string }

export interface RailReport {
  readonly internalReference: string
  readonly outcome: RailOutcome
}

/**
 * The connection to an operator or bank. Answers come in the order of the questions; one failing order does not fail
 * the others.
 */
export interface Rail {
  submit(orders: readonly RailOrder[]): Promise<readonly RailAnswer[]>
  ask(orders: readonly RailOrder[]): Promise<readonly RailKnowledge[]>
}

export interface Delivery {
  readonly httpStatus?: number
  readonly retryAfterMs?: number
  readonly error?: string
  readonly replyExcerpt?: string
  readonly durationMs: number
}

/** A question to a merchant's verification URL. */
export interface HandshakeQuestion {
  readonly url: string
  readonly webhookId: string
  readonly merchantId: bigint
  readonly merchantReference: string
}

/** Asks a merchant whether a payout is theirs. Never rejects because of the merchant's server. */
export interface HandshakeSender {
  ask(question: HandshakeQuestion): Promise<Delivery>
}

export interface CallbackSender {
  /**
   * Signs a callback. @returns POSTs it, within seconds; never rejects because of the merchant's server: that is a
   * Delivery with an error
   */
  prepare(callback: DueCallback): Promise<() => Promise<Delivery>>
}

export type { Random }
