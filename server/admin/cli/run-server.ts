import { constants } from 'node:os'
import type { Logger } from 'pino'
import type { Config, Role } from '../../config.ts'
import { startGateway, type Gateway } from '../../main.ts'
import { banner, railNotice, startedRecord } from './banner.ts'
import { createLogger } from './log.ts'
import { print, printJson } from './output.ts'

/** A shutdown that takes longer than this is cut off: unfinished work continues at the next start. */
const STOP_MS_MAX = 15_000
const OUTLIVED_POLL_MS = 1_000
/** Ctrl+C under npm arrives twice, once from the terminal and once from npm: both count as one press. */
const SAME_PRESS_MS = 500

/**
 * Starts the gateway and runs until a signal ends it. Never resolves: the process exits, with 0 after a clean
 * shutdown.
 */
export async function runServer(config: Config, { role, json }: { role: Role; json: boolean }): Promise<void> {
  const human = config.mode === 'sandbox' && process.stdout.isTTY && process.stderr.isTTY
  const logger = createLogger(config.logLevel, { human })
  exitOnFault(logger)
  openNoDebugger()
  const stopQueried = listenForStop(logger, config.drainMs)
  const gateway = await startGateway(config, { logger, role, stopSignal: stopQueried.abort }).catch(
    (error: unknown) => {
      if (stopQueried.abort.aborted && error instanceof Error && error.name === 'AbortError') process.exit(0)
      throw error
    },
  )
  sayWhatIsLeft(gateway)
  if (process.geteuid?.() === 0) logger.warn(asRoot(config))
  const { url, metricsUrl, admin, console, rails, railAccounts, operators } = gateway
  const started = { url, metricsUrl, admin, console, role, config, rails, railAccounts, operators }
  const notice = railNotice(started)
  if (notice !== undefined) logger.warn(rails, notice)
  if (json) printJson(startedRecord(started))
  else print(banner(started))
  const signal = await Promise.race([stopQueried.promise, outliving(gateway, logger)])
  if (signal === 'SIGTERM') await gateway.drain(stopQueried.drainMs)
  await gateway.stop()
  process.exit(signal ? 0 : 1)
}

/** Registered for every exit except SIGKILL: messages in the spool are on this machine's disk alone. */
const sayWhatIsLeft = (gateway: Gateway): unknown =>
  process.once('exit', () => {
    const left = leftText(gateway.spooled())
    if (left !== undefined) process.stderr.write(`${left}\n`)
  })

const leftText = ({ messages, folder }: ReturnType<Gateway['spooled']>): string | undefined =>
  messages === 0
    ? undefined
    : `malipo: ${messages} ${messages === 1 ? 'message of an operator waits' : 'messages of operators wait'} in ${folder}.\nStart a server on this folder: it stores them before anything else. Do not delete it.`

/** Resolves when this process must stop: it was paused while a newer version changed the database. */
const outliving = (gateway: Gateway, logger: Logger): Promise<undefined> =>
  new Promise((resolve) => {
    const poll = setInterval(() => {
      const newer = gateway.outlived()
      if (!newer) return
      clearInterval(poll)
      logger.fatal({ err: newer }, 'the process ends: start the version that the database was migrated for')
      resolve(undefined)
    }, OUTLIVED_POLL_MS)
  })

/** A warning, logged once when the server runs; nothing is refused. */
export const asRoot = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): string =>
  `started as root, which Malipo never needs: a service user of its own is better${databaseUrl === undefined ? '; the embedded PostgreSQL, which refuses root, runs as nobody or in a user namespace' : ''}`

interface StopRequest {
  /** Resolves with the first signal; a second one ends the process at once. */
  readonly promise: Promise<Signal>
  /** Aborted by the same signal: a start that waits for the database can stop waiting. */
  readonly abort: AbortSignal
  /** The drain time on SIGTERM; Ctrl+C does not wait. */
  readonly drainMs: number
}
type Signal = 'SIGINT' | 'SIGTERM'

function listenForStop(logger: Logger, drainMs: number): StopRequest {
  const { promise, resolve } = Promise.withResolvers<Signal>()
  const controller = new AbortController()
  let firstAt: number | undefined
  const onSignal = (signal: Signal) => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      logger.info({ signal }, 'stopping: running work is finished first, a second signal ends it at once')
      setTimeout(
        () => {
          logger.error(`not everything was finished within ${STOP_MS_MAX / 1000} s: it continues at the next start`)
          process.exit(1)
        },
        STOP_MS_MAX + (signal === 'SIGTERM' ? drainMs : 0),
      )
      resolve(signal)
      controller.abort()
    } else if (performance.now() - firstAt > SAME_PRESS_MS) {
      process.exit(128 + constants.signals[signal])
    }
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return { promise, drainMs, abort: controller.signal }
}

/**
 * Without a listener Node opens a debugger on SIGUSR1, and whoever reaches the debugger reads every key from memory.
 * Our own start scripts also pass `--disable-sigusr1`, which applies from the first moment; the program of a package
 * cannot.
 */
const openNoDebugger = (): void => void process.on('SIGUSR1', () => undefined)

/** An unhandled error leaves the process in an unknown state: exiting is safer. */
function exitOnFault(logger: Logger): void {
  const onFault = (error: unknown, origin: string) => {
    logger.fatal({ err: error, origin }, 'unexpected fault, the process ends')
    process.exit(1)
  }
  process.on('uncaughtException', onFault) // also receives unhandled rejections, with their origin
}
