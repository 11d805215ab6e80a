import { withoutAudit } from '../../storage/audited-pool.ts'
import { NOBODY } from '../../actions/ports/wake.ts'
import { present } from '../../domain/present.ts'
import { createAccountMessageStore } from '../../storage/account-messages.ts'
import { unrequestedPayments } from '../../admin/queries/statements/book-unrequested.ts'
import { createAcceptance } from '../../storage/accept-transactions.ts'
import { createPayoutBatches } from '../../storage/payout-batches.ts'
import { createCallbackStore } from '../../storage/callbacks.ts'
import { createIdempotencyStore } from '../../storage/idempotency.ts'
import { createLookups } from '../../storage/lookups.ts'
import { installed } from '../../admin/queries/statements/testing/installed.ts'
import { setApprovalRule } from '../../admin/queries/approvals.ts'
import { callbackAttempts, resendCallbacks } from '../../admin/queries/callbacks.ts'
import { setSuspended } from '../../admin/queries/merchants.ts'
import { createPool, type Pool } from '../../storage/pool.ts'
import { createRailCallbackStore } from '../../storage/rail-callbacks.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { createStore } from '../../storage/store.ts'
import { dueAt } from '../../storage/job-leases.ts'
import { createJobStore } from '../../storage/jobs.ts'
import { createTestDatabase } from './database.ts'
import { MASTER_KEY, seededRandom } from './gateway.ts'
import { until } from './served-gateway.ts'

import type { OpenedStore, StoreReader, StoredAttempt, StoredJob, StoreUnderTest } from './store-under-test.ts'
import { START, unique, uniqueId } from './transactions.ts'

