import { OK, inAnyReplies } from './rows.ts'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { header, withHeader, withBody } from './edit.ts'
import type { FaultRows, FaultContext } from './fault.ts'

/** The customer's redirect: the payment page sends the browser back by 303. */
const isOutcome = (reply: WireReply, { path }: WireRequest): boolean =>
  path.startsWith('/pay/collection/') && /[?&]transaction_status=/.test(header(reply, 'location') ?? '')
const going = (does: string, change: (address: string, world: FaultContext) => string) =>
  inAnyReplies(does, isOutcome, (reply, _request, world) =>
    withHeader(reply, 'location', change(header(reply, 'location') ?? '', world)),
  )

export const redirectRows: FaultRows = {
  'redirect-key-in-query': going(
    'adds the public-key to the redirect',
    (address) => `${address}&merchant=pub_sandbox_demo`,
  ),
  'redirect-own-plus-changed': going("changes plus signs of the merchant's own query", (address) =>
    address.replace(/\?.*?&(?=id=\d+&event=)/, (query) => query.replaceAll('+', '%20')),
  ),
  'no-redirect': inAnyReplies('shows the outcome, and never sends the customer back', isOutcome, () =>
    withHeader(withBody(OK, '<!doctype html><p>Thank you'), 'content-type', 'text/html; charset=utf-8'),
  ),
}
