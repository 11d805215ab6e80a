import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import type { Acceptance, NewTransaction } from '../actions/ports/acceptance.ts'
import type { CallbackAttempt, CallbackStore } from '../actions/ports/callbacks.ts'
import type { IdempotencyStore } from '../actions/ports/idempotency.ts'
import type { Lookups } from '../actions/ports/lookups.ts'
import type { Store } from '../actions/ports/store.ts'
import type { TransactionEvent } from '../actions/ports/unit.ts'
import type { WorkKind, WorkQueue } from '../actions/ports/work.ts'
import { money } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import { STATUS_MESSAGES, type Transaction } from '../domain/transaction.ts'
import { resendCallbacks as resendInMemory, urlKey } from '../simulation/memory-store/callbacks.ts'
import { connect } from '../simulation/memory-store/memory-store.ts'
import { Connection } from '../simulation/memory-store/connection.ts'
import { createMemoryWorld, tablesOf, type MemoryWorld } from '../simulation/memory-store/world.ts'
import { createAcceptance } from '../storage/accept-transactions.ts'
import { createCallbackStore } from '../storage/callbacks.ts'
import { createIdempotencyStore } from '../storage/idempotency.ts'
import { createLookups } from '../storage/lookups.ts'
import { resendCallbacks } from '../storage/operators/callbacks.ts'
import { createPool, type Pool } from '../storage/pool.ts'
import { createStore } from '../storage/store.ts'
import { createWorkQueue } from '../storage/work-items.ts'
import { createTestDatabase } from './database.ts'
import { until } from './served-gateway.ts'

/** The ports to a store, as actions have them, and what tests read behind their back. */
export interface StoreUnderTest {
  readonly store: Store
  readonly acceptance: Acceptance
  readonly queue: WorkQueue
  readonly callbacks: CallbackStore
  readonly idempotency: IdempotencyStore
  readonly lookups: Lookups
  readonly read: StoreReader
  /** A merchant whose callback URLs are this one. @returns its id */
  merchantWithUrl(url: string): Promise<bigint>
  /** As an operator sends a callback again. */
  resend(callbackId: bigint, now: Date, dueAt: Date): Promise<void>
  /** Resolves when so many statements wait for locks. */
  lockIsWaitedFor(waiting?: number): Promise<unknown>
}

export interface StoreReader {
  /** By kind and subject. */
  work(): Promise<readonly StoredWork[]>
  /** In their order. */
  events(transactionId: bigint): Promise<readonly (TransactionEvent & { readonly at: Date })[]>
  callback(
    transactionId: bigint,
  ): Promise<
    | { readonly id: bigint; readonly status: string; readonly attempts: number; readonly finishedAt: Date | undefined }
    | undefined
  >
  callbackAttempts(callbackId: bigint): Promise<readonly StoredAttempt[]>
  handshakes(transactionId: bigint): Promise<readonly StoredAttempt[]>
  /** What counts toward the limit of an account number, by transaction. */
  usage(account: string): Promise<ReadonlyMap<bigint, bigint>>
  /** What counts, or has counted, toward the bounds of an account number: in the order of transactions and kinds. */
  accountUses(account: string): Promise<
    readonly {
      readonly transactionId: bigint
      readonly kind: string
      readonly number: number
      readonly countsUntil: Date
    }[]
  >
  transfersOf(transactionId: bigint): Promise<readonly string[]>
}

export interface StoredWork {
  readonly kind: WorkKind
  readonly subjectId: bigint
  readonly dueAt: Date
  readonly attempt: number
  readonly held: boolean
  readonly failures: number
  readonly lastError: string | undefined
}

export type StoredAttempt = Pick<CallbackAttempt, 'at' | 'durationMs' | 'httpStatus' | 'error'> & {
  readonly attempt: number
  readonly url?: string
}

interface OpenedStore {
  /** Without any work; what else earlier tests left does not concern a test that uses ids of its own. */
  fresh(): Promise<StoreUnderTest>
  close(): Promise<void>
}

/**
 * Runs the same tests on PostgreSQL and on the store that the simulation uses: whoever changes one of them hears of the
 * other.
 */
export function onBothStores(tests: (under: () => StoreUnderTest, name: 'PostgreSQL' | 'memory') => void): void {
  describe.each([
    ['PostgreSQL', openPostgres],
    ['memory', openMemory],
  ] as const)('%s', (name, open) => {
    let opened: OpenedStore
    let under: StoreUnderTest
    beforeAll(async () => {
      opened = await open()
    })
    beforeEach(async () => {
      under = await opened.fresh()
    })
    afterAll(() => opened?.close())
    tests(() => under, name)
  })
}

