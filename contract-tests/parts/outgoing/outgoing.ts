import { createFixture } from '../../driver/fixture.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { REQUESTS, type OutgoingCheck } from './checks.ts'

/** Sends requests that no other part sends, so that what goes out in reply can be judged. */
export const outgoingPart: Part = {
  name: 'outgoing',
  what: 'hidden paths, pages beside the contract, both RSA public keys, addresses of redirects letter for letter',
  run: (target, options) => runOutgoing(target, options, Object.values(REQUESTS)),
}

export async function runOutgoing(
  target: Target,
  { seed, size }: Pick<RunOptions, 'seed' | 'size'>,
  requests: readonly OutgoingCheck[],
): Promise<PartResult> {
  const { done } = beginPart('outgoing', seed)
  const fixture = createFixture(target, { seed, size }, { prefix: 'OUTGOING' })
  for (const request of requests) await request(fixture)
  return done(fixture.outcome())
}
