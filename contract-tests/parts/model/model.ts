import { OK, status } from '../../driver/merchant-replies.ts'
import { startReceiver } from '../../driver/merchant-server.ts'
import { getRequest, sendRequest, walletsRequest } from '../../driver/requests.ts'
import { HANDSHAKE } from '../../driver/webhooks.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { readLimits } from './recipes.ts'
import { searchModel, type SearchOptions } from './search.ts'

type SearchSize = Omit<SearchOptions, 'seed' | 'log'>

export const SIZES = {
  'pull-request': { runs: 20, commandsMax: 25, shorterMax: 60, findingsMax: 3 },
  nightly: { runs: 800, commandsMax: 60, shorterMax: 200, findingsMax: 5 },
} as const satisfies Record<string, SearchSize>
/** A run takes seconds on a server whose clock is not ours, and leftovers of an aborted run stay: no shrinking. */
const FOREIGN = { runs: 4, commandsMax: 12, shorterMax: 0, findingsMax: 1 } as const

/** Random command sequences; each step is checked against a model of limits and states. */
export const modelPart: Part = {
  name: 'model',
  runsBeside: true,
  what: 'random commands against a model of limits and states',
  run: (target, options) => runModel(target, options, target.own ? SIZES[options.size] : FOREIGN),
}

export async function runModel(target: Target, { seed, log }: RunOptions, size: SearchSize): Promise<PartResult> {
  const { done, skipped } = beginPart('model', seed)
  if (!target.sandbox) return skipped("it needs the sandbox's test numbers")
  const rejected = new Set<string>()
  const receiver =
    target.receiver &&
    (await startReceiver({
      port: target.receiver.port,
      decide: ({ webhook, reference = '' }) => (webhook === HANDSHAKE && rejected.has(reference) ? status(404) : OK),
    }).catch(() => undefined))
  try {
    const limits = await readLimits({
      get: (path) => sendRequest(target.url, getRequest(target, path)),
      wallets: () => sendRequest(target.url, walletsRequest(target)),
    })
    const what = 'the server lists none of the providers of the sandbox'
    if (limits.size === 0) return done({ cases: 0, checks: 1, findings: [{ about: 'listPaymentProviders', what }] })
    const checks = new Map<string, number>()
    const system = { target, own: target.own, limits, receiver, rejected, checks }
    const { commands, ...report } = await searchModel(system, { ...size, seed, log })
    return done({
      ...report,
      cases: commands,
      checks: [...checks.values()].reduce((sum, each) => sum + each, 0),
      rules: [...checks.keys()],
      reason: skippedBy(target, receiver !== undefined),
    })
  } finally {
    await receiver?.close()
  }
}

function skippedBy({ own, receiver }: Target, receives: boolean): string | undefined {
  const parts = [
    ...(own ? [] : ['the clock, restarts, the audit, payment pages and large amounts (not our gateway)']),
    ...(receives ? [] : [`callbacks and handshakes (${receiver ? `port ${receiver.port} is taken` : 'no receiver'})`]),
  ]
  return parts.length > 0 ? `skipped: ${parts.join('; ')}` : undefined
}
