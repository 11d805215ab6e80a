import { WIRE_RAIL_ACCOUNTS } from '../../local/sandbox/operators/wire-rail-accounts.ts'
import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import { listRailAccounts } from '../queries/rail-accounts.ts'
import { MALIPO } from './called-as.ts'
import type { Context } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'

/** Where `malipo-operator` listens by default, and where the docs let the others listen. */
const USUAL_ADDRESSES = ['http://127.0.0.1:9101', 'http://127.0.0.1:9102', 'http://127.0.0.1:9103']
const ANSWER_MS_MAX = 2_000

/** A simulator of an operator, with the settings for its rail account. */
interface SandboxOperator {
  readonly baseUrl: string
  readonly currency: string
  readonly settings: SettingValues
}

/**
 * Finds a simulator of this operator on this machine: the gateway's own (MALIPO_SANDBOX_RAILS=wire), else one that
 * `malipo-operator` runs.
 * @param currency which of its countries; needed where it has several
 * @throws CliError in live mode, and when none answers: the message says how to start one
 */
export async function sandboxOperator(
  { config, pool }: Pick<Context, 'config' | 'pool'>,
  { name: kind, title }: RailKind,
  currency: string | undefined,
): Promise<SandboxOperator> {
  if (config.mode === 'live') throw usedWrongly('malipo: --sandbox leads to a simulator: live mode takes none')
  const names = WIRE_RAIL_ACCOUNTS.filter(({ rail }) => rail === kind).map(({ name }) => name)
  const installed = (await listRailAccounts(pool)).find(({ name }) => names.includes(name))
  for (const baseUrl of [...(installed ? [installed.base_url] : []), ...USUAL_ADDRESSES]) {
    const reported = await recordAt(baseUrl)
    if (reported?.kind !== kind) continue
    const { rail_accounts: railAccounts } = reported
    const known = railAccounts.map((one) => one.currency).join(', ')
    const one = currency === undefined ? railAccounts[0] : railAccounts.find((each) => each.currency === currency)
    if (!one || (currency === undefined && railAccounts.length > 1))
      throw usedWrongly(`malipo: the simulator at ${baseUrl} has ${known}: say which with --currency`)
    const reportsTo = baseUrl === installed?.base_url ? installed.settings['callback_base_url'] : undefined
    return {
      baseUrl,
      currency: one.currency,
      settings: { ...one.settings, ...(reportsTo !== undefined && { callback_base_url: reportsTo }) },
    }
  }
  throw new CliError(
    `malipo: no simulator of ${title} answers on this machine. Start one in another terminal:\n  npx --no -- malipo-operator ${kind}\nor the gateway with its own: MALIPO_SANDBOX_RAILS=wire ${MALIPO} serve`,
  )
}

interface RailRecord {
  readonly kind: string
  readonly rail_accounts: readonly { readonly currency: string; readonly settings: SettingValues }[]
}

/** @returns undefined when nothing answers there, or something else does */
async function recordAt(baseUrl: string): Promise<RailRecord | undefined> {
  try {
    const response = await fetch(`${baseUrl}/simulator/rail.json`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    return response.ok ? ((await response.json()) as RailRecord) : undefined
  } catch {
    return undefined
  }
}