async function openPostgres(): Promise<OpenedStore> {
  const database = await createTestDatabase()
  const pool = createPool({ connection: database.connection, connectionsMax: 16, onError: () => {} })
  return {
    async fresh() {
      await pool.query('delete from work')
      return {
        store: createStore(pool),
        acceptance: createAcceptance(pool),
        queue: createWorkQueue(pool),
        callbacks: createCallbackStore(pool),
        idempotency: createIdempotencyStore(pool),
        lookups: createLookups(pool),
        read: readPostgres(pool),
        async merchantWithUrl(url) {
          const { rows } = await pool.query<{ id: bigint }>(
            `insert into merchants (public_key, name, collection_callback_url, payout_callback_url, created_at) values ($1, 'A shop', $2, $2, $3) returning id`,
            [`pub_${unique()}`, url, START],
          )
          return present(rows[0], 'the new merchant').id
        },
        resend: (id, now, dueAt) => resendCallbacks(pool, [id], now, dueAt),
        lockIsWaitedFor: (waiting = 1) =>
          until(
            async () => {
              const { rows } = await pool.query<{ n: number }>(
                `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
              )
              return present(rows[0], 'a count of sessions').n >= waiting
            },
            10_000,
            'a lock is waited for',
          ),
      }
    },
    async close() {
      await pool.end()
      await database.drop()
    },
  }
}

const orUndefined = <Value>(value: Value | null): Value | undefined => value ?? undefined

function readPostgres(pool: Pool): StoreReader {
  const attemptsFrom = async (table: string, column: string, id: bigint): Promise<StoredAttempt[]> => {
    const { rows } = await pool.query<{
      attempt: number
      at: Date
      url?: string | null
      duration_ms: number
      http_status: number | null
      error: string | null
    }>(`select * from ${table} where ${column} = $1 order by attempt`, [id])
    return rows.map((row) => ({
      attempt: row.attempt,
      at: row.at,
      ...(typeof row.url === 'string' && { url: row.url }),
      durationMs: row.duration_ms,
      ...(row.http_status !== null && { httpStatus: row.http_status }),
      ...(row.error !== null && { error: row.error }),
    }))
  }
  return {
    async work() {
      const { rows } = await pool.query<{
        kind: WorkKind
        subject_id: bigint
        due_at: Date
        attempt: number
        held: boolean
        failures: number
        last_error: string | null
      }>(
        'select kind, subject_id, due_at, attempt, token is not null as held, failures, last_error from work order by kind, subject_id',
      )
      return rows.map(({ kind, subject_id, due_at, attempt, held, failures, last_error }) => ({
        kind,
        subjectId: subject_id,
        dueAt: due_at,
        attempt,
        held,
        failures,
        lastError: orUndefined(last_error),
      }))
    },
    async events(transactionId) {
      const { rows } = await pool.query<{ at: Date; kind: string; detail: string }>(
        'select at, kind, detail from transaction_events where transaction_id = $1 order by id',
        [transactionId],
      )
      return rows.map((row) => ({ transactionId, ...row }))
    },
    async callback(transactionId) {
      const {
        rows: [row],
      } = await pool.query<{ id: bigint; status: string; attempts: number; finished_at: Date | null }>(
        'select id, status, attempts, finished_at from callbacks where transaction_id = $1',
        [transactionId],
      )
      return row && { id: row.id, status: row.status, attempts: row.attempts, finishedAt: orUndefined(row.finished_at) }
    },
    callbackAttempts: (id) => attemptsFrom('callback_attempts', 'callback_id', id),
    handshakes: (id) => attemptsFrom('handshake_attempts', 'transaction_id', id),
    async usage(account) {
      const { rows } = await pool.query<{ transaction_id: bigint; amount_minor: bigint }>(
        'select transaction_id, amount_minor from limit_usage where account = $1',
        [account],
      )
      return new Map(rows.map(({ transaction_id, amount_minor }) => [transaction_id, amount_minor]))
    },
    async accountUses(account) {
      const { rows } = await pool.query<{ transaction_id: bigint; kind: string; number: number; counts_until: Date }>(
        'select transaction_id, kind, number, counts_until from account_usage where account = $1 order by transaction_id, kind, number',
        [account],
      )
      return rows.map(({ transaction_id, kind, number, counts_until }) => ({
        transactionId: transaction_id,
        kind,
        number,
        countsUntil: counts_until,
      }))
    },
    async transfersOf(transactionId) {
      const { rows } = await pool.query<{ kind: string }>(
        'select kind from transfers where transaction_id = $1 order by id',
        [transactionId],
      )
      return rows.map(({ kind }) => kind)
    },
  }
}

async function openMemory(): Promise<OpenedStore> {
  return {
    async fresh() {
      const world = createMemoryWorld()
      const { openUnits, disconnect: _never, ...ports } = connect(world, async () => undefined)
      return {
        ...ports,
        read: readMemory(world),
        async merchantWithUrl(url) {
          const id = uniqueId()
          for (const type of ['COLLECTION', 'PAYOUT'] as const) world.callbackUrls.set(urlKey(id, type), url)
          return id
        },
        resend: (id, now, dueAt) =>
          resendInMemory(new Connection(tablesOf(world), async () => undefined), [id], now, dueAt),
        lockIsWaitedFor: (waiting = 1) =>
          until(
            async () => openUnits().filter(({ waitsForLock }) => waitsForLock).length >= waiting,
            10_000,
            'a lock is waited for',
          ),
      }
    },
    close: async () => undefined,
  }
}

function readMemory(world: MemoryWorld): StoreReader {
  const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
  const attempts = (rows: readonly StoredAttempt[] = []): StoredAttempt[] =>
    rows.map(({ attempt, at, url, durationMs, httpStatus, error }) => ({
      attempt,
      at,
      ...(url !== undefined && { url }),
      durationMs,
      ...(httpStatus !== undefined && { httpStatus }),
      ...(error !== undefined && { error }),
    }))
  return {
    work: async () =>
      [...world.work.values()]
        .sort((a, b) => byText(a.kind, b.kind) || Number(a.subjectId - b.subjectId))
        .map(({ kind, subjectId, dueAt, attempt, token, failures, lastError }) => ({
          kind,
          subjectId,
          dueAt,
          attempt,
          held: token !== undefined,
          failures,
          lastError,
        })),
    events: async (id) =>
      world.events.filter(({ transactionId }) => transactionId === id).map(({ id: _id, ...event }) => event),
    async callback(id) {
      const row = world.callbacks.values().find(({ transactionId }) => transactionId === id)
      return row && { id: row.id, status: row.status, attempts: row.attempts, finishedAt: row.finishedAt }
    },
    callbackAttempts: async (id) => attempts(world.callbackAttempts.get(id)),
    handshakes: async (id) => attempts(world.handshakes.get(id)),
    usage: async (account) =>
      new Map(
        [...world.limitUsage.values()]
          .filter(({ limit }) => limit.endsWith(`:${account}`))
          .map((row) => [row.transactionId, row.amountMinor]),
      ),
    accountUses: async (account) =>
      [...world.accountUsage.values()]
        .filter((row) => row.account === account)
        .sort((a, b) => Number(a.transactionId - b.transactionId) || byText(a.kind, b.kind) || a.number - b.number)
        .map(({ transactionId, kind, number, countsUntil }) => ({ transactionId, kind, number, countsUntil })),
    transfersOf: async (id) =>
      world.transfers.filter(({ transactionId }) => transactionId === id).map(({ kind }) => kind),
  }
}

export const START = new Date('2026-03-01T08:00:00Z')
export const at = (seconds: number): Date => new Date(START.getTime() + seconds * 1000)

let made = 0
/** Never the same twice in a test file: ids of subjects, merchants, references. */
export const unique = (): number => (made += 1)
export const uniqueId = (): bigint => BigInt(1_000_000 + unique())
/** As newClaimToken writes them. */
export const uniqueToken = (): string => unique().toString(16).padStart(32, '0')

/** A collection of 1000 UGX over mobile money. */
export function newTransaction(overrides: Partial<NewTransaction> = {}): NewTransaction {
  const n = String(unique()).padStart(8, '0')
  return {
    merchantId: uniqueId(),
    merchantReference: `order-${n}`,
    internalReference: `MLP00000000000000${n}`,
    type: 'COLLECTION',
    method: 'MOBILE_MONEY',
    providerCode: 'mtn_ug',
    account: `25677${n}`,
    request: money(1_000n, 'UGX'),
    amount: money(1_000n, 'UGX'),
    chargeMinor: 20n,
    totalMinor: 980n,
    chargeCustomer: false,
    allowFinalStatusChange: true,
    status: 'PENDING',
    statusMessage: STATUS_MESSAGES.pending,
    createdAt: START,
    description: 'An order',
    dailyLimitMinor: 5_000n,
    firstWork: { kind: 'submitToRail', dueAt: START },
    ...overrides,
  }
}

/** Accepts one and reads it back. */
export async function accepted(
  { acceptance, lookups }: StoreUnderTest,
  overrides: Partial<NewTransaction> = {},
): Promise<Transaction> {
  const transaction = newTransaction(overrides)
  const result = await acceptance.accept(transaction)
  if (result !== 'accepted') throw new Error(`not accepted: ${result}`)
  const stored = await lookups.transactionByMerchantReference(transaction.merchantId, transaction.merchantReference)
  return present(stored, 'what was accepted')
}
