import type { Clock } from '../../../actions/ports/clock.ts'
import { StorageUnavailable } from '../../../actions/ports/store.ts'
import type { CallbackKeys } from '../../../domain/callback-tokens.ts'
import { present } from '../../../domain/present.ts'
import type { Random } from '../../../domain/references.ts'
import { railKind } from '../../../rails/registry.ts'
import { available, type Pool } from '../../../storage/pool.ts'
import type { SecretBox } from '../../../storage/secret-box.ts'
import { hold, type HeldSession } from './held-session.ts'
import { keepRailAccounts, lastRailAccounts } from './keep-rail-accounts.ts'
import { closeOperators, startOperators, type SimulatedOperator } from './simulated-operators.ts'
import { WIRE_RAIL_ACCOUNTS, WIRE_SETTINGS } from './wire-rail-accounts.ts'

interface OperatorsDeps {
  readonly pool: Pool
  readonly box: SecretBox
  readonly clock: Clock
  readonly random: Random
  /** How long simulated customers take. */
  readonly delayMs: number
  /** Where the operators send callbacks: this process, on this machine. */
  readonly callbackBase: string
  /** The path of a rail account's own address there. */
  readonly accountPath: (name: string, keys: CallbackKeys, tail: string) => string
  /** Called when they run here and their rail accounts exist. */
  readonly onHosted: () => Promise<unknown>
}

/** The sandbox's simulated operators in this process; of several processes only one runs them. */
export interface SandboxOperators {
  /** Starts them, unless they run here or in another process. @returns whether they run here now */
  host(): Promise<boolean>
  /** Runs what is due by their clocks, and waits until it is reported. @returns how many callbacks were sent */
  runDue(): Promise<number>
  /** When they do or report something next, where they run here. */
  nextDue(): Date | undefined
  /** Their names and addresses; empty if another process runs them. */
  addresses(): readonly { readonly title: string; readonly url: string }[]
  /** Stops all reports: what becomes due waits for the next start. */
  pause(): Promise<void>
  close(): Promise<void>
}

/** Only the process with this lock runs them and writes their journals. When its session ends it loses both. */
const LOCK = 0x6d616c69

export function createOperators(deps: OperatorsDeps): SandboxOperators {
  const { pool, clock } = deps
  let hosted: { readonly held: HeldSession; readonly operators: readonly SimulatedOperator[] } | undefined

  async function start(held: HeldSession): Promise<void> {
    const { session } = held
    const stored = storedRailAccounts(deps)
    await stored.read()
    const operators = await startOperators({ ...deps, ...stored, session, onBroken: () => void stop(held) })
    hosted = { held, operators }
    held.whenLost(() => void stop(held))
    await keepRailAccounts(pool, deps.box, deps.random, railAccountsOf(operators, deps), clock.now())
    await stored.read()
    await deps.onHosted()
    // Without its session this process may not write, and another one may have taken over.
    if (hosted?.held !== held) throw new StorageUnavailable(new Error('the session of the operators was lost'))
  }

  async function stop(held: HeldSession): Promise<void> {
    const operators = hosted?.held === held ? hosted.operators : []
    if (hosted?.held === held) hosted = undefined
    await closeOperators(operators)
    held.giveUp()
  }

  async function host(): Promise<boolean> {
    if (hosted) return true
    const held = hold(await pool.connect())
    try {
      const { rows } = await held.session.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK])
      if (rows[0]?.mine) await start(held)
      else held.giveUp()
      return rows[0]?.mine ?? false
    } catch (error) {
      await stop(held)
      throw error
    }
  }

  return {
    host: () => available(host),
    runDue: () => runDueOf(hosted?.operators ?? []),
    nextDue: () => nextDueOf(hosted?.operators ?? []),
    addresses: () =>
      (hosted?.operators ?? []).map(({ simulator }) => ({ title: simulator.operator.title, url: simulator.url })),
    async pause() {
      for (const { time, simulator } of hosted?.operators ?? []) {
        time.stop()
        await simulator.callbacks.idle()
      }
    },
    async close() {
      if (hosted) await stop(hosted.held)
    },
  }
}

function nextDueOf(operators: readonly SimulatedOperator[]): Date | undefined {
  const dues = operators.flatMap(({ time }) => time.nextDue()?.getTime() ?? [])
  return dues.length > 0 ? new Date(Math.min(...dues)) : undefined
}

async function runDueOf(operators: readonly SimulatedOperator[]): Promise<number> {
  let happened = 0
  for (const { simulator, time } of operators) {
    const before = simulator.callbacks.sent()
    time.advance(0)
    await simulator.callbacks.idle()
    happened += simulator.callbacks.sent() - before
  }
  return happened
}

/** What an earlier start has left of the rail accounts, or this one. */
function storedRailAccounts({ pool, box, callbackBase, accountPath }: OperatorsDeps) {
  let byName: Awaited<ReturnType<typeof lastRailAccounts>> = new Map()
  return {
    async read(): Promise<void> {
      byName = await lastRailAccounts(pool, box)
    },
    lastUrl: (rail: string) => byName.values().find((one) => one.rail === rail)?.baseUrl,
    /** As the operator's portal has it. */
    callbackUrl(rail: string, country: string): string | undefined {
      const { name = '' } =
        WIRE_RAIL_ACCOUNTS.find((one) => one.rail === rail && one.settings['country'] === country) ?? {}
      const [keys, [tail] = []] = [byName.get(name)?.callbackKeys, railKind(rail)?.accountTails]
      return keys && tail && `${callbackBase}${accountPath(name, keys, tail)}`
    },
  }
}

function railAccountsOf(operators: readonly SimulatedOperator[], { callbackBase }: OperatorsDeps) {
  const byRail = new Map(operators.map(({ rail, simulator }) => [rail, simulator]))
  return WIRE_RAIL_ACCOUNTS.map(({ name, rail, currency, settings }) => {
    const { url, open } = present(byRail.get(rail), `the operator of ${rail}`)
    return {
      name,
      rail,
      currency,
      baseUrl: url,
      settings: { ...open.railSettings, ...WIRE_SETTINGS, callback_base_url: callbackBase, ...settings },
    }
  })
}
