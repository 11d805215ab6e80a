import { recheckFindings } from '../../harness/recheck.ts'
import type { PartResult } from '../../harness/part.ts'
import { watchAround } from '../../harness/watch/around.ts'
import { WATCH } from '../../harness/watch/watch.ts'
import type { ScratchDatabases } from '../../../server/verification/testing/scratch-databases.ts'
import type { DrillPart } from './drill-parts.ts'
import type { Fault } from './fault.ts'
import { drop, openSite } from './site.ts'

/** `killed`: reported. `survived`: not. `no verdict`: the run did not end, which a pipeline would notice as well. */
export type Verdict = 'killed' | 'survived' | 'no verdict'

export interface Outcome {
  readonly fault: string
  readonly part: string
  /** For the watch: the part whose exchanges were watched. */
  readonly through?: string
  readonly verdict: Verdict
  /** The first finding, or why there is no verdict. */
  readonly said?: string
  readonly durationMs: number
  /** Digest of its inputs, see kept-outcomes.ts. */
  readonly made?: string
}

/** The drill was stopped. */
export class DrillStopped extends Error {
  override readonly name = 'Stopped'
}

export interface RunSettings {
  readonly databases: Pick<ScratchDatabases, 'create'>
  readonly seed: number
  /** A copy that nobody changes while the drill runs: findings must be the fault's doing. */
  readonly contract: string
  readonly signal?: AbortSignal
}

/** Several times what the longest takes alone: the machine may be busy. */
const RUN_MS_MAX = 900_000
/** A part whose gateway was closed ends on its own. */
const END_MS_MAX = 15_000

/** The part's verdict on a fault, and the watch's verdict on the same traffic. */
export type Outcomes = readonly [own: Outcome, everywhere: Outcome]
/** Runs one part against a new gateway with one fault. */
export type RunPart = (part: DrillPart, fault: Fault, settings: RunSettings) => Promise<Outcomes>

/** In this process. @throws Stopped by the signal, after everything is closed */
export const hold: RunPart = async (part, fault, { databases, seed, contract, signal }) => {
  const startedAt = performance.now()
  const outcome = ([verdict, said]: VerdictText): Outcome => ({
    fault: fault.name,
    part: part.name,
    verdict,
    ...(said !== undefined && { said }),
    durationMs: Math.round(performance.now() - startedAt),
  })
  const outcomes = (own: VerdictText, everywhere = own): Outcomes => [
    outcome(own),
    { ...outcome(everywhere), part: WATCH, through: part.name },
  ]
  try {
    const { own, everywhere, trouble } = await heldBy(part, fault, {
      databases,
      seed,
      contract,
      ...(signal && { signal }),
    })
    if (own.status === 'skipped') return outcomes(['no verdict', own.reason])
    return outcomes(saidBy(own, trouble), saidBy(everywhere, trouble))
  } catch (error) {
    if (error instanceof DrillStopped) throw error
    return outcomes(['no verdict', textOf(error)])
  }
}

/** The part's findings, and the watch's; both may be caused by a gateway in trouble. */
export interface PartRun {
  readonly own: PartResult
  readonly everywhere: PartResult | undefined
  readonly trouble: string | undefined
}

/**
 * @throws Error when the gateway does not start or the run does not end; Stopped by the signal, after everything is closed
 */
export async function heldBy(
  part: DrillPart,
  fault: Fault,
  { databases, seed, contract, signal }: RunSettings,
): Promise<PartRun> {
  const connection = await databases.create()
  const site = await openSite(connection, fault, part).catch((error: unknown) => {
    throw new Error(`the gateway did not start: ${textOf(error)}`, { cause: error })
  })
  const watched = await watchAround({ ...site.target, contract })
  const options = { seed, size: 'pull-request', log: () => undefined } as const
  // As the suite does: a time-dependent finding must recur.
  const running = part.run(watched.target, options, fault).then(recheckFindings)
  try {
    const own = await inTime(running, RUN_MS_MAX, signal)
    return { own, everywhere: watched.result(), trouble: site.trouble() }
  } finally {
    await site.close()
    await watched.close()
    await inTime(running, END_MS_MAX).catch(() => undefined)
    await drop(connection)
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type VerdictText = readonly [verdict: Verdict, said?: string | undefined]

function saidBy(result: PartResult | undefined, trouble: string | undefined): VerdictText {
  const [first] = result?.findings ?? []
  if (!result || !first) return ['survived']
  const words = `${first.about}: ${first.what}`
  return trouble === undefined
    ? ['killed', words]
    : ['no verdict', `the gateway itself was in trouble (${trouble}), and ${result.part} said ${words}`]
}

/** @throws Error after the time limit, Stopped by the signal; the work itself goes on */
async function inTime<Value>(work: Promise<Value>, timeoutMs: number, signal?: AbortSignal): Promise<Value> {
  const end = Promise.withResolvers<never>()
  const timer = setTimeout(() => end.reject(new Error(`no end within ${timeoutMs / 1000} s`)), timeoutMs)
  const stop = (): void => end.reject(new DrillStopped('stopped'))
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  return Promise.race([work, end.promise]).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}
