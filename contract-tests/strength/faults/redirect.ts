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
  'redirect-without-rsa': going('sends the customer back without rsa_signature', (address) =>
    address.replace(/&rsa_signature=[^&#]*/, ''),
  ),
  'redirect-hmac-wrong': going('signs the redirect with another key', (address) =>
    address.replace(/s%3D[0-9a-f]{64}/, `s%3D${'0a'.repeat(32)}`),
  ),
  // One signature in 200 has no plus sign: there a slash is replaced.
  'redirect-rsa-not-encoded': going('does not percent-encode the RSA signature', (address) =>
    address.replaceAll(address.includes('%2B') ? '%2B' : '%2F', '+'),
  ),
  'redirect-status-unsigned': going('says CANCELLED whatever the outcome, and signs what was', (address) =>
    address.replace(/([?&]transaction_status=)[^&#]*/, '$1CANCELLED'),
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
  'redirect-spaces-as-plus': going('writes blanks of the redirect as plus signs', (address) =>
    address.replaceAll('%20', '+'),
  ),
  'redirect-key-in-query': going(
    'adds the public-key to the redirect',
    (address) => `${address}&merchant=pub_sandbox_demo`,
  ),
  'redirect-path-with-slash': going("adds a slash to the merchant's path", (address) =>
    address.replace(/([^/?])\?/, '$1/?'),
  ),
  'redirect-own-plus-changed': going("changes plus signs of the merchant's own query", (address) =>
    address.replace(/\?.*?&(?=id=\d+&event=)/, (query) => query.replaceAll('+', '%20')),
  ),
  'no-redirect': inAnyReplies('shows the outcome, and never sends the customer back', isOutcome, () =>
    withHeader(withBody(OK, '<!doctype html><p>Thank you'), 'content-type', 'text/html; charset=utf-8'),
  ),
}
