import { setTimeout as delay } from 'node:timers/promises'
import type { ExchangeRecord, OperatorExchange } from '../actions/ports/operator-exchanges.ts'
import { coalesce } from './coalesce.ts'
import { available, isUnavailable, type Pool } from './pool.ts'
import { columns } from './rows.ts'

/** Retention of operator exchanges for support: disputes come up within this time. */
export const EXCHANGES_KEPT_MS = 90 * 24 * 3600 * 1000

const BATCH_MAX = 100
/** A payment causes a few exchanges: they wait for each other instead of committing one by one. */
const EVERY_MS = 200
/** Maximum number of exchanges held while the database is away, some 30 MB; further ones are dropped. */
const WAITING_MAX = 4_000
/** Delay before a retry when the database was away. */
const AGAIN_MS = 1_000

/** The columns of an exchange, also for statements that read it. */
export const OPERATOR_EXCHANGE = columns<OperatorExchange>({
  railAccount: 'text',
  purpose: 'text',
  orderId: 'text',
  at: 'timestamptz',
  durationMs: 'int',
  method: 'text',
  path: 'text',
  request: 'text',
  status: 'int',
  reply: 'text',
  error: 'text',
})

export interface StoredExchanges extends ExchangeRecord {
  /** Shutdown: resolves when everything is stored, or reported as lost because the database is away. */
  flushed(): Promise<void>
}

const NAMES = OPERATOR_EXCHANGE.names()
const INSERT = `
  insert into operator_exchanges (${NAMES})
  select ${NAMES} from json_to_recordset($1) as r(${OPERATOR_EXCHANGE.definition})`
/** For a retry after a commit with an unknown outcome: does not insert existing rows again. */
const INSERT_MISSING = `${INSERT}
  where not exists (
    select from operator_exchanges e
    where e.rail_account = r.rail_account and e.at = r.at and e.order_id is not distinct from r.order_id
      and (e.purpose, e.method, e.path, e.duration_ms) = (r.purpose, r.method, r.path, r.duration_ms))`

/**
 * Writes operator exchanges independently of the payments: in batches of their own, for which no payment waits. While
 * the database is away they are held in memory, up to a limit. Exchanges beyond the limit, or that cannot be stored,
 * are lost.
 * @param onLost called with the reason, once for each lost exchange
 * @param againMs the delay before a retry
 */
export function createOperatorExchanges(
  pool: Pick<Pool, 'query'>,
  onLost: (error: unknown) => void,
  againMs = AGAIN_MS,
): StoredExchanges {
  /** Aborted at shutdown, when writes are no longer retried. */
  const ending = new AbortController()

  async function store(exchanges: readonly OperatorExchange[]): Promise<void> {
    const values = [OPERATOR_EXCHANGE.json(exchanges)]
    for (let text = INSERT; ; text = INSERT_MISSING)
      try {
        await available(() => pool.query({ name: text === INSERT ? 'insert-operator-exchanges' : '', text, values }))
        return
      } catch (error) {
        if (!isUnavailable(error) || ending.signal.aborted) throw error
        await delay(againMs, undefined, { signal: ending.signal }).catch(() => undefined)
      }
  }

  const insert = coalesce<OperatorExchange, undefined>({
    batchMax: BATCH_MAX,
    runsMax: 1,
    everyMs: EVERY_MS,
    waitingMax: WAITING_MAX,
    async run(exchanges) {
      await store(exchanges)
      return exchanges.map(() => undefined)
    },
  })
  const open = new Set<Promise<unknown>>()
  return {
    add(exchange) {
      const stored = insert(exchange)
        .catch(onLost)
        .finally(() => open.delete(stored))
      open.add(stored)
    },
    async flushed() {
      ending.abort()
      await Promise.all(open)
    },
  }
}
