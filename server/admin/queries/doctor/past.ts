import type pg from 'pg'
import { inTransaction, type Pool } from '../../../storage/pool.ts'

/** An advisory lock: whoever plays a sandbox's past holds it, and payments are unfinished meanwhile. */
const LOCK = 7_212_030
const WAIT_MS_MAX = 60_000

/** Plays a past while no doctor looks. @param isHeld false where sessions are shared, as behind a pooler */
export async function whilePlaying(pool: Pool, isHeld: boolean, play: () => Promise<void>): Promise<void> {
  if (!isHeld) return play()
  const session = await pool.connect()
  try {
    await session.query('select pg_advisory_lock($1)', [LOCK])
    await play()
  } finally {
    // With the session its lock ends.
    session.release(true)
  }
}

/** Waits for a past that is being played, but not for ever. */
export const untilPlayed = (pool: Pool): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${WAIT_MS_MAX}; set local statement_timeout = ${WAIT_MS_MAX}`)
    const wait = { text: `select pg_advisory_xact_lock_shared(${LOCK})`, answerMsMax: WAIT_MS_MAX + 1_000 }
    await client.query(wait as pg.QueryConfig)
  })
