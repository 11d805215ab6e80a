import { createPool, type Pool } from '../../storage/pool.ts'
import { ownerOf, type Owner } from '../../storage/runtime-rights.ts'
import { withDatabase, type Context } from './database.ts'

interface OwnerContext extends Context {
  /** Connected as the owner, who may change the tables themselves. */
  readonly pool: Pool
  readonly owner: Owner
}

/** Like `withDatabase`, for what only the owner may do: uses MIGRATION_DATABASE_URL where it is set. */
export const withOwner = <Result>(run: (context: OwnerContext) => Promise<Result>): Promise<Result> =>
  withDatabase(async (context) => {
    const owner = await ownerOf(context.database)
    const pool = createPool({ connection: owner.connection, connectionsMax: 2, onError: () => undefined })
    try {
      return await run({ ...context, pool, owner })
    } finally {
      await pool.end()
    }
  })
