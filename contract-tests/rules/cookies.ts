import type { Fault, Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

/** Where a browser may keep something: the payment page. The API has no sessions. */
const OF_PAGES = /^\/pay(?:\/|$)/

/** A cookie is one of the payment page, for that page alone; no script and no other site has it. */
const cookieJudge: Judge = ({ direction, path, exchange: { request, reply } }) => {
  if (direction === 'received') return []
  return (reply.headers['set-cookie'] ?? []).flatMap((cookie): readonly Fault[] => {
    const [pair = '', ...attributes] = cookie.split(';').map((each) => each.trim())
    const [name = ''] = pair.split('=', 1)
    const has = (wanted: RegExp): boolean => attributes.some((each) => wanted.test(each))
    const missing = [
      !OF_PAGES.test(path) && 'is set outside of the payment page',
      !has(/^path=\/pay(?:\/|$)/i) && 'has no Path below /pay',
      !has(/^httponly$/i) && 'is not HttpOnly, so a script reads it',
      !has(/^samesite=(?:lax|strict)$/i) && 'has no SameSite=Lax or Strict, so another site sends it',
      has(/^domain=/i) && 'has a Domain, so other hosts get it',
    ].filter((why) => why !== false)
    return missing.map((why) => ({
      rule: `cookie ${why}`,
      what: `a reply ${reply.status} to ${request.method} ${path} sets the cookie ${name}, which ${why}`,
    }))
  })
}

export const cookiesRule: Rule = {
  name: 'cookies',
  reason: 'The API sets no cookie, and the payment page only its own (page "The redirect").',
  plantedFault: 'cookie-set',
  judging: () => ({ each: cookieJudge }),
}
