import { OK, inAnyReplies } from './rows.ts'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { header, withHeader, withBody } from './edit.ts'
import type { FaultRows, FaultContext } from './fault.ts'
import { eventOf, signState } from './sign.ts'

/** The customer's redirect: the payment page sends the browser back by 303. */
const isOutcome = (reply: WireReply, { path }: WireRequest): boolean =>
  path.startsWith('/pay/collection/') && /[?&]transaction_status=/.test(header(reply, 'location') ?? '')
const going = (does: string, change: (address: string, world: FaultContext) => string) =>
  inAnyReplies(does, isOutcome, (reply, _request, world) =>
    withHeader(reply, 'location', change(header(reply, 'location') ?? '', world)),
  )

export const redirectRows: FaultRows = {
  // One signature in 200 has no plus sign: there a slash is replaced.
  'redirect-rsa-not-encoded': going('does not percent-encode the RSA signature', (address) =>
    address.replaceAll(address.includes('%2B') ? '%2B' : '%2F', '+'),
  ),
  'redirect-status-wrong': going('says COMPLETED whatever the outcome, and signs it', (address, { signingKey }) => {
    const url = new URL(address)
    url.searchParams.set('transaction_status', 'COMPLETED')
    url.searchParams.set('event', eventOf('COMPLETED'))
    const outcome = Object.fromEntries(url.searchParams)
    const at = Number(/^t=(\d+)/.exec(outcome['hmac_signature'] ?? '')?.[1])
    const { hmac, rsa, rsaKeyId } = signState(outcome['event'], outcome, signingKey, at)
    for (const [name, value] of Object.entries({ hmac_signature: hmac, rsa_signature: rsa, rsa_key_id: rsaKeyId }))
      url.searchParams.set(name, value)
    // As the gateway writes it: no plus sign for a space.
    return url.href.replaceAll('+', '%20')
  }),
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
