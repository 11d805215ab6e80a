import { setTimeout } from 'node:timers/promises'
import { extendChain } from '../../storage/ledger-chain.ts'
import type { Pool } from '../../storage/pool.ts'

/** Chains every committed transfer. A transaction of another database of the server may hold the chain back for a moment. */
export async function chainAll(pool: Pool, now: Date): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    await extendChain(pool, () => now)
    const { rowCount } = await pool.query('select from unchained_transfers')
    if (rowCount === 0) return
    await setTimeout(50)
  }
  throw new Error('transfers are not chained after ten seconds')
}
