import type { WireReply } from '../../harness/proxy.ts'
import { header, withHeader } from './edit.ts'
import { faultsOf, type Plant, type FaultContext } from './fault.ts'
import { eventOf, servesKey, signState } from './sign.ts'

/** The customer's redirect: the payment page sends the browser back by 303 or by a refresh of the page. */
const goes = (change: (address: string) => string): Plant => ({
  api: {
    ...servesKey,
    onReply: (reply, { path }) => (path.startsWith('/pay/collection/') ? onward(reply, change) : reply),
  },
})

function onward(reply: WireReply, change: (address: string) => string): WireReply {
  const location = header(reply, 'location')
  return location !== undefined && isOutcome(location) ? withHeader(reply, 'location', change(location)) : reply
}
const isOutcome = (address: string): boolean => /[?&]transaction_status=/.test(address)

const going = (does: string, change: (address: string) => string) => ({ does, plant: () => goes(change) })
const dropping = (does: string, name: string) =>
  going(does, (address) => address.replace(new RegExp(`&${name}=[^&#]*`), ''))
const putting = (does: string, name: string, value: string) =>
  going(does, (address) => address.replace(new RegExp(`([?&]${name}=)[^&#]*`), `$1${encodeURIComponent(value)}`))

/** Other data with valid signatures. */
const says = (does: string, change: (outcome: URLSearchParams) => void) => ({
  does,
  plant: ({ signingKey }: FaultContext) =>
    goes((address) => {
      const url = new URL(address)
      change(url.searchParams)
      const outcome = Object.fromEntries(url.searchParams)
      const at = Number(/^t=(\d+)/.exec(outcome['hmac_signature'] ?? '')?.[1])
      const { hmac, rsa, rsaKeyId } = signState(outcome['event'], outcome, signingKey, at)
      for (const [name, value] of Object.entries({ hmac_signature: hmac, rsa_signature: rsa, rsa_key_id: rsaKeyId }))
        url.searchParams.set(name, value)
      // As the gateway writes it: no plus sign for a space.
      return url.href.replaceAll('+', '%20')
    }),
})
const THANKS: WireReply = {
  status: 200,
  headers: { 'content-type': ['text/html; charset=utf-8'], 'content-length': ['30'] },
  body: Buffer.from('<!doctype html><p>Thank you</p>'.slice(0, 30)),
}

export const redirectFaults = faultsOf('redirect', {
  'redirect-without-rsa': dropping('sends the customer back without rsa_signature', 'rsa_signature'),
  'redirect-hmac-wrong': going('signs the redirect with another key', (address) =>
    address.replace(/s%3D[0-9a-f]{64}/, `s%3D${'0a'.repeat(32)}`),
  ),
  // One signature in 200 has no plus sign: there a slash is replaced.
  'redirect-rsa-not-encoded': going('does not percent-encode the RSA signature', (address) =>
    address.replaceAll(address.includes('%2B') ? '%2B' : '%2F', '+'),
  ),
  'redirect-status-unsigned': putting(
    'says CANCELLED whatever the outcome, and signs what was',
    'transaction_status',
    'CANCELLED',
  ),
  'redirect-status-wrong': says('says COMPLETED whatever the outcome, and signs it', (outcome) => {
    outcome.set('transaction_status', 'COMPLETED')
    outcome.set('event', eventOf('COMPLETED'))
  }),
  'redirect-own-query-lost': going('loses the query of redirect_url', (address) =>
    address.replace(/\?.*?(?=id=\d+&event=)/, '?'),
  ),
  'redirect-elsewhere': going('sends the customer to another host', (address) =>
    address.replace(/^https?:\/\/[^/?]+/, 'https://attacker.example'),
  ),
  'redirect-spaces-as-plus': going('writes blanks of the redirect as plus signs', (address) =>
    address.replaceAll('%20', '+'),
  ),
  'redirect-key-in-query': going(
    'adds the public-key to the redirect',
    (address) => `${address}&merchant=pub_sandbox_demo`,
  ),
  'redirect-to-a-longer-host': going("adds a domain to the merchant's host", (address) =>
    address.replace(/^(https?:\/\/[^/?:#]+)/, '$1.example'),
  ),
  'redirect-path-with-slash': going("adds a slash to the merchant's path", (address) =>
    address.replace(/([^/?])\?/, '$1/?'),
  ),
  'redirect-own-plus-changed': going("changes plus signs of the merchant's own query", (address) =>
    address.replace(/\?.*?&(?=id=\d+&event=)/, (query) => query.replaceAll('+', '%20')),
  ),
  'no-redirect': {
    does: 'shows the outcome, and never sends the customer back',
    plant: () => ({
      api: {
        onReply: (reply, { path }) =>
          path.startsWith('/pay/collection/') && isOutcome(header(reply, 'location') ?? '') ? THANKS : reply,
      },
    }),
  },
})
