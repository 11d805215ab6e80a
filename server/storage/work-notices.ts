import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { ClientBounds } from './database-client.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { leave, openClient } from './open-client.ts'
import type { Pool } from './pool.ts'

// Processes that add work and do none tell those that do it: LISTEN and NOTIFY of PostgreSQL. Nobody depends on it. A
// pooler between us and PostgreSQL may swallow it, another engine may not have it: then everybody looks more often.

const CHANNEL = 'malipo_work'
/** Whether we hear is tried so often: a connection may be dead without a word. */
const TRIED_MS = 30_000
const HEARD_MS_MAX = 2_000
/** After a connection that broke, or heard nothing. */
const AGAIN_MS = 1_000

const BOUNDS: pg.ClientConfig & ClientBounds = {
  application_name: 'malipo (listening)',
  keepAlive: true,
  connectMsMax: HEARD_MS_MAX,
  answerMsMax: HEARD_MS_MAX,
}

/** Tells the processes that do work of work that was added. Outside of the commit that added it, which waits for nobody. */
export const tellOfWork = async (pool: Pool): Promise<void> => {
  await pool.query({ name: 'tell-of-work', text: `select pg_notify('${CHANNEL}', '')` })
}

export interface WorkNotices {
  /** Whether what others tell is heard: as far as is known. */
  isHeard(): boolean
  stop(): Promise<void>
}

export interface NoticeOptions {
  readonly connection: DatabaseConnection
  readonly pool: Pool
  /** Of this process, to know its own voice by. */
  readonly name: string
  readonly onTold: () => void
  /** Hears why nothing is heard. */
  readonly onDeaf: (error: unknown) => void
}

/** Listens on a connection of its own, and on a new one when that breaks. */
export function hearOfWork({ connection, pool, name, onTold, onDeaf }: NoticeOptions): WorkNotices {
  const stopping = new AbortController()
  let heard = false
  let onOwn: () => void = () => undefined

  /** @throws Error when the connection breaks, nothing is heard on it, or we stop */
  async function listen(): Promise<void> {
    const broken = new AbortController()
    const client = await openClient({ ...connection, ...BOUNDS })
    client.once('error', (error) => broken.abort(error))
    client.once('end', () => broken.abort())
    // What is told goes through the host that takes writes.
    const unhear = connection.hosts?.onMoved(() => broken.abort())
    client.on('notification', ({ payload }) => (payload === '' ? onTold() : payload === name && onOwn()))
    const ended = AbortSignal.any([broken.signal, stopping.signal])
    try {
      await client.query(`listen ${CHANNEL}`)
      for (;;) {
        heard = await hearsItself(ended)
        if (!heard) throw new Error('what is told through the database is not heard: is there a pooler in between?')
        await delay(TRIED_MS, undefined, { signal: ended })
      }
    } finally {
      heard = false
      unhear?.()
      await leave(client)
    }
  }

  async function hearsItself(ended: AbortSignal): Promise<boolean> {
    const own = Promise.withResolvers<boolean>()
    onOwn = () => own.resolve(true)
    await pool.query('select pg_notify($1, $2)', [CHANNEL, name])
    return Promise.race([own.promise, delay(HEARD_MS_MAX, false, { signal: ended, ref: false })])
  }

  async function listenOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listen().catch((error: unknown) => !stopping.signal.aborted && onDeaf(error))
      await delay(AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const ended = listenOn()
  return {
    isHeard: () => heard,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
