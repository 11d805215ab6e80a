import type { WireReply } from '../../harness/proxy.ts'
import { onlyHeader } from '../observed-exchange.ts'
import { unescaped } from '../page-text.ts'

/** The address of a payment page, with the reference of its collection. */
export const PAYMENT_PAGE = /\/pay\/collection\/(MLP[0-9A-Z]{22})(?=[/?]|$)/

/** Links, forms, refreshes and loaded resources that name a host. */
const NAMED_HOST = /(?:\b(?:href|action|src)="|;\s*url=)((?:https?:)?\/\/[^"]+)"/gi

/** Where a page links other than to itself: its `Location`, and the addresses in its HTML. */
export function waysOut({ headers, body }: WireReply): string[] {
  const location = onlyHeader(headers, 'location')
  const isHtml = headers['content-type']?.[0]?.startsWith('text/html') === true
  const inHtml = isHtml
    ? [...body.toString('utf8').matchAll(NAMED_HOST)].map(([, address = '']) => unescaped(address))
    : []
  return [...(location === undefined ? [] : [location]), ...inHtml].filter(
    (address) => !PAYMENT_PAGE.test(address.split('?', 1)[0] ?? ''),
  )
}