/** A database of its own; rows of earlier tests stay there, except for jobs. */
export async function openPostgres(): Promise<OpenedStore> {
  const database = await createTestDatabase()
  const pool = createPool({ connection: database.connection, connectionsMax: 16, onError: () => {} })
  return {
    async fresh() {
      await pool.query('delete from jobs')
      return {
        store: createStore(pool),
        acceptance: createAcceptance(pool),
        batches: createPayoutBatches(pool),
        queue: createJobStore(pool),
        callbacks: createCallbackStore(pool),
        idempotency: createIdempotencyStore(pool),
        lookups: createLookups(pool),
        railCallbacks: createRailCallbackStore(pool, createSecretBox(MASTER_KEY, seededRandom('messages')), NOBODY),
        accountMessages: createAccountMessageStore(pool, createSecretBox(MASTER_KEY, seededRandom('texts')), NOBODY),
        unrequested: unrequestedPayments(pool),
        read: readPostgres(pool),
        async newMerchant(url) {
          const { rows } = await pool.query<{ id: bigint }>(
            `insert into merchants (public_key, name, collection_callback_url, payout_callback_url, created_at) values ($1, 'A shop', $2, $2, $3) returning id`,
            [`pub_${unique()}`, url, START],
          )
          return present(rows[0], 'the new merchant').id
        },
        async setUrl(id, url) {
          await pool.query(
            'update merchants set collection_callback_url = $2, payout_callback_url = $2 where id = $1',
            [id, url],
          )
        },
        setSuspended: (id, isSuspended, now) => setSuspended(withoutAudit(pool), id, isSuspended, now),
        newFloat: (floatMinor, readAt) => newFloat(pool, floatMinor, readAt),
        ...fourEyesIn(pool),
        resend: (id, now, dueAt) => resendCallbacks(withoutAudit(pool), [id], now, dueAt),
        lockIsWaitedFor: (waiting = 1) =>
          until(
            async () => {
              const { rows } = await pool.query<{ n: number }>(
                `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
              )
              return present(rows[0], 'a count of sessions').n >= waiting
            },
            60_000,
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

async function newFloat(pool: Pool, floatMinor: bigint, readAt: Date): Promise<string> {
  const name = `rail-${uniqueId()}`
  await installed(pool, name)
  await pool.query(
    `insert into rail_balances (rail_account, currency, asked_at, checked_at, float_minor)
     values ($1, 'UGX', $2, $2, $3)`,
    [name, readAt, floatMinor],
  )
  return name
}

/** What staff and people are for the tests of approvals. */
const fourEyesIn = (pool: Pool): Pick<StoreUnderTest, 'coverPayouts' | 'newPerson' | 'endAccess'> => ({
  coverPayouts: (merchantId, { currency, amountMinor: fromMinor }) =>
    setApprovalRule(withoutAudit(pool), { operation: 'payouts', merchantId, currency, fromMinor }, START),
  async newPerson({ role, merchantId }) {
    const { rows } = await pool.query<{ id: bigint }>(
      `insert into people (merchant_id, email, name, role, created_at) values ($1, $2, 'Amina', $3, $4) returning id`,
      [merchantId, `amina-${unique()}@example.com`, role, START],
    )
    return present(rows[0], 'the new person').id
  },
  async endAccess(id) {
    await pool.query('update people set ended_at = $2 where id = $1', [id, START])
  },
})

const orUndefined = <Value>(value: Value | null): Value | undefined => value ?? undefined

/** Data for which actions have no port, read from the tables. */
const readPostgres = (pool: Pool): StoreReader => ({
  work: () => workIn(pool),
  // As staff read them: the fields that an attempt shares with its callback are stored with the callback.
  callbackAttempts: async (id) => (await callbackAttempts(pool, [id])).map(toAttempt),
  async handshakes(transactionId) {
    const { rows } = await pool.query<AttemptRow>(
      'select * from handshake_attempts where transaction_id = $1 order by attempt',
      [transactionId],
    )
    return rows.map(toAttempt)
  },
  async accountUses(account) {
    const { rows } = await pool.query<Awaited<ReturnType<StoreReader['accountUses']>>[number]>(
      `select transaction_id as "transactionId", kind, number, counts_until as "countsUntil"
       from account_usage where account = $1 order by transaction_id, kind, number`,
      [account],
    )
    return rows
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
    } = await pool.query<{ id: bigint; status: string; attempts: number; finishedAt: Date | null }>(
      'select id, status, attempts, finished_at as "finishedAt" from callbacks where transaction_id = $1',
      [transactionId],
    )
    return row && { ...row, finishedAt: orUndefined(row.finishedAt) }
  },
  async usage(account) {
    const { rows } = await pool.query<{ transaction_id: bigint; amount_minor: bigint }>(
      'select transaction_id, amount_minor from limit_usage where account = $1',
      [account],
    )
    return new Map(rows.map(({ transaction_id, amount_minor }) => [transaction_id, amount_minor]))
  },
  async suspense(railAccount) {
    const { rows } = await pool.query<{ balance_minor: bigint }>(
      `select balance_minor from accounts where kind = 'suspense' and rail_account = $1`,
      [railAccount],
    )
    return rows[0]?.balance_minor ?? 0n
  },
  async transfersOf(transactionId) {
    const { rows } = await pool.query<{ kind: string }>(
      'select kind from transfers where transaction_id = $1 order by id',
      [transactionId],
    )
    return rows.map(({ kind }) => kind)
  },
})

async function workIn(pool: Pool): Promise<readonly StoredJob[]> {
  const { rows } = await pool.query<Omit<StoredJob, 'lastError'> & { readonly lastError: string | null }>(
    `select kind, subject_id as "subjectId", ${dueAt('jobs')} as "dueAt", attempt, token is not null as held, failures,
       last_error as "lastError" from jobs order by kind, subject_id`,
  )
  return rows.map((row) => ({ ...row, lastError: orUndefined(row.lastError) }))
}

interface AttemptRow {
  readonly attempt: number
  readonly at: Date
  readonly url?: string | null
  readonly duration_ms: number
  readonly http_status: number | null
  readonly error: string | null
}

const toAttempt = (row: AttemptRow): StoredAttempt => ({
  attempt: row.attempt,
  at: row.at,
  ...(typeof row.url === 'string' && { url: row.url }),
  durationMs: row.duration_ms,
  ...(row.http_status !== null && { httpStatus: row.http_status }),
  ...(row.error !== null && { error: row.error }),
})
