import { isDeepStrictEqual } from 'node:util'
import { BoundedMap } from './bounded-map.ts'
import { faultIf, onlyHeader, type Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

/** The page "Idempotency and retries": a request that is repeated under its key gets the reply of the first one. */
function replayJudge(): Judge {
  const firsts = new BoundedMap<string, unknown>()
  return ({ direction, operation, exchange: { request, reply }, data, isReplay, host, merchant }) => {
    const idempotencyKey = onlyHeader(request.headers, 'idempotency-key')
    if (direction === 'received' || !operation || idempotencyKey === undefined || reply.status !== 202) return []
    const key = `${host} ${merchant} ${operation.id} ${idempotencyKey}`
    const first = firsts.get(key)
    // A day later the same key begins anew. Of concurrent ones a replay may arrive before the first.
    if (first === undefined || !isReplay) firsts.set(key, data)
    return faultIf(
      first !== undefined && isReplay && !isDeepStrictEqual(data, first),
      'another reply again',
      `a request that was repeated under its Idempotency-Key has the data ${JSON.stringify(data)}, and the first reply had ${JSON.stringify(first)}`,
    )
  }
}

export const replaysRule: Rule = {
  name: 'replays',
  reason: 'A request that is repeated under its Idempotency-Key gets the very reply of the first one.',
  plantedFault: 'replay-without-its-page',
  judging: () => ({ each: replayJudge() }),
}
