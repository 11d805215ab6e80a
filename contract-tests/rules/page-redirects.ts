import { faultIf, onlyHeader, type Judge } from './observed-exchange.ts'
import { PAYMENT_PAGE } from './pages.ts'
import type { Rule } from './rule.ts'

/** 303 alone makes a browser follow by GET, whatever was sent (RFC 9110, section 15.4.4), and no cache keeps it. */
const pageRedirectJudge: Judge = ({ direction, path, operation, exchange: { request, reply } }) => {
  if (direction === 'received' || reply.status < 300 || reply.status > 399) return []
  if (operation)
    return faultIf(
      true,
      'redirect of an operation',
      `${request.method} ${path} is answered ${reply.status}: no operation redirects`,
    )
  if (!PAYMENT_PAGE.test(path)) return []
  return faultIf(
    reply.status !== 303 || onlyHeader(reply.headers, 'location') === undefined,
    'status of a page redirect',
    `${request.method} of a payment page is answered ${reply.status} ${onlyHeader(reply.headers, 'location') === undefined ? 'without one Location' : 'with a Location'}: a page redirects by 303, so that a form is not sent again to the merchant`,
    'paymentPage',
  )
}

export const pageRedirectsRule: Rule = {
  name: 'status of redirects',
  reason: 'A payment page redirects by 303 only, and no operation redirects.',
  plantedFault: 'page-redirects-by-302',
  judging: () => ({ each: pageRedirectJudge }),
}
