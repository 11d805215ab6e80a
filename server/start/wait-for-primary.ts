import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config, Role } from '../config.ts'
import { connectionTo } from '../storage/database-hosts.ts'
import { checkReachable } from '../admin/queries/database-state.ts'
import { mayTakeWritesSoon } from '../storage/primary-soon.ts'
import type { WaitingServer } from './waiting-server.ts'

/** How often a start looks for a primary. */
const POLL_MS = 500

interface StartSurroundings {
  readonly logger: Logger
  readonly role: Role
  /** Aborted: the start is cancelled. */
  readonly stopSignal: AbortSignal | undefined
}

/**
 * Starts on the primary of DATABASE_URL. While there is none, as during a failover, and when it disappears during the
 * start, the start waits, for MALIPO_DATABASE_WAIT_MS in total: live, and not ready.
 * @throws what `start` throws, why the database cannot be used, or AbortError
 */
export async function startOnPrimary<Started>(
  config: Config,
  surroundings: StartSurroundings,
  start: () => Promise<Started>,
): Promise<Started> {
  const connection = connectionTo(config.databaseUrl ?? '')
  const until = performance.now() + config.databaseWaitMs
  let wasFound = false
  let waiting: WaitingServer | undefined
  try {
    for (;;) {
      try {
        await checkReachable(connection)
        wasFound = true
        // It occupies the addresses that the gateway is going to listen on.
        await waiting?.end()
        return await start()
      } catch (error) {
        if (!mayTakeWritesSoon(error, wasFound) || performance.now() >= until) throw error
        waiting ??= await openWaiting(error, config, surroundings)
        await waiting.listen()
      }
      await pause(POLL_MS, undefined, { signal: surroundings.stopSignal })
    }
  } finally {
    await waiting?.end()
  }
}

/** Logs once what the start waits for. */
async function openWaiting(
  error: unknown,
  config: Config,
  { logger, role }: StartSurroundings,
): Promise<WaitingServer> {
  const seconds = Math.ceil(config.databaseWaitMs / 1000)
  logger.warn({ err: error }, `no primary yet: the start waits for one, ${seconds} s at most, and is not ready`)
  const { createWaitingServer } = await import('./waiting-server.ts')
  return createWaitingServer(config, role, logger)
}
