import type { WireReply } from '../../harness/proxy.ts'
import { header, withHeader } from './edit.ts'
import { faultsOf, type Plant, type World } from './fault.ts'
import { eventOf, servesKey, signState } from './sign.ts'

/**
 * The customer's way back to the merchant: the address to which the payment page sends the browser, by 303 or by a
 * refresh of the page.
 */
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

const dropping = (name: string) => (): Plant => goes((address) => address.replace(new RegExp(`&${name}=[^&#]*`), ''))
const putting = (name: string, value: string) => (): Plant =>
  goes((address) => address.replace(new RegExp(`([?&]${name}=)[^&#]*`), `$1${encodeURIComponent(value)}`))

/** Says something else under good signatures. */
const says =
  (change: (outcome: URLSearchParams) => void) =>
  ({ signingKey }: World): Plant =>
    goes((address) => {
      const url = new URL(address)
      change(url.searchParams)
      const outcome = Object.fromEntries(url.searchParams)
      const { hmac, rsa, rsaKeyId } = signState(
        outcome['event'],
        outcome,
        signingKey,
        Number(/^t=(\d+)/.exec(outcome['hmac_signature'] ?? '')?.[1]),
      )
      for (const [name, value] of Object.entries({ hmac_signature: hmac, rsa_signature: rsa, rsa_key_id: rsaKeyId }))
        url.searchParams.set(name, value)
      // As the gateway writes it: no plus sign for a space.
      return url.href.replaceAll('+', '%20')
    })

export const redirectFaults = faultsOf('redirect', {
  'redirect-without-hmac': {
    what: 'sends the customer back without hmac_signature',
    plant: dropping('hmac_signature'),
  },
  'redirect-without-rsa': { what: 'sends the customer back without rsa_signature', plant: dropping('rsa_signature') },
  'redirect-without-id': {
    what: 'sends the customer back without id',
    plant: () => goes((address) => address.replace(/([?&])id=\d+&/, '$1')),
  },
  'redirect-without-message': {
    what: 'sends the customer back without status_message',
    plant: dropping('status_message'),
  },
  'redirect-hmac-wrong': {
    what: 'signs the redirect with another key',
    plant: () => goes((address) => address.replace(/s%3D[0-9a-f]{64}/, `s%3D${'0a'.repeat(32)}`)),
  },
  'redirect-rsa-not-encoded': {
    what: 'does not percent-encode the RSA signature',
    // One signature in 200 has no plus sign: a slash takes its place there.
    plant: () => goes((address) => address.replaceAll(address.includes('%2B') ? '%2B' : '%2F', '+')),
  },
  'redirect-status-unsigned': {
    what: 'says CANCELLED whatever the outcome, and signs what was',
    plant: putting('transaction_status', 'CANCELLED'),
  },
  'redirect-event-wrong': {
    what: 'says transaction.completed whatever the outcome',
    plant: putting('event', 'transaction.completed'),
  },
  'redirect-status-wrong': {
    what: 'says COMPLETED whatever the outcome, and signs it',
    plant: says((outcome) => {
      outcome.set('transaction_status', 'COMPLETED')
      outcome.set('event', eventOf('COMPLETED'))
    }),
  },
  'redirect-status-lower-case': {
    what: 'writes the status in small letters, and signs it',
    plant: says((outcome) =>
      outcome.set('transaction_status', (outcome.get('transaction_status') ?? '').toLowerCase()),
    ),
  },
  'redirect-id-of-another': { what: 'names another transaction', plant: putting('id', '999999') },
  'redirect-reference-of-another': {
    what: 'names another merchant_reference, and signs it',
    plant: says((outcome) => outcome.set('merchant_reference', 'ANOTHER-REFERENCE')),
  },
  'redirect-message-differs': {
    what: 'tells another reason than the callback',
    plant: putting('status_message', 'Something went wrong'),
  },
  'redirect-own-query-lost': {
    what: 'loses the query of redirect_url',
    plant: () => goes((address) => address.replace(/\?.*?(?=id=\d+&event=)/, '?')),
  },
  'redirect-elsewhere': {
    what: 'sends the customer to another host',
    plant: () => goes((address) => address.replace(/^https?:\/\/[^/?]+/, 'https://attacker.example')),
  },
  'no-redirect': {
    what: 'shows the outcome, and never sends the customer back',
    plant: () => ({
      api: {
        onReply: (reply, { path }) =>
          path.startsWith('/pay/collection/') && isOutcome(header(reply, 'location') ?? '')
            ? {
                status: 200,
                headers: { 'content-type': ['text/html; charset=utf-8'], 'content-length': ['30'] },
                body: Buffer.from('<!doctype html><p>Thank you</p>'.slice(0, 30)),
              }
            : reply,
      },
    }),
  },
})
