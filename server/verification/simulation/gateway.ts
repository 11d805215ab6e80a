import { claimsVerdict } from '../../actions/claims-verdict.ts'
import { resolveTransaction } from '../../actions/resolve-transaction.ts'
import type { RailCallback } from '../../actions/ports/rail-callbacks.ts'
import { OUR_REFERENCE, PAYER_REFERENCE } from '../../actions/ports/rail-references.ts'
import type { JobKind } from '../../actions/ports/jobs.ts'
import { StorageUnavailable } from '../../actions/ports/store.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Choices } from './choices.ts'
import { resendCallbacks, urlKey } from './memory-store/callbacks.ts'
import { Connection } from './memory-store/connection.ts'
import { MemoryWorld } from './memory-store/world.ts'
import { MerchantSide } from './merchant-side.ts'
import { Phones } from './phones.ts'
import type { DueReport, OperatorSide } from './operator-side.ts'
import type { MakeOperator } from './operators-by-form.ts'
import { ProcessDied, SimulatedProcess } from './process.ts'
import { SimulatedSpool } from './message-spool.ts'
import { SimulatedReference } from './reference.ts'
import { Scheduler, type Hostility, type Member } from './scheduler.ts'

const PROCESSES = 3
/** A supervisor needs a moment to notice that a process has died. */
const RESTART_MS = 200
/** Processes read changes within a second. */
const REFERENCE_LAG_MS = 900
const SEEN_BY_ALL_MS = 1_000
export const STATEMENT_WITHOUT_IT = "It is not in the rail's statement"

/** A whole gateway in memory: several processes on one database, the operator's records, the merchants. */
export class SimulatedGateway {
  readonly world = new MemoryWorld()
  readonly reference: SimulatedReference
  readonly scheduler: Scheduler
  readonly rail: OperatorSide
  readonly merchants: MerchantSide
  readonly phones: Phones
  readonly poisoned = new Set<string>()
  /** Reports about poisoned payments, which the rail keeps. */
  readonly refusedReports: DueReport[] = []
  /** Messages of operators that were acknowledged, in the order of that. */
  readonly acknowledged: RailCallback[] = []
  /** Errors of actions other than the database's: none is expected. */
  readonly unexpected: string[] = []
  /** When each callback was last resent. */
  readonly resent = new Map<bigint, number>()
  /** Those that have ended. */
  readonly suspensions: { readonly merchantId: bigint; readonly fromMs: number; readonly untilMs: number }[] = []
  private readonly spool: SimulatedSpool
  private processes: SimulatedProcess[] = []
  private born = 0

  constructor(choices: Choices, hostility: Hostility, operator: MakeOperator) {
    this.scheduler = new Scheduler({
      choices,
      hostility,
      isDue: (nowMs) => this.isDue(nowMs),
      nextDueMs: (nowMs) => this.nextDueMs(nowMs),
      crash: (member) => this.crash(member),
    })
    this.rail = operator(this.scheduler, choices, {
      receive: (n, callback) => this.receive(n, callback),
      onFault: (error) => this.unexpected.push(`the rail: ${String(error)}`),
    })
    this.spool = new SimulatedSpool({
      scheduler: this.scheduler,
      insert: async (message, receivedAt) => {
        await this.serving(0).serve(({ railCallbacks }) => railCallbacks.receive(message, receivedAt))
      },
      onFault: (error) => this.unexpected.push(`the spool: ${String(error)}`),
    })
    this.reference = new SimulatedReference(this.rail.market)
    this.merchants = new MerchantSide(this.scheduler, choices)
    this.phones = new Phones(this.scheduler, choices)
    for (const { id, collectionCallbackUrl } of this.reference.all()) this.storeUrls(id, collectionCallbackUrl)
    for (let n = 0; n < PROCESSES; n += 1) this.launch()
  }

  /** A running process; undefined while all of them are dead. */
  process(n: number): SimulatedProcess | undefined {
    return this.processes[n % Math.max(this.processes.length, 1)]
  }

  /**
   * Hands a message of the operator to a running process: a message that the database does not accept is spooled.
   * @throws ProcessDied
   */
  async receive(n: number, callback: RailCallback): Promise<void> {
    const reception = await this.serving(n).serve(async ({ railCallbacks, rail, clock }) => {
      const message = { ...callback, hasVerdict: claimsVerdict(rail, callback) }
      const receivedAt = clock.now()
      try {
        return await railCallbacks.receive(message, receivedAt)
      } catch (error) {
        if (!(error instanceof StorageUnavailable)) throw error
        this.spool.add(message, receivedAt)
        return 'spooled'
      }
    })
    if (reception !== 'unknown_order' && reception !== 'too_many') this.acknowledged.push(callback)
  }

  /** @throws ProcessDied while all processes are dead */
  serving(n: number): SimulatedProcess {
    const process = this.process(n)
    if (!process) throw new ProcessDied('every process')
    return process
  }

  /** Poison jobs succeed again, as after a fix of the program or of a row. */
  heal(): void {
    this.poisoned.clear()
    this.rail.reports?.giveBack(this.refusedReports.splice(0))
  }

