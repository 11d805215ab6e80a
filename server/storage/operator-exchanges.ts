import { setTimeout as delay } from 'node:timers/promises'
import type { ExchangeRecord, OperatorExchange } from '../actions/ports/operator-exchanges.ts'
import { coalesce } from './coalesce.ts'
import { available, isUnavailable, type Pool } from './pool.ts'
import { columns } from './rows.ts'

/** How long support may look at what was said: within it, disputes come up. */
export const EXCHANGES_KEPT_MS = 90 * 24 * 3600 * 1000

const BATCH_MAX = 100
/** A payment makes a few of these: they wait for each other rather than commit alone. */
const EVERY_MS = 200
/** Some 30 MB at most, while the database is away: more is not kept. */
const WAITING_MAX = 4_000
/** How soon it is tried again when the database was away. */
const AGAIN_MS = 1_000

/** The columns of what was said, for statements that read it too. */
export const OPERATOR_EXCHANGE = columns<OperatorExchange>({
  installation: 'text',
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
  /** The end: everything that was added is stored, or told as lost when the database is away. */
  flushed(): Promise<void>
}

const NAMES = OPERATOR_EXCHANGE.names()
const INSERT = `
  insert into operator_exchanges (${NAMES})
  select ${NAMES} from json_to_recordset($1) as r(${OPERATOR_EXCHANGE.definition})`
/** After a commit of which nobody knows whether it happened: what is there is not written twice. */
const INSERT_MISSING = `${INSERT}
  where not exists (
    select from operator_exchanges e
    where e.installation = r.installation and e.at = r.at and e.order_id is not distinct from r.order_id
      and (e.purpose, e.method, e.path, e.duration_ms) = (r.purpose, r.method, r.path, r.duration_ms))`

/**
 * Writes what was said beside the payments: in batches of its own, and nobody waits for them. While the database is away
 * they wait, up to a bound; what comes beyond it, or cannot be stored, is lost.
 * @param onLost told with the reason, for each that was lost
 * @param againMs the pause before the next try
 */
export function createOperatorExchanges(
  pool: Pick<Pool, 'query'>,
  onLost: (error: unknown) => void,
  againMs = AGAIN_MS,
): StoredExchanges {
  /** Aborted when nobody waits for the database any longer. */
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
    splitOn: (error) => !isUnavailable(error),
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
