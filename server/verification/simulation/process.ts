import type { Rail } from '../../actions/ports/rail.ts'
import { StorageUnavailable } from '../../actions/ports/store.ts'
import { ACCOUNT_ADDRESS } from '../../domain/callback-tokens.ts'
import * as batchMessages from '../../messages/payout-batch-record.ts'
import { callbackBody } from '../../messages/transaction-record.ts'
import type { CancelPayoutDeps } from '../../actions/cancel-payout.ts'
import type { CreateBatchDeps } from '../../actions/create-payout-batch.ts'
import type { RefundDeps } from '../../actions/refund-collection.ts'
import type { InitializeCollectionDeps } from '../../actions/initialize-collection.ts'
import type { PaymentStepDeps } from '../../actions/payment-steps.ts'
import type { Job, JobKind } from '../../actions/ports/jobs.ts'
import type { Random } from '../../domain/references.ts'
import { createQueues } from '../../jobs/queues.ts'
import { createWorker, type JobWorker } from '../../jobs/worker.ts'
import { seededWords } from '../testing/seeded.ts'
import { connect, type MemoryConnection } from './memory-store/memory-store.ts'
import type { MemoryWorld } from './memory-store/world.ts'
import type { MerchantSide } from './merchant-side.ts'
import type { Phones } from './phones.ts'
import type { OperatorSide } from './operator-side.ts'
import { ACCOUNT_BOUNDS, DAILY_LIMIT_SHARE, type SimulatedReference } from './reference.ts'
import type { Member, Scheduler } from './scheduler.ts'

/** Its operators report balances by calls. */
const accountMessagesOf = ({ accountMessages, unrequested }: MemoryConnection) => ({
  accountMessages,
  unrequested,
  reportedBalances: { take: async () => false },
})

/** As a start composes them. */
const messagesOf = ({ railCallbacks, accountMessages }: MemoryConnection): MemoryConnection['railCallbacks'] => ({
  ...railCallbacks,
  receive: (callback, now) =>
    (callback.orderId === ACCOUNT_ADDRESS ? accountMessages : railCallbacks).receive(callback, now),
})

/** What the processes of one gateway share. */
interface SimulatedEnvironment {
  readonly world: MemoryWorld
  readonly scheduler: Scheduler
  readonly reference: SimulatedReference
  readonly rail: OperatorSide
  readonly merchants: MerchantSide
  readonly phones: Phones
  /** Merchant references of payments whose jobs always fail. */
  readonly poisoned: ReadonlySet<string>
  /** Called when an action fails for another reason than the database: no schedule may cause that. */
  readonly onError: (error: unknown, kind: JobKind) => void
  readonly onQuarantined: (error: unknown, item: Job) => void
}

export type SimulatedDeps = InitializeCollectionDeps &
  CancelPayoutDeps &
  CreateBatchDeps &
  RefundDeps &
  PaymentStepDeps &
  Pick<MemoryConnection, 'railCallbacks' | 'accountMessages'> & { readonly rail: Rail }

/** The real actions, queues and job loop, on their own connection to an in-memory database. */
export class SimulatedProcess implements Member {
  readonly name: string
  readonly deps: SimulatedDeps
  pausedUntilMs = 0
  stepsBehind = 0
  dead = false
  private readonly connection: MemoryConnection
  private readonly worker: JobWorker
  private readonly deaths: ((reason: Error) => void)[] = []

