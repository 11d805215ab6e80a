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
  /** Everything that was added so far is stored, or told as lost. */
  flushed(): Promise<void>
}

/**
 * Writes what was said beside the payments: in batches of its own, and nobody waits for them. What cannot be stored is
 * lost.
 * @param onLost told with the reason, for each that was lost
 */
export function createOperatorExchanges(pool: Pool, onLost: (error: unknown) => void): StoredExchanges {
  const insert = coalesce<OperatorExchange, undefined>({
    batchMax: BATCH_MAX,
    runsMax: 1,
    everyMs: EVERY_MS,
    waitingMax: WAITING_MAX,
    async run(exchanges) {
      await available(() =>
        pool.query({
          name: 'insert-operator-exchanges',
          text: `insert into operator_exchanges (${OPERATOR_EXCHANGE.names()})
                 select ${OPERATOR_EXCHANGE.names()} from json_to_recordset($1) as r(${OPERATOR_EXCHANGE.definition})`,
          values: [OPERATOR_EXCHANGE.json(exchanges)],
        }),
      )
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
      await Promise.all(open)
    },
  }
}
