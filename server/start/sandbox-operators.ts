import { ACCOUNT_ADDRESS, orderToken } from '../domain/callback-tokens.ts'
import type { SandboxOperators } from '../local/sandbox/operators/operators.ts'
import { operatorCallbackPath } from '../http/operator-callbacks.ts'
import { railKind } from '../rails/registry.ts'
import { UnfitPooler } from '../storage/pooler.ts'
import { repeat } from './repeat.ts'
import type { Core } from './core.ts'
import type { CleanUp, Foundation } from './foundation.ts'
import type { HttpServer } from './http-server.ts'
import { connectRails, type ConnectedRails } from './rails.ts'

/** How soon another process takes the simulators over when the one that ran them has ended. */
const TAKE_OVER_MS = 1_000

/**
 * In the sandbox with MALIPO_SANDBOX_RAILS=wire: simulators of the operators on this machine, and rail accounts of the
 * real rails that call them. Without it their providers are simulated again; simulators that still owe a result run on
 * until the next start.
 * @returns undefined when there are none
 */
export async function openSandboxOperators(
  foundation: Foundation,
  { reference }: Pick<Core, 'reference'>,
  http: HttpServer | undefined,
  cleanUp: CleanUp,
): Promise<SandboxOperators | undefined> {
  const { config, surroundings, sandbox, connection, pool, box, clock, logError } = foundation
  if (!sandbox || !http) return undefined
  // Loaded only where simulators exist: live mode has none.
  const { isAwaited, leadBack, leadToWire } = await import('../local/sandbox/operators/lead-providers.ts')
  const isWire = config.sandboxRails === 'wire'
  if (!isWire) await leadBack(pool)
  if (!isWire && !(await isAwaited(pool))) {
    await reference.refresh()
    return undefined
  }
  if (connection.pooling === 'transaction') throw new UnfitPooler('session_lock')
  const { createOperators } = await import('../local/sandbox/operators/operators.ts')
  const operators = createOperators({
    pool,
    box,
    clock,
    random: surroundings.random,
    delayMs: config.sandboxDelayMs,
    callbackBase: http.listeningUrl,
    accountPath(name, keys, tail) {
      const token = orderToken(keys, { railAccount: name, orderId: ACCOUNT_ADDRESS }, clock.now())
      return operatorCallbackPath(name, token ?? '', ACCOUNT_ADDRESS, tail)
    },
    // Called by the process that has created the rail accounts: another process may have started before they existed.
    onHosted: () => (isWire ? leadToWire(pool) : Promise.resolve()),
  })
  cleanUp.push(() => operators.close())
  await operators.host()
  await reference.refresh()
  if (!surroundings.runJobs) return operators
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

/**
 * Connects the rails, and does what staff do by `malipo rail check`: simulated operators learn where to ask before a
 * payment that nobody asked for.
 */
export async function connectAndRegister(
  foundation: Foundation,
  core: Core,
  operators: SandboxOperators | undefined,
  url: string | undefined,
): Promise<ConnectedRails> {
  const rails = connectRails(foundation, core, url, operators)
  const urls = new Set(operators?.addresses().map((one) => one.url))
  for (const { name, rail, baseUrl } of core.reference.railAccounts().values())
    if (urls.has(baseUrl) && railKind(rail)?.paymentQuestionTail !== undefined)
      await rails.railAccounts
        .connection(name)
        ?.adapter.check({})
        .catch((error: unknown) => foundation.logError(error, `registering at the operator of ${name}`))
  return rails
}
