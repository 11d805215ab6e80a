import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { ClientBounds } from './database-client.ts'
import type { DatabaseConnection } from './database-hosts.ts'
import { close, openClient } from './open-client.ts'
import type { Pool } from './pool.ts'

// Processes that only add jobs notify the processes that run them, with PostgreSQL's LISTEN and NOTIFY. This is an
// optimization only: a pooler in between may swallow notifications, and another engine may not support them. Then every
// process polls more often.

const CHANNEL = 'malipo_work'
/** How often a process notifies itself to check that it receives notifications: a connection may die silently. */
const TRIED_MS = 30_000
const RECEIVED_MS_MAX = 2_000
/** Pause before reconnecting after a connection broke or received nothing. */
const AGAIN_MS = 1_000

const BOUNDS: pg.ClientConfig & ClientBounds = {
  application_name: 'malipo (listening)',
  keepAlive: true,
  connectMsMax: RECEIVED_MS_MAX,
  answerMsMax: RECEIVED_MS_MAX,
}

/**
 * Notifies the processes that run jobs of new jobs. Runs outside of the commit that added them, so the commit waits
 * for no other session.
 */
export const notifyOfJobs = async (pool: Pool): Promise<void> => {
  await pool.query({ name: 'notify-of-jobs', text: `select pg_notify('${CHANNEL}', '')` })
}

export interface JobNotices {
  /** Whether notifications of other processes arrive, as of the last check. */
  isListening(): boolean
  stop(): Promise<void>
}

interface NoticeOptions {
  readonly connection: DatabaseConnection
  readonly pool: Pool
  /** The name of this process, by which it recognizes its own notifications. */
  readonly name: string
  readonly onNotice: () => void
  /** Called with the reason why no notifications arrive. */
  readonly onDeaf: (error: unknown) => void
}

/** Listens on a dedicated connection, and reconnects when it breaks. */
export function onJobNotice({ connection, pool, name, onNotice: onReported, onDeaf }: NoticeOptions): JobNotices {
  const stopping = new AbortController()
  let received = false
  let onOwn: () => void = () => undefined

  /** @throws Error when the connection breaks, receives no notifications, or `stop` is called */
  async function listen(): Promise<void> {
    const broken = new AbortController()
    const client = await openClient({ ...connection, ...BOUNDS })
    client.once('error', (error) => broken.abort(error))
    client.once('end', () => broken.abort())
    // Notifications are sent through the primary, so a failover requires a new connection.
    const unhear = connection.hosts?.onMoved(() => broken.abort())
    client.on('notification', ({ payload }) => (payload === '' ? onReported() : payload === name && onOwn()))
    const ended = AbortSignal.any([broken.signal, stopping.signal])
    try {
      await client.query(`listen ${CHANNEL}`)
      for (;;) {
        received = await receivesItself(ended)
        if (!received)
          throw new Error('notifications through the database do not arrive: is there a pooler in between?')
        await delay(TRIED_MS, undefined, { signal: ended })
      }
    } finally {
      received = false
      unhear?.()
      await close(client)
    }
  }

  async function receivesItself(ended: AbortSignal): Promise<boolean> {
    const own = Promise.withResolvers<boolean>()
    onOwn = () => own.resolve(true)
    await pool.query('select pg_notify($1, $2)', [CHANNEL, name])
    return Promise.race([own.promise, delay(RECEIVED_MS_MAX, false, { signal: ended, ref: false })])
  }

  async function listenOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listen().catch((error: unknown) => !stopping.signal.aborted && onDeaf(error))
      await delay(AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const ended = listenOn()
  return {
    isListening: () => received,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
