import { isFields } from '../harness/json.ts'
import { BoundedMap } from './bounded-map.ts'
import { faultIf, type Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

const HEADER = 'x-request-id'
/** Bound above a nightly run's ids; later ones are compared with these. */
const IDS_MAX = 1_000_000

/**
 * Every envelope has a request id, and no two requests of one server share it.
 * @param isOneServer whether all traffic is one server's; gateways of our own draw their ids from one seed
 */
function requestIdJudge(isOneServer: boolean): Judge {
  const known = new BoundedMap<string, true>(IDS_MAX)
  return ({ exchange: { reply }, direction, host, replyBody: reported }) => {
    if (direction === 'received') return []
    const [id] = reply.headers[HEADER] ?? []
    if (id === undefined)
      return faultIf(
        isFields(reported) && 'code' in reported && 'data' in reported,
        'request id missing',
        `a reply ${reply.status} in the envelope has no X-Request-Id to quote`,
      )
    const key = isOneServer ? id : `${host} ${id}`
    const isOld = known.has(key)
    known.set(key, true)
    return faultIf(
      isOld,
      'request id twice',
      `two replies have one X-Request-Id (${id.slice(0, 64)}): it names a request`,
    )
  }
}

export const requestIdsRule: Rule = {
  name: 'request ids',
  reason: 'Every envelope has an X-Request-Id, and no two requests share one.',
  plantedFault: 'request-ids-repeated',
  judging: ({ isOneServer }) => ({ each: requestIdJudge(isOneServer) }),
}
