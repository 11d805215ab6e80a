import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { startMerchantServer } from './merchant-server.ts'
import { checkModel, type ModelOptions, type ModelReport } from './run.ts'

export const SIZES = {
  'pull-request': { runs: 20, commandsMax: 25, shorterMax: 60, findingsMax: 3 },
  nightly: { runs: 800, commandsMax: 60, shorterMax: 200, findingsMax: 5 },
} as const satisfies Record<string, Partial<ModelOptions>>
/** A run takes seconds on a server whose clock is not ours, and leftovers of an aborted run stay: no shrinking. */
const FOREIGN = { runs: 4, commandsMax: 12, shorterMax: 0, findingsMax: 1 } as const

/** Random command sequences sent by the client; each step is checked against a model of money and states. */
export const modelPart: Part = {
  name: 'model',
  what: 'random commands against a model of money and states',
  run: (target, options) => runModel(target, options, target.own ? SIZES[options.size] : FOREIGN),
}

export async function runModel(
  target: Target,
  { seed, log }: RunOptions,
  size: Omit<ModelOptions, 'seed' | 'log'>,
): Promise<PartResult> {
  const { done, skipped } = beginPart('model', seed)
  if (!target.sandbox) return skipped("it needs the sandbox's test numbers")
  const merchant = target.receiver && (await startMerchantServer(target.receiver.port))
  const reason = skippedBy(target, merchant !== undefined)
  try {
    const { commands, ...report } = await search(target, merchant, { ...size, seed, log })
    return done({ ...report, cases: commands, reason })
  } finally {
    await merchant?.close()
  }
}

async function search(...given: Parameters<typeof checkModel>): Promise<ModelReport> {
  try {
    return await checkModel(...given)
  } catch (error) {
    const findings = [{ about: 'the server answers', what: String(error) }]
    return { commands: 0, checks: 0, findings, notReproduced: [], rules: [] }
  }
}

function skippedBy({ own, receiver }: Target, receives: boolean): string | undefined {
  const parts = [
    ...(own ? [] : ['the clock, restarts, the audit, payment pages and large amounts (not our gateway)']),
    ...(receives ? [] : [`callbacks and handshakes (${receiver ? `port ${receiver.port} is taken` : 'no receiver'})`]),
  ]
  return parts.length > 0 ? `skipped: ${parts.join('; ')}` : undefined
}
