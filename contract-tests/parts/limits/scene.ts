import type { RunOptions, Target } from '../../harness/part.ts'
import { passOn, type WireRequest } from '../../harness/proxy.ts'
import { createFindings, type Findings } from '../receiver/findings.ts'
import { createAct, type Act } from './act.ts'
import type { Merchant } from './merchant.ts'
import { said, type Said } from './requests.ts'
import { createStory } from './story.ts'

/** What all limits of a run have in common. */
export interface Scene {
  readonly target: Target
  /** Where what the target sends arrives; absent: nobody told it about us. */
  readonly merchant?: Merchant
  readonly size: RunOptions['size']
  readonly seed: number
  readonly findings: Findings
  /** What was asked so far. */
  readonly cases: number
  /** Things that belong together: what is done in one of them is the line that shows its findings. */
  act(name: string): Act
  /** What could not be looked at, and why. */
  readonly leftOut: string[]
  leave(what: string): void
}

export function createScene(
  target: Target,
  { seed, size }: Pick<RunOptions, 'seed' | 'size'>,
  { merchant, prefix = 'LIMITS' }: { readonly merchant?: Merchant | undefined; readonly prefix?: string } = {},
): Scene {
  // A server that goes on knows the references and numbers of earlier runs; our own is a new one each time.
  const start = target.own ? seed : Math.floor(Date.now() / 1000)
  const stamp = String(start % 1e10).padStart(10, '0')
  const findings = createFindings()
  const leftOut: string[] = []
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
    leftOut,
    leave: (what) => {
      if (!leftOut.includes(what)) leftOut.push(what)
    },
    act: (name) => createAct({ target, findings, broken, fresh, send, name, story: createStory(target, stamp) }),
  }

  async function send(request: WireRequest): Promise<Said> {
    cases += 1
    return said(await passOn(url, request).catch(() => undefined))
  }
}
