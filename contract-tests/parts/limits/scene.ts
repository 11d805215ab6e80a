import type { RunOptions, Target } from '../../harness/part.ts'
import { passOn, type WireRequest } from '../../harness/proxy.ts'
import { createFindings, type Findings } from '../receiver/findings.ts'
import { createAct, type LimitsDriver } from './act.ts'
import type { Merchant } from './merchant.ts'
import { said, type ApiReply } from './requests.ts'
import { createStory } from './story.ts'

/** What all limits of a run have in common. */
export interface LimitsFixture {
  readonly target: Target
  /** Where what the target sends arrives; absent: nobody told it about us. */
  readonly merchant?: Merchant
  readonly size: RunOptions['size']
  readonly seed: number
  readonly findings: Findings
  /** What was asked so far. */
  readonly cases: number
  /** Things that belong together: what is done in one of them is the line that shows its findings. */
  act(name: string): LimitsDriver
  /** What could not be looked at, and why. */
  readonly leftOut: string[]
  leave(what: string): void
}

export function createScene(
  target: Target,
  { seed, size }: Pick<RunOptions, 'seed' | 'size'>,
  { merchant, prefix = 'LIMITS' }: { readonly merchant?: Merchant | undefined; readonly prefix?: string } = {},
): LimitsFixture {
  // A server that goes on knows the references and numbers of earlier runs; our own is a new one each time.
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
    leftOut: skipped,
    leave: (what) => {
      if (!skipped.includes(what)) skipped.push(what)
    },
    act: (name) => createAct({ target, findings, broken, fresh, send, name, story: createStory(target, stamp) }),
  }

  async function send(request: WireRequest): Promise<ApiReply> {
    cases += 1
    return said(await passOn(url, request).catch(() => undefined))
  }
}
