import { BoundedMap } from './bounded-map.ts'
import { faultIf, onlyHeader, type Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

const POLICY = /^"([\w-]+)";q=(\d+);/
const LEFT = /^"([\w-]+)";r=(\d+);t=(\d+)$/
/** Two replies of one window name the same end; `t` is in whole seconds. */
const SAME_END_MS = 2_000
/** Processes that count for themselves, behind one address, rise and fall in turn: only what never falls is wrong. */
const RISES_MIN = 5

/** What one limit told last, of one key. */
interface Quota {
  readonly endsAt: number
  readonly left: number
  readonly ended: number
  readonly rises: number
}

function quotaJudge(): Judge {
  const known = new BoundedMap<string, Quota>()
  return ({ exchange: { reply }, direction, host, merchant, began, ended }) => {
    const [, limit, most] = POLICY.exec(onlyHeader(reply.headers, 'ratelimit-policy') ?? '') ?? []
    const [, name, rest, seconds] = LEFT.exec(onlyHeader(reply.headers, 'ratelimit') ?? '') ?? []
    if (direction === 'received' || name === undefined || name !== limit) return []
    const left = Number(rest)
    const key = `${host} ${name} ${merchant}`
    const before = known.get(key)
    if (before && began <= before.ended) return []
    const endsAt = ended + Number(seconds) * 1_000
    const isSameWindow = before !== undefined && Math.abs(endsAt - before.endsAt) < SAME_END_MS
    const rises = isSameWindow && left > before.left ? before.rises + 1 : 0
    known.set(key, { endsAt, left, ended, rises })
    return [
      ...faultIf(
        left > Number(most),
        'more left than the limit',
        `RateLimit says that ${left} requests are left, and RateLimit-Policy that the limit is ${most}`,
      ),
      ...faultIf(
        rises === RISES_MIN,
        'quota that rises',
        `RateLimit told ${rises} times in a row of more requests than before within one window, ${before?.left} and then ${left}: each request takes from what is left`,
      ),
    ]
  }
}

export const quotasRule: Rule = {
  name: 'quotas',
  reason: 'RateLimit tells what is left of the limit, and each request takes from it until the window ends.',
  plantedFault: 'quota-counted-up',
  judging: () => ({ each: quotaJudge() }),
}
