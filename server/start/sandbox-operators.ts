import type { SandboxOperators } from '../sandbox/operators/operators.ts'
import { UnfitPooler } from '../storage/pooler.ts'
import { repeat } from '../work/repeat.ts'
import type { Core } from './core.ts'
import type { CleanUp, Foundation } from './foundation.ts'
import type { HttpServer } from './http-server.ts'

/** How soon another process takes the operators over when the one that ran them is gone. */
const TAKE_OVER_MS = 1_000

/**
 * In the sandbox with MALIPO_SANDBOX_RAILS=wire: simulators of MTN MoMo and M-PESA on this machine, and installations of
 * the real rails that lead there. Without it their providers are simulated again; operators that still owe a result run on
 * until the next start.
 * @returns undefined where there are none
 */
export async function openSandboxOperators(
  foundation: Foundation,
  { reference }: Pick<Core, 'reference'>,
  http: HttpServer | undefined,
  cleanUp: CleanUp,
): Promise<SandboxOperators | undefined> {
  const { config, surroundings, sandbox, connection, pool, box, clock, logError } = foundation
  if (!sandbox || !http) return undefined
  // Nothing of them is loaded where they are not: live mode has no simulator.
  const { isAwaited, leadBack, leadToWire } = await import('../sandbox/operators/lead-providers.ts')
  const isWire = config.sandboxRails === 'wire'
  if (!isWire) await leadBack(pool)
  if (!isWire && !(await isAwaited(pool))) {
    await reference.refresh()
    return undefined
  }
  if (connection.pooling === 'transaction') throw new UnfitPooler('session_lock')
  const { createOperators } = await import('../sandbox/operators/operators.ts')
  const operators = createOperators({
    pool,
    box,
    clock,
    random: surroundings.random,
    delayMs: config.sandboxDelayMs,
    callbackBase: http.listeningUrl,
    // By whoever has made the installations: another process may have begun before they were there.
    onHosted: () => (isWire ? leadToWire(pool) : Promise.resolve()),
  })
  cleanUp.push(() => operators.close())
  await operators.host()
  await reference.refresh()
  if (!surroundings.runWork) return operators
  const end = repeat(
    TAKE_OVER_MS,
    () => operators.host(),
    (error) => logError(error, 'running the operators of the sandbox'),
  )
  return {
    ...operators,
    async pause() {
      await end()
      await operators.pause()
    },
  }
}
