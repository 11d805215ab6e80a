import type { CircuitStateName } from '../actions/ports/operator-exchanges.ts'
import { GONE_AFTER_MS } from './processes.ts'
import { available, type Queryable } from './pool.ts'

/** The circuit of a rail account as one process sees it. */
interface SeenCircuit {
  readonly railAccount: string
  readonly processId: string
  readonly state: CircuitStateName
  readonly since: Date
  readonly lastError?: string
  readonly nextTryAt: Date | undefined
}

const ERROR_MAX = 200

/** Stores a circuit that has changed; one that is closed is not kept. */
export const saveCircuit = (
  database: Queryable,
  { railAccount, processId, state, since, lastError, nextTryAt }: SeenCircuit,
): Promise<void> =>
  available(async () => {
    await (state === 'closed'
      ? database.query('delete from rail_circuits where rail_account = $1 and process_id = $2', [
          railAccount,
          processId,
        ])
      : database.query(
          `insert into rail_circuits (rail_account, process_id, state, since, next_try_at, last_error)
           values ($1, $2, $3, $4, $5, $6) on conflict (rail_account, process_id) do update
             set state = $3, since = $4, next_try_at = $5, last_error = $6`,
          [railAccount, processId, state, since, nextTryAt, lastError?.slice(0, ERROR_MAX)],
        ))
  })

/** The worst that any living process sees of a rail account. */
export interface RailCircuit {
  readonly rail_account: string
  readonly state: CircuitStateName
  readonly since: Date
  readonly next_try_at: Date | null
  readonly last_error: string | null
}

/** Rail accounts whose circuit is not closed, for queries that count them. */
export const CIRCUITS = `select distinct on (c.rail_account) c.rail_account, c.state, c.since, c.next_try_at, c.last_error
  from rail_circuits c join processes p on p.id = c.process_id
    join rail_accounts a on a.name = c.rail_account and a.removed_at is null
  where p.seen_at > clock_timestamp() - interval '${GONE_AFTER_MS} milliseconds'
  order by c.rail_account, c.state = 'open' desc, c.since`

/** By rail account; missing where the circuit is closed everywhere. */
export const railCircuits = (database: Queryable): Promise<ReadonlyMap<string, RailCircuit>> =>
  available(async () => {
    const { rows } = await database.query<RailCircuit>(CIRCUITS)
    return new Map(rows.map((row) => [row.rail_account, row]))
  })
