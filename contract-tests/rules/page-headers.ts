import { faultIf, type Fault, type Judge } from './observed-exchange.ts'
import { PAYMENT_PAGE } from './pages.ts'
import type { Rule } from './rule.ts'

/** What a payment page says to browsers, and why (page "The redirect": no script, nothing from others, no frame). */
const NEEDED: readonly (readonly [header: string, allowed: RegExp, why: string])[] = [
  ['cache-control', /(?:^|[\s,])no-store(?:[\s,]|$)/, 'no-store: it shows a name, an account and an amount'],
  ['x-content-type-options', /^nosniff$/, 'nosniff: a browser must not guess what it is'],
  ['referrer-policy', /^(?:no-referrer|same-origin)$/, 'no-referrer: its address is all that one needs to open it'],
  ['x-frame-options', /^(?:DENY|SAMEORIGIN)$/i, 'DENY: another site must not show it in a frame'],
]
/** Directives of the policy without which another site, or markup in a text, reaches the page. */
const POLICY: readonly (readonly [directive: string, allowed: RegExp])[] = [
  ['default-src', /^(?:'none'|'self')$/],
  ['frame-ancestors', /^(?:'none'|'self')$/],
  ['base-uri', /^(?:'none'|'self')$/],
  ['form-action', /^(?:'none'|'self')$/],
]

/** Every reply of a payment page has them, its redirects and refusals included. */
const pageHeaderJudge: Judge = ({ direction, path, exchange: { request, reply }, replyBody }) => {
  const isEnvelope = typeof replyBody === 'object' && replyBody !== null && 'code' in replyBody
  if (direction === 'received' || !PAYMENT_PAGE.test(path) || isEnvelope) return []
  const policy = (reply.headers['content-security-policy'] ?? []).join('; ')
  const directives = new Map(
    policy.split(';').map((each) => {
      const [name = '', ...sources] = each.trim().split(/\s+/)
      return [name.toLowerCase(), sources.join(' ')] as const
    }),
  )
  const fault = (rule: string, what: string): readonly Fault[] =>
    faultIf(true, rule, `a reply ${reply.status} to ${request.method} of a payment page ${what}`, 'paymentPage')
  return [
    ...NEEDED.flatMap(([header, allowed, why]) => {
      const text = reply.headers[header]?.join(', ')
      if (text !== undefined && allowed.test(text)) return []
      return fault(`page ${header}`, `has ${text === undefined ? `no ${header}` : `${header}: ${text}`}, not ${why}`)
    }),
    ...POLICY.filter(([name, allowed]) => !allowed.test(directives.get(name) ?? '')).flatMap(([name]) =>
      fault(
        `page policy ${name}`,
        `has no ${name} 'none' or 'self' in its Content-Security-Policy (${policy || 'none'})`,
      ),
    ),
    ...(/'unsafe-(?:inline|eval)'|\*|https?:/.test(policy)
      ? fault('page policy open', `has a Content-Security-Policy that allows what the page does not need: ${policy}`)
      : []),
  ]
}

export const pageHeadersRule: Rule = {
  name: 'headers of pages',
  reason: 'A customer pays on the page: it is in no cache and no frame, and nothing of another host runs in it.',
  plantedFault: 'page-tells-referrer',
  judging: () => ({ each: pageHeaderJudge }),
}
