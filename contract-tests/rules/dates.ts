import { faultIf, onlyHeader, type Judge } from './observed-exchange.ts'
import { PAYMENT_PAGE } from './pages.ts'
import type { Rule } from './rule.ts'

/** Two clocks that are set by the network differ by less; merchants refuse signatures whose time is further away. */
const SKEW_MAX_MS = 300_000
/** How far the difference may move in a run: a recorder waits 30 s for a reply, and a busy machine writes it down late. */
const DRIFT_MAX_MS = 60_000
const IMF_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** `Date` is the time of the reply (RFC 9110, section 6.6.1). Only replies that no cache keeps are judged. */
function dateJudge(): Judge {
  let usual: number | undefined
  return ({ exchange: { request, reply, at }, direction, operation, path }) => {
    if (direction === 'received' || (operation === undefined && !PAYMENT_PAGE.test(path))) return []
    const text = onlyHeader(reply.headers, 'date')
    if (text === undefined || !IMF_DATE.test(text))
      // A server that fails may not know the time.
      return faultIf(
        text !== undefined || reply.status < 500,
        'date form',
        `a reply ${reply.status} to ${request.method} ${path} has ${text === undefined ? 'no Date, or several' : `Date: ${text}`}; it needs one, as in "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7)`,
      )
    const behindMs = at.getTime() - Date.parse(text)
    usual ??= behindMs
    const seconds = Math.round(behindMs / 1_000)
    return [
      ...faultIf(
        Math.abs(behindMs) > SKEW_MAX_MS,
        'date skew',
        `a reply says Date: ${text}, and came at ${at.toUTCString()}: ${Math.abs(seconds)} s ${seconds > 0 ? 'later' : 'earlier'}; ${SKEW_MAX_MS / 1_000} s are allowed`,
      ),
      ...faultIf(
        Math.abs(behindMs) <= SKEW_MAX_MS && Math.abs(behindMs - usual) > DRIFT_MAX_MS,
        'date drift',
        `a reply says Date: ${text}, and came at ${at.toUTCString()}; the first reply differed by ${Math.round(usual / 1_000)} s and this one by ${seconds} s, so the Date is not that of the reply`,
      ),
    ]
  }
}

export const datesRule: Rule = {
  name: 'dates',
  reason: 'Programs with a wrong clock go by `Date`: it is the time of the reply.',
  plantedFault: 'date-an-hour-ago',
  judging: () => ({ each: dateJudge() }),
}
