import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config, Role } from '../config.ts'
import { connectionTo } from '../storage/database-hosts.ts'
import { checkReachable } from '../storage/operators/database-state.ts'
import { mayTakeWritesSoon } from '../storage/primary-soon.ts'
import type { WaitingServer } from './waiting-server.ts'

/** How often a start looks for a primary. */
const LOOK_MS = 500

export interface StartSurroundings {
  readonly logger: Logger
  readonly role: Role
  /** Aborted: nobody wants the start any more. */
  readonly stopSignal: AbortSignal | undefined
}

/**
 * Starts on the primary of DATABASE_URL. While there is none, as in the middle of a failover, and when it goes away in
 * the middle of the start, it waits, for MALIPO_DATABASE_WAIT_MS in all: live, and not ready.
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
        // It has the addresses that the gateway is to listen on.
        await waiting?.end()
        return await start()
      } catch (error) {
        if (!mayTakeWritesSoon(error, wasFound) || performance.now() >= until) throw error
        waiting ??= await openWaiting(error, config, surroundings)
        await waiting.listen()
      }
      await pause(LOOK_MS, undefined, { signal: surroundings.stopSignal })
    }
  } finally {
    await waiting?.end()
  }
}

/** Says once what the start waits for. */
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
