import type { Redact } from './harness/curl.ts'
import { byCause } from './harness/causes.ts'
import { beginPart, type Finding, type PartResult, type RunOptions } from './harness/part.ts'
import { recheckFindings } from './harness/recheck.ts'
import type { RecordedTarget } from './harness/targets.ts'

const PART_MS_MAX: Readonly<Record<RunOptions['size'], number>> = {
  'pull-request': 10 * 60_000,
  nightly: 6 * 3_600_000,
}

/** How a part of a suite runs on one kind of target. */
interface PartRunOptions<Target> extends Pick<RunOptions, 'seed' | 'size'> {
  /** Checks the target when the part is done, without a time limit. */
  readonly audited?: (result: PartResult, target: Target) => Promise<PartResult>
  /** The result without secrets. */
  readonly presentable: (result: PartResult, target: Target) => PartResult
  /** A finding with the line that reproduces it on another day. */
  readonly shown?: (finding: Finding, target: Target) => Finding
  /** Replaces secrets of the target. */
  readonly hide: (target: Target) => Redact
  /** Ends the part early. */
  readonly signal?: AbortSignal | undefined
}

/** Runs one part, within its time limit. Whatever goes wrong is a finding, never an error. @param start its target */
export async function runPart<Target>(
  name: string,
  start: () => Promise<RecordedTarget<Target>>,
  run: (target: Target) => Promise<PartResult>,
  options: PartRunOptions<Target>,
): Promise<PartResult> {
  const { seed, size, audited = async (result) => result, presentable, shown = (finding) => finding } = options
  const { hide, signal } = options
  const { done, skipped } = beginPart(name, seed)
  const broken = (error: unknown): PartResult => {
    const what = `the part did not end: ${error instanceof Error ? error.message : String(error)}`
    return done({ cases: 0, checks: 0, findings: [{ about: name, what }] })
  }
  let recorded: RecordedTarget<Target> | undefined
  let late: NodeJS.Timeout | undefined
  try {
    recorded = await start()
    const timeLimit = new Promise<never>((_resolve, reject) => {
      late = setTimeout(
        () => reject(new Error(`it took longer than ${PART_MS_MAX[size] / 60_000} minutes`)),
        PART_MS_MAX[size],
      )
    })
    const { target, unanswered } = recorded
    const complete = (result: PartResult): PartResult => withUnanswered(result, unanswered.findings(hide(target)))
    const requested = run(target).then((result) => recheckFindings(complete(result)))
    // After the end nobody waits for it.
    requested.catch(() => undefined)
    const ended = await Promise.race([requested, timeLimit, interrupted(signal)])
    if (ended === INTERRUPTED)
      return presentable(complete(skipped('the run was interrupted before this part ended')), target)
    const result = await audited(ended, target)
    return presentable(
      { ...result, findings: byCause(result.findings.map((finding) => shown(finding, target))) },
      target,
    )
  } catch (error) {
    // An exception's message goes into the same reports.
    return recorded ? presentable(broken(error), recorded.target) : broken(error)
  } finally {
    clearTimeout(late)
    await (signal?.aborted ? closedSoon(recorded) : recorded?.close())
  }
}

const CLOSING_MS_MAX = 5_000

/** An interrupted part may still be at work on its target: neither its errors nor its waits matter any more. */
const closedSoon = (recorded: { close(): Promise<void> } | undefined): Promise<unknown> =>
  Promise.race([
    recorded?.close().catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, CLOSING_MS_MAX).unref()),
  ])

const INTERRUPTED = Symbol('interrupted')

const interrupted = (signal: AbortSignal | undefined): Promise<typeof INTERRUPTED> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve(INTERRUPTED)
    signal?.addEventListener('abort', () => resolve(INTERRUPTED), { once: true })
  })

/** What a part says of a request without a reply adds nothing to the finding about that request. */
const OF_NO_REPLY = /\b(no reply|socket hang up|ECONNRESET|fetch failed|was not answered)\b/

/** The part's findings, with those about requests without a reply first, and their follow-ups below them. */
function withUnanswered(result: PartResult, unanswered: readonly Finding[]): PartResult {
  const [first, ...others] = unanswered
  if (!first) return result
  const { true: follow = [], false: own = [] } = Object.groupBy(result.findings, ({ what }) =>
    OF_NO_REPLY.test(what) ? 'true' : 'false',
  )
  const also = follow.map(({ about, what }) => `${about}: ${what}`)
  const findings = [{ ...first, ...(also.length > 0 && { also }) }, ...others, ...own]
  return { ...result, findings, status: 'findings' }
}

/** Replaces the recorders' addresses, which are of no use to a reader. @param shown the address in their place */
export function withAddressOf(
  result: PartResult,
  { url, directUrl = url }: { readonly url: string; readonly directUrl?: string },
  shown: string,
  hide: Redact,
): PartResult {
  const { hostname, port, host } = new URL(shown)
  // As an address, as a Host header, and as bash opens it.
  const elsewhere = (text: string, address: string): string => {
    const own = new URL(address)
    return text
      .replaceAll(address, shown)
      .replaceAll(own.host, host)
      .replaceAll(`/dev/tcp/${own.hostname}/${own.port}`, `/dev/tcp/${hostname}/${port || 80}`)
  }
  const plain = (text: string): string => hide([url, directUrl].reduce(elsewhere, text))
  const reported = ({ what, curl, also, cause, recurs: _recurs, ...finding }: Finding): Finding => ({
    ...finding,
    what: plain(what),
    ...(curl !== undefined && { curl: plain(curl) }),
    ...(also && { also: also.map(plain) }),
    ...(cause !== undefined && { cause: plain(cause) }),
  })
  return {
    ...result,
    ...(result.reason !== undefined && { reason: plain(result.reason) }),
    findings: result.findings.map(reported),
    ...(result.notReproduced && { notReproduced: result.notReproduced.map(reported) }),
  }
}
