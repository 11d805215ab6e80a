import type { RunOptions, Target } from '../../harness/part.ts'
import { passOn, type WireRequest } from '../../harness/proxy.ts'
import { createFindings, type Findings } from '../receiver/findings.ts'
import { createDriver, type LimitsDriver } from './driver.ts'
import type { Merchant } from './merchant.ts'
import { toApiReply, type ApiReply } from './requests.ts'
import { createStory } from './story.ts'

/** The state that all limit checks of a run share. */
export interface LimitsFixture {
  readonly target: Target
  /** Receives what the target sends; absent: there is no receiver. */
  readonly merchant?: Merchant
  readonly size: RunOptions['size']
  readonly seed: number
  readonly findings: Findings
  /** Requests so far. */
  readonly cases: number
  /** A group of related requests: they form the line that reproduces its findings. */
  driver(name: string): LimitsDriver
  /** Skipped checks, with the reason. */
  readonly skippedChecks: string[]
  skip(what: string): void
}

export function createLimitsFixture(
  target: Target,
  { seed, size }: Pick<RunOptions, 'seed' | 'size'>,
  { merchant, prefix = 'LIMITS' }: { readonly merchant?: Merchant | undefined; readonly prefix?: string } = {},
): LimitsFixture {
  // A running server knows the references and numbers of earlier runs; our own is a new one each time.
  const start = target.own ? seed : Math.floor(Date.now() / 1000)
  const stamp = String(start % 1e10).padStart(10, '0')
  const findings = createFindings()
  const skipped: string[] = []
  const url = new URL(target.url)
  let cases = 0
  let counter = 0
  const broken = new Set<string>()
  const fresh = { prefix, stamp, number: () => counter++, startsAt: start }
  return {
    target,
    ...(merchant && { merchant }),
    size,
    seed,
    findings,
    get cases() {
      return cases
    },
    skippedChecks: skipped,
    skip: (what) => {
      if (!skipped.includes(what)) skipped.push(what)
    },
    driver: (name) => createDriver({ target, findings, broken, fresh, send, name, story: createStory(target, stamp) }),
  }

  async function send(request: WireRequest): Promise<ApiReply> {
    cases += 1
    return toApiReply(await passOn(url, request).catch(() => undefined))
  }
}
