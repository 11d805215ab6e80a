import { PAYMENT_JOB_KINDS } from '../../../actions/ports/jobs.ts'
import { available, type Pool } from '../../../storage/pool.ts'
import { WIRE_RAIL_ACCOUNTS } from './wire-rail-accounts.ts'

const NAMES = WIRE_RAIL_ACCOUNTS.map(({ name }) => name)

// Each start checks first: an update, even of no rows, would make every process reload its reference data.

/**
 * Routes the providers of the sandbox's own rail accounts to them; providers that are routed elsewhere do not change.
 */
export const leadToWire = (pool: Pool): Promise<void> =>
  available(async () => {
    const given = [JSON.stringify(WIRE_RAIL_ACCOUNTS)]
    const wired = 'json_to_recordset($1) as w(provider text, name text)'
    const isOpen = 'p.code = w.provider and p.rail_account is null'
    const { rowCount } = await pool.query(`select from providers p, ${wired} where ${isOpen} limit 1`, given)
    if (rowCount !== 0)
      await pool.query(`update providers p set rail_account = w.name from ${wired} where ${isOpen}`, given)
  })

/** Routes them back to the simulated rail. */
export const leadBack = (pool: Pool): Promise<void> =>
  available(async () => {
    const { rowCount } = await pool.query('select from providers where rail_account = any($1) limit 1', [NAMES])
    if (rowCount !== 0)
      await pool.query('update providers set rail_account = null where rail_account = any($1)', [NAMES])
  })

/** Whether an order still waits for one of those operators. */
export const isAwaited = (pool: Pool): Promise<boolean> =>
  available(async () => {
    const { rowCount } = await pool.query(
      `select from jobs w join transactions t on t.id = w.subject_id
       where w.kind = any($2) and t.status = 'PROCESSING' and t.rail_account = any($1) limit 1`,
      [NAMES, PAYMENT_JOB_KINDS],
    )
    return rowCount !== 0
  })
