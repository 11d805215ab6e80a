import { available, type Pool } from '../../storage/pool.ts'
import { WIRE_INSTALLATIONS } from './wire-installations.ts'

const NAMES = WIRE_INSTALLATIONS.map(({ name }) => name)

/** Leads the providers of the sandbox's own installations there; those that lead elsewhere stay. */
export const leadToWire = (pool: Pool): Promise<void> =>
  available(async () => {
    await pool.query(
      `update providers p set installation = w.name
       from json_to_recordset($1) as w(provider text, name text) where p.code = w.provider and p.installation is null`,
      [JSON.stringify(WIRE_INSTALLATIONS)],
    )
  })

/** Lets them be simulated again. */
export const leadBack = (pool: Pool): Promise<void> =>
  available(async () => {
    await pool.query('update providers set installation = null where installation = any($1)', [NAMES])
  })

/** Whether an order still waits for one of those operators. */
export const isAwaited = (pool: Pool): Promise<boolean> =>
  available(async () => {
    const { rowCount } = await pool.query(
      `select from transactions where status = 'PROCESSING' and rail_installation = any($1) limit 1`,
      [NAMES],
    )
    return rowCount !== 0
  })
