import type { Contract } from '../../openapi/reading/contract.ts'
import { BoundedMap } from './bounded-map.ts'
import { faultIf, type Judge } from './observed-exchange.ts'
import { PAYMENT_PAGE, waysOut } from './pages.ts'
import { redirectFaults, redirectNames } from './redirects/redirect-address.ts'
import type { Rule } from './rule.ts'

/** A payment page links away only to the `redirect_url` of its own collection. */
function redirectJudge(contract: Contract): Judge {
  const names = redirectNames(contract)
  const wanted = new BoundedMap<string, string | undefined>()
  return ({ exchange: { request, reply }, direction, operation, sent, data }) => {
    if (direction === 'received') return []
    if (operation?.id === 'initializeCollection' && reply.status === 202) {
      const { redirect_url: url } = sent
      const { internal_reference: reference } = data
      if (typeof reference === 'string') wanted.set(reference, typeof url === 'string' && url !== '' ? url : undefined)
      return []
    }
    const [, reference = ''] = PAYMENT_PAGE.exec(request.path) ?? []
    if (!wanted.has(reference)) return []
    const url = wanted.get(reference)
    return waysOut(reply).flatMap((address) =>
      url === undefined
        ? faultIf(true, 'redirect of nothing', LEADS_AWAY, 'customerRedirect')
        : redirectFaults(url, address, names),
    )
  }
}

const LEADS_AWAY = 'a payment page leads away although its collection has no redirect_url'
export const redirectsRule: Rule = {
  name: 'redirects',
  reason: 'A payment page leads away only to the `redirect_url` of its own collection.',
  plantedFault: 'redirect-own-plus-changed',
  judging: ({ contract }) => ({ each: redirectJudge(contract) }),
}
