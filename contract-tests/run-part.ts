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
}

/** Runs one part, within its time limit. Whatever goes wrong is a finding, never an error. @param start its target */
export async function runPart<Target>(
  name: string,
  start: () => Promise<RecordedTarget<Target>>,
  run: (target: Target) => Promise<PartResult>,
  { seed, size, audited = async (result) => result, presentable, shown = (finding) => finding }: PartRunOptions<Target>,
): Promise<PartResult> {
  const { done } = beginPart(name, seed)
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
    const { target } = recorded
    const requested = run(target).then(recheckFindings)
    const result = await audited(await Promise.race([requested, timeLimit]), target)
    return presentable(
      { ...result, findings: byCause(result.findings.map((finding) => shown(finding, target))) },
      target,
    )
  } catch (error) {
    // An exception's message goes into the same reports.
    return recorded ? presentable(broken(error), recorded.target) : broken(error)
  } finally {
    clearTimeout(late)
    await recorded?.close()
  }
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
    ...(result.seenOnce && { seenOnce: result.seenOnce.map(reported) }),
  }
}