  constructor(name: string, seed: number, around: SimulatedEnvironment) {
    const { world, scheduler, reference, rail, merchants, phones } = around
    this.name = name
    this.connection = connect(world, (kind, what) => scheduler.step(this, kind, what), {
      wake: (work, dueAt) => this.worker.wake(work, dueAt),
    })
    const { store, acceptance, batches, callbacks, idempotency, queue } = this.connection
    const random = randomOf(seed)
    const timers = scheduler.timersOf(this, false)
    const connectedRail = rail.connectionOf({ member: this, random, timers })
    this.deps = {
      store,
      acceptance,
      batches,
      idempotency,
      railCallbacks: messagesOf(this.connection),
      accountMessages: this.connection.accountMessages,
      lookups: lookupsIn(world, (what) => scheduler.step(this, 'read', what)),
      rail: connectedRail,
      reference: reference.keptBy((id) => scheduler.step(this, 'read', `reads merchant ${id}`)),
      random,
      callbackBody(transaction) {
        // No fault of the database causes this: a payment that fails for a reason of its own.
        if (around.poisoned.has(transaction.merchantReference)) throw new PoisonJobError(transaction.merchantReference)
        return callbackBody(transaction)
      },
      clock: scheduler.clock,
      notices: {
        paidNotBooked: ({ merchantReference }) =>
          scheduler.note(`reported: ${merchantReference} is paid and not booked`),
        unmappedResult: ({ merchantReference }, code) =>
          scheduler.note(`notified: ${merchantReference} has result code ${code}`),
      },
      otps: phones.otpsOf(this),
      accountBounds: ACCOUNT_BOUNDS,
      dailyLimitShare: DAILY_LIMIT_SHARE,
      accountRequiresOtp: () => false,
      allowLoopbackRedirect: false,
    }
    const queueDeps = {
      ...this.deps,
      callbacks,
      ...batchMessages,
      timers,
      keepMessage: () => undefined,
      ...accountMessagesOf(this.connection),
      handshakes: merchants.handshakesOf(this),
      sender: merchants.senderOf(this),
    }
    this.worker = createWorker({
      queue,
      random,
      clock: scheduler.clock,
      timers: scheduler.timersOf(this, true),
      reasonOf: String,
      onError: around.onError,
      onQuarantined: around.onQuarantined,
      queues: createQueues(() => queueDeps),
    })
  }

  start(): void {
    this.worker.start()
  }

  hasOpenUnits(): boolean {
    return this.connection.openUnits().length > 0
  }

  abortOpenUnits(): void {
    for (const unit of this.connection.openUnits()) unit.abort()
  }

  /** Clients of this process receive nothing more from it. */
  die(): void {
    this.dead = true
    this.connection.disconnect()
    for (const report of this.deaths) report(new ProcessDied(this.name))
  }

  /** Runs a request in this process. @throws ProcessDied when the process dies before it has answered */
  async serve<Value>(run: (deps: SimulatedDeps) => Promise<Value>): Promise<Value> {
    const { promise: death, reject } = Promise.withResolvers<never>()
    this.deaths.push(reject)
    try {
      return await Promise.race([run(this.deps), death])
    } finally {
      this.deaths.splice(this.deaths.indexOf(reject), 1)
    }
  }
}

/** Thrown when an action builds the callback of a poisoned transaction. */
export class PoisonJobError extends Error {
  constructor(reference: string) {
    super(`${reference} is poisoned (simulated)`)
    this.name = 'Poisoned'
  }
}

/** Rejects the requests of a process that died: their outcome is unknown. */
export class ProcessDied extends Error {
  constructor(name: string) {
    super(`${name} has died`)
    this.name = 'ProcessDied'
  }
}

/** The process died or the database was away: the outcome is unknown. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof StorageUnavailable || error instanceof ProcessDied

const lookupsIn = (world: MemoryWorld, step: (what: string) => Promise<unknown>): RefundDeps['lookups'] => ({
  async transactionByMerchantReference(merchantId, merchantReference) {
    await step(`reads ${merchantReference}`)
    return world.transactions.get(world.references.get(`${merchantId}:${merchantReference}`) ?? 0n)?.transaction
  },
  payment: async () => undefined,
  async externalIds(transactionId) {
    await step(`reads the ids of ${transactionId}`)
    return {}
  },
})

function randomOf(seed: number): Random {
  const draw = seededWords(seed)
  return {
    bytes(size) {
      const words = new Uint32Array(Math.ceil(size / 4))
      for (let n = 0; n < words.length; n += 1) words[n] = draw()
      return new Uint8Array(words.buffer, 0, size)
    },
  }
}