  /**
   * Staff set or clear a merchant's callback URLs: the database has them at once, the processes read them a moment
   * later.
   */
  setUrls(merchantId: bigint, url: string | undefined): void {
    this.storeUrls(merchantId, url)
    const {
      collectionCallbackUrl: _collection,
      payoutCallbackUrl: _payout,
      refundCallbackUrl: _refund,
      ...merchant
    } = this.reference.merchant(merchantId)
    const known =
      url === undefined
        ? merchant
        : { ...merchant, collectionCallbackUrl: url, payoutCallbackUrl: url, refundCallbackUrl: url }
    this.scheduler.after(REFERENCE_LAG_MS, () => this.reference.setMerchant(known))
  }

  /** Staff suspend a merchant until this ends: no process knows it from a cache. */
  async suspend(merchantId: bigint, meanwhile: () => Promise<void>): Promise<void> {
    const { scheduler, world, suspensions } = this
    const fromMs = scheduler.nowMs
    world.setSuspended(merchantId, true, new Date(fromMs))
    await meanwhile()
    world.setSuspended(merchantId, false, new Date(scheduler.nowMs))
    suspensions.push({ merchantId, fromMs, untilMs: scheduler.nowMs })
  }

  /** Resends callbacks that wait for a URL, as staff do. */
  resendWithheld(): Promise<void> {
    return this.resend(
      [...this.world.callbacks.values()].filter(
        ({ status, attempts, url }) => status === 'STOPPED' && (attempts === 0 || url === ''),
      ),
    )
  }

  /**
   * Resends callbacks in any state: `malipo callback resend`, which makes them due when all processes know a new URL.
   */
  async resend(callbacks = [...this.world.callbacks.values()]): Promise<void> {
    const now = this.scheduler.nowMs
    const operator = new Connection(this.world, async () => undefined)
    if (callbacks.length === 0) return
    await resendCallbacks(
      operator,
      callbacks.map(({ id }) => id),
      new Date(now),
      new Date(now + SEEN_BY_ALL_MS),
    )
    for (const { id } of callbacks) this.resent.set(id, now)
  }

  /**
   * Whether the outcome is unknown, so that only a result or staff can end it: its rail must not get it again, and is
   * polled.
   */
  isOutcomeUnknown(transaction: Transaction): boolean {
    const { id, status } = transaction
    const isQueried = [...this.world.work.values()].some(({ subjectId, kind }) => subjectId === id && QUERIES.has(kind))
    const isNamed = [...this.world.railReferences.values()].some(
      ({ transactionId, name }) => transactionId === id && name !== OUR_REFERENCE && name !== PAYER_REFERENCE,
    )
    return this.rail.isUntold(transaction, isNamed) && status === 'PROCESSING' && isQueried
  }

  /**
   * Resolves payments without a result, as staff do once the rail's statement is available: an order that must not be
   * sent twice ends no other way.
   */
  async resolveUnknownOutcomes(): Promise<void> {
    for (const { transaction } of this.world.transactions.values()) {
      const { internalReference } = transaction
      const process = this.process(0)
      if (!this.isOutcomeUnknown(transaction) || !process) continue
      const moved = this.rail.transfers(internalReference) > 0
      await process.serve((deps) =>
        resolveTransaction(
          deps,
          internalReference,
          moved ? { status: 'COMPLETED' } : { status: 'FAILED', reason: STATEMENT_WITHOUT_IT },
        ),
      )
    }
  }

  private storeUrls(merchantId: bigint, url: string | undefined): void {
    for (const type of ['COLLECTION', 'PAYOUT', 'REFUND'] as const) {
      if (url === undefined) this.world.callbackUrls.delete(urlKey(merchantId, type))
      else this.world.callbackUrls.set(urlKey(merchantId, type), url)
    }
  }

  private launch(): void {
    this.born += 1
    const process = new SimulatedProcess(`P${this.born}`, this.born, {
      ...this,
      onError: (error, kind) => {
        if (!isExpected(error)) this.unexpected.push(`${kind}: ${String(error)}`)
      },
      onQuarantined: (_error, { kind, subjectId }) => this.scheduler.note(`${kind} ${subjectId} is quarantined`),
    })
    this.processes.push(process)
    process.start()
  }

  private crash(member: Member): void {
    const process = this.processes.find((one) => one === member)
    if (!process) return
    this.processes = this.processes.filter((one) => one !== process)
    this.scheduler.forget(process)
    process.die()
    this.scheduler.after(RESTART_MS, () => this.launch())
  }

  private isDue(nowMs: number): boolean {
    for (const { dueAt } of this.world.work.values()) if (dueAt.getTime() <= nowMs) return true
    return false
  }

  private nextDueMs(nowMs: number): number | undefined {
    let next = Infinity
    for (const { dueAt } of this.world.work.values())
      if (dueAt.getTime() > nowMs && dueAt.getTime() < next) next = dueAt.getTime()
    return next === Infinity ? undefined : next
  }
}

/**
 * `RailSilent`: from a process that was paused for longer than the time-out of a call to an operator; it polls again.
 */
const QUERIES: ReadonlySet<JobKind> = new Set(['pollRail', 'resolveUnknownOutcome', 'pollRefund', 'resolveRefund'])

const EXPECTED: ReadonlySet<string> = new Set(['StorageUnavailable', 'RailSilent', 'Poisoned'])

const isExpected = (error: unknown): boolean => error instanceof Error && EXPECTED.has(error.name)
