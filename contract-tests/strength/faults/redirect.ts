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

const going = (what: string, change: (address: string) => string) => ({ what, plant: () => goes(change) })
const dropping = (what: string, name: string) =>
  going(what, (address) => address.replace(new RegExp(`&${name}=[^&#]*`), ''))
const putting = (what: string, name: string, value: string) =>
  going(what, (address) => address.replace(new RegExp(`([?&]${name}=)[^&#]*`), `$1${encodeURIComponent(value)}`))

/** Other data with valid signatures. */
const says = (what: string, change: (outcome: URLSearchParams) => void) => ({
  what,
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
  'redirect-without-hmac': dropping('sends the customer back without hmac_signature', 'hmac_signature'),
  'redirect-without-rsa': dropping('sends the customer back without rsa_signature', 'rsa_signature'),
  'redirect-without-id': going('sends the customer back without id', (address) =>
    address.replace(/([?&])id=\d+&/, '$1'),
  ),
  'redirect-without-message': dropping('sends the customer back without status_message', 'status_message'),
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
  'redirect-event-wrong': putting('says transaction.completed whatever the outcome', 'event', 'transaction.completed'),
  'redirect-status-wrong': says('says COMPLETED whatever the outcome, and signs it', (outcome) => {
    outcome.set('transaction_status', 'COMPLETED')
    outcome.set('event', eventOf('COMPLETED'))
  }),
  'redirect-status-lower-case': says('writes the status in small letters, and signs it', (outcome) =>
    outcome.set('transaction_status', (outcome.get('transaction_status') ?? '').toLowerCase()),
  ),
  'redirect-id-of-another': putting('names another transaction', 'id', '999999'),
  'redirect-reference-of-another': says('names another merchant_reference, and signs it', (outcome) =>
    outcome.set('merchant_reference', 'ANOTHER-REFERENCE'),
  ),
  'redirect-message-differs': putting(
    'reports another reason than the callback',
    'status_message',
    'Something went wrong',
  ),
  'redirect-own-query-lost': going('loses the query of redirect_url', (address) =>
    address.replace(/\?.*?(?=id=\d+&event=)/, '?'),
  ),
  'redirect-elsewhere': going('sends the customer to another host', (address) =>
    address.replace(/^https?:\/\/[^/?]+/, 'https://attacker.example'),
  ),
  'no-redirect': {
    what: 'shows the outcome, and never sends the customer back',
    plant: () => ({
      api: {
        onReply: (reply, { path }) =>
          path.startsWith('/pay/collection/') && isOutcome(header(reply, 'location') ?? '') ? THANKS : reply,
      },
    }),
  },
})
