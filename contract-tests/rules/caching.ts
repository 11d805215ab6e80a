import { faultIf, type Judge } from './observed-exchange.ts'
import { cachedSeconds } from './rsa-keys/cached-seconds.ts'
import { KEY_BY_ID } from './rsa-keys/pem.ts'
import type { Rule } from './rule.ts'

/** The address changes with what it serves: a digest or a version is in it. */
const NAMED_BY_CONTENT = /^\/(?:docs\/assets|pay\/assets|pay\/logo|sandbox\/inbox)\/[^/]*[a-z0-9]{8,}[^/]*$/i
/** The icon of a browser's tab may be a day old. */
const ICON = /^\/favicon\./
const DAY_SECONDS = 86_400

/** Files and pages beside the operations: only what is named by its content may be kept without asking again. */
const cachingJudge: Judge = ({ direction, operation, path, exchange: { request, reply } }) => {
  if (direction === 'received' || operation || KEY_BY_ID.test(path) || NAMED_BY_CONTENT.test(path)) return []
  const seconds = cachedSeconds(reply.headers, false)
  const allowed = ICON.test(path) ? DAY_SECONDS : 0
  return faultIf(
    seconds > allowed,
    'cached page',
    `a reply ${reply.status} to ${request.method} ${path} may be cached for ${seconds === Infinity ? 'ever' : `${seconds} s`} (Cache-Control: ${reply.headers['cache-control']?.join(', ')}): its content may change, and its address does not`,
  )
}

export const cachingRule: Rule = {
  name: 'caching',
  reason: 'A cache keeps only what is named by its content: all else is asked for again.',
  plantedFault: 'icon-cached-for-ever',
  judging: () => ({ each: cachingJudge }),
}
