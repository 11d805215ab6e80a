import type { Contract } from '../../../openapi/reading/contract.ts'
import { fieldsOf } from '../json.ts'
import type { WireReply } from '../proxy.ts'
import { redirectFaults, redirectNames } from './redirect-address.ts'
import { faultIf, onlyHeader, type Judge } from './observed-exchange.ts'

/** Bound on collections whose customer was not redirected yet; older ones are dropped. */
const REMEMBERED_MAX = 100_000
const PAGE = /\/pay\/collection\/(MLP[0-9A-Z]{22})(?=[/?]|$)/

/** A payment page links away only to the `redirect_url` of its own collection. */
export function redirectJudge(contract: Contract): Judge {
  const names = redirectNames(contract)
  const wanted = new Map<string, string | undefined>()
  return ({ exchange: { request, reply }, direction, operation, requestBody: sent, replyBody: reported }) => {
    if (direction === 'received') return []
    if (operation?.id === 'initializeCollection' && reply.status === 202 && wanted.size < REMEMBERED_MAX) {
      const { redirect_url: url } = fieldsOf(sent)
      const { internal_reference: reference } = fieldsOf(fieldsOf(reported).data)
      if (typeof reference === 'string') wanted.set(reference, typeof url === 'string' && url !== '' ? url : undefined)
      return []
    }
    const [, reference = ''] = PAGE.exec(request.path) ?? []
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
/** Links, forms, refreshes and loaded resources that name a host. */
const NAMED_HOST = /(?:\b(?:href|action|src)="|;\s*url=)((?:https?:)?\/\/[^"]+)"/gi

/** Where a page links other than to itself: its `Location`, and the addresses in its HTML. */
function waysOut({ headers, body }: WireReply): string[] {
  const location = onlyHeader(headers, 'location')
  const isHtml = headers['content-type']?.[0]?.startsWith('text/html') === true
  const inHtml = isHtml
    ? [...body.toString('utf8').matchAll(NAMED_HOST)].map(([, address = '']) => unescaped(address))
    : []
  return [...(location === undefined ? [] : [location]), ...inHtml].filter(
    (address) => !PAGE.test(address.split('?', 1)[0] ?? ''),
  )
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#61;', '=')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
