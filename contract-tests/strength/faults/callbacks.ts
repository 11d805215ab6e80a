import { createHmac } from 'node:crypto'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { isFields, type Fields } from '../../harness/json.ts'
import { fieldsOf, header, payload, renamed, withBody, withFields, withHeader, without } from './edit.ts'
import { faultsOf, type Plant, type World } from './fault.ts'
import { eventOf, servesKey, signCallback, signMessage, withPayload } from './sign.ts'

const isCallback = ({ body }: WireRequest): boolean => body.length > 0
const calls = (change: (message: WireRequest) => WireRequest): Plant => ({
  api: servesKey,
  merchant: { onRequest: (message) => (isCallback(message) ? change(message) : message) },
})
/** Another body under good signatures. */
const says =
  (change: (body: Fields) => Fields) =>
  (world: World): Plant =>
    calls((message) => signCallback(withFields(message, change), world))
const tells =
  (change: (state: Fields) => Fields) =>
  (world: World): Plant =>
    calls(withPayload(world, change))
const answered = (change: (reply: WireReply, message: WireRequest) => WireReply | Promise<WireReply>): Plant => ({
  merchant: { onReply: (reply, message) => (isCallback(message) ? change(reply, message) : reply) },
})
const asFailed = (body: Fields): Fields => ({
  event: eventOf('FAILED'),
  payload: { ...(isFields(body['payload']) ? body['payload'] : {}), transaction_status: 'FAILED' },
})
const statusOf = (message: WireRequest): unknown => {
  const state = fieldsOf(message)?.['payload']
  return isFields(state) ? state['transaction_status'] : undefined
}
const OK: WireReply = { status: 200, headers: { 'content-length': ['0'] }, body: Buffer.alloc(0) }

/** Changes one header; `undefined` takes it away. */
const saying = (name: string, change: (value: string) => string | undefined) => (): Plant =>
  calls((message) => withHeader(message, name, change(header(message, name) ?? '')))
const lacking = (name: string) => saying(name, () => undefined)
/** A header under a good signature of the message. */
const signing =
  (name: string, change: (value: string) => string) =>
  (world: World): Plant =>
    calls((message) => signMessage(withHeader(message, name, change(header(message, name) ?? '')), world))

export const signatureFaults = faultsOf('callbacks', {
  'hmac-wrong-key': {
    what: 'signs hmac-signature with another key',
    plant: saying('hmac-signature', (value) => value.replace(/s=.*/, `s=${'0a'.repeat(32)}`)),
  },
  'hmac-without-status': {
    what: 'leaves the status out of the text of hmac-signature',
    plant: ({ signingKey }) =>
      calls((message) => {
        const body = fieldsOf(message)
        const state = isFields(body?.['payload']) ? body['payload'] : {}
        const text = [
          body?.['event'],
          state['merchant_reference'],
          state['internal_reference'],
          state['transaction_type'],
        ].join(':')
        const digest = createHmac('sha256', signingKey).update(text).digest('hex')
        return withHeader(message, 'hmac-signature', `${header(message, 'hmac-signature')?.split(',')[0]},s=${digest}`)
      }),
  },
  'hmac-time-in-seconds': {
    what: 'writes the time of hmac-signature in seconds',
    plant: saying('hmac-signature', (value) => value.replace(/^t=(\d{10})\d{3}/, 't=$1')),
  },
  'hmac-time-ahead': {
    what: 'writes the time of tomorrow in hmac-signature',
    plant: saying('hmac-signature', (value) => value.replace(/\d+/, (ms) => String(Number(ms) + 86_400_000))),
  },
  'hmac-capitals': {
    what: 'writes the digest of hmac-signature in capitals',
    plant: saying('hmac-signature', (value) => value.replace(/s=.*/, (digest) => `s=${digest.slice(2).toUpperCase()}`)),
  },
  'hmac-missing': { what: 'sends no hmac-signature', plant: lacking('hmac-signature') },
  'rsa-missing': { what: 'sends no rsa-signature', plant: lacking('rsa-signature') },
  'rsa-wrong': {
    what: 'signs another text with rsa-signature',
    plant: saying('rsa-signature', () => Buffer.alloc(256, 7).toString('base64')),
  },
  'rsa-key-id-missing': { what: 'does not name the RSA key', plant: lacking('rsa-key-id') },
  'rsa-key-unknown': {
    what: 'names an RSA key that is not served',
    plant: saying('rsa-key-id', () => '0123456789abcdef'),
  },
  'webhook-signature-missing': { what: 'sends no webhook-signature', plant: lacking('webhook-signature') },
  'webhook-signature-of-other-body': {
    what: 'changes the body after it was signed',
    plant: () =>
      calls((message) =>
        withFields(
          message,
          payload((state) => ({ ...state, customer_name: 'Somebody Else' })),
        ),
      ),
  },
  'webhook-body-spaced': {
    what: 'signs the body without the spaces that it sends',
    plant: () => calls((message) => withBody(message, JSON.stringify(fieldsOf(message), undefined, 1))),
  },
  'webhook-secret-as-text': {
    what: 'signs with the text of the webhook secret, not with what it encodes',
    plant: ({ webhookSecret }) =>
      calls((message) => signMessage(message, { webhookSecret: Buffer.from(webhookSecret).toString('base64') })),
  },
  'webhook-time-missing': { what: 'sends no webhook-timestamp', plant: lacking('webhook-timestamp') },
  'webhook-time-in-milliseconds': {
    what: 'writes webhook-timestamp in milliseconds',
    plant: signing('webhook-timestamp', (seconds) => `${seconds}000`),
  },
  'webhook-time-old': {
    what: 'sends a webhook-timestamp of an hour ago',
    plant: signing('webhook-timestamp', (seconds) => String(Number(seconds) - 3600)),
  },
  'webhook-time-not-renewed': {
    what: 'sends a retry with the time and the signature of the first attempt',
    plant: () => {
      const first = new Map<string, WireRequest>()
      return calls((message) => {
        const id = header(message, 'webhook-id') ?? ''
        const earliest = first.get(id) ?? message
        first.set(id, earliest)
        return { ...message, headers: earliest.headers }
      })
    },
  },
  'webhook-id-missing': { what: 'sends no webhook-id', plant: lacking('webhook-id') },
  'webhook-id-twice': {
    what: 'sends two headers webhook-id',
    plant: () =>
      calls((message) => ({
        ...message,
        headers: { ...message.headers, 'webhook-id': [header(message, 'webhook-id') ?? '', 'cb_OTHER'] },
      })),
  },
  'webhook-id-per-attempt': {
    what: 'gives every attempt a webhook-id of its own',
    plant: (world) => {
      let counter = 0
      return signing('webhook-id', (id) => `${id.slice(0, -4)}${String(counter++).padStart(4, '0')}`)(world)
    },
  },
  'webhook-id-constant': {
    what: 'gives all callbacks one webhook-id',
    plant: signing('webhook-id', () => 'cb_00000000000000000000000000'),
  },
})

export const callbackFaults = faultsOf('callbacks', {
  'event-completed-for-failed': {
    what: 'says transaction.completed for failures',
    plant: says((body) => ({ ...body, event: 'transaction.completed' })),
  },
  'event-cancelled': {
    what: 'says transaction.cancelled, which is not declared',
    plant: (world) =>
      calls((message) =>
        statusOf(message) === 'CANCELLED'
          ? signCallback(
              withFields(message, (body) => ({ ...body, event: 'transaction.cancelled' })),
              world,
            )
          : message,
      ),
  },
  'field-added': { what: 'adds a field that is not declared', plant: tells((state) => ({ ...state, attempt: 1 })) },
  'envelope-field-added': {
    what: 'adds a field beside the payload',
    plant: says((body) => ({ ...body, id: 7 })),
  },
  'field-missing': { what: 'leaves status_message out', plant: tells((state) => without(state, 'status_message')) },
  'reference-left-out': {
    what: 'leaves merchant_reference out',
    plant: tells((state) => without(state, 'merchant_reference')),
  },
  'field-null': { what: 'says null for what is absent', plant: tells((state) => ({ customer_name: null, ...state })) },
  'amount-as-text': {
    what: 'writes the amount as text',
    plant: tells((state) => ({ ...state, transaction_amount: String(state['transaction_amount']) })),
  },
  'credit-for-payout': {
    what: 'calls total_debit total_credit',
    plant: tells((state) => renamed(state, 'total_debit', 'total_credit')),
  },
  'status-not-final': {
    what: 'tells of payments that are still processed',
    plant: tells((state) => ({ ...state, transaction_status: 'PROCESSING' })),
  },
  'amount-differs-from-verify': {
    what: 'tells another charge than verify',
    plant: tells((state) => ({ ...state, transaction_charge: Number(state['transaction_charge']) + 1 })),
  },
  'id-differs-from-verify': {
    what: 'tells another id than verify',
    plant: tells((state) => ({ ...state, id: 999_999 })),
  },
  'bank-missing': {
    what: 'leaves institution_name out of bank collections',
    plant: tells((state) => without(state, 'institution_name')),
  },
  'account-masked': {
    what: 'masks the account in callbacks only',
    plant: tells((state) => ({
      ...state,
      transaction_account: String(state['transaction_account']).replace(/^\d{6}/, '000000'),
    })),
  },
  'status-differs-from-verify': {
    what: 'tells failures that were none',
    plant: says(asFailed),
  },
  'payload-of-another': {
    what: 'tells of the transaction before',
    plant: (world) => {
      let before: unknown
      return calls((message) =>
        signCallback(
          withFields(message, (body) => {
            const told = before ?? body['payload']
            before = body['payload']
            return { event: isFields(told) ? eventOf(told['transaction_status']) : body['event'], payload: told }
          }),
          world,
        ),
      )
    },
  },
  'payload-as-text': {
    what: 'sends the payload as text in the JSON',
    plant: says((body) => ({ ...body, payload: JSON.stringify(body['payload']) })),
  },
  'body-no-json': {
    what: 'sends a form instead of JSON',
    plant: (world) => calls((message) => signMessage(withBody(message, 'event=transaction.completed'), world)),
  },
  'body-missing': {
    what: 'sends no body',
    plant: (world) => calls((message) => signMessage(withBody(message, ''), world)),
  },
  'put-instead-of-post': { what: 'calls with PUT', plant: () => calls((message) => ({ ...message, method: 'PUT' })) },
  'form-media-type': {
    what: 'says that the body is a form',
    plant: () => calls((message) => withHeader(message, 'content-type', 'application/x-www-form-urlencoded')),
  },
  'media-type-absent': {
    what: 'does not say what the body is',
    plant: () => calls((message) => withHeader(message, 'content-type', undefined)),
  },
  'collection-at-payout-url': {
    what: 'calls the payout URL for collections',
    plant: () => calls((message) => ({ ...message, path: message.path.replace('collection', 'payout') })),
  },
  'url-of-nobody': {
    what: "calls another URL than the merchant's",
    plant: () => calls((message) => ({ ...message, path: '/hooks' })),
  },
  'payout-at-collection-url': {
    what: 'calls the collection URL for payouts',
    plant: () => {
      let collections: string | undefined
      return calls((message) => {
        const state = fieldsOf(message)?.['payload']
        const isPayout = isFields(state) && state['transaction_type'] === 'PAYOUT'
        if (!isPayout) collections = message.path
        return isPayout ? { ...message, path: collections ?? message.path.replace('payout', 'collection') } : message
      })
    },
  },
})

export const deliveryFaults = faultsOf('callbacks', {
  'sent-twice': {
    what: 'sends every callback again after it was acknowledged',
    plant: ({ deliver }) =>
      answered(async (reply, message) => {
        if (reply.status < 300) await deliver(message)
        return reply
      }),
  },
  'failure-told-as-well': {
    what: 'tells of a failure after every callback',
    plant: (world) => ({
      api: servesKey,
      ...answered(async (reply, message) => {
        const another = withHeader(message, 'webhook-id', 'cb_ANOTHER')
        await world.deliver(signCallback(withFields(another, asFailed), world))
        return reply
      }),
    }),
  },
  'never-sent': {
    what: 'sends no callbacks',
    plant: () => ({ merchant: { onRequest: (message) => (isCallback(message) ? { answer: OK } : message) } }),
  },
  'failures-not-told': {
    what: 'sends callbacks of completed payments only',
    plant: () => ({
      merchant: {
        onRequest: (message) => (isCallback(message) && statusOf(message) !== 'COMPLETED' ? { answer: OK } : message),
      },
    }),
  },
  'not-retried': {
    what: 'does not try again after a 500',
    plant: () => answered((reply) => (reply.status >= 500 ? OK : reply)),
  },
  'retried-at-once': {
    what: 'tries again at once after a 500',
    plant: ({ deliver }) => answered((reply, message) => (reply.status >= 500 ? deliver(message) : reply)),
  },
  'not-retried-after-400': {
    what: 'takes 4xx for an acknowledgement',
    plant: () => answered((reply) => (reply.status >= 400 && reply.status < 500 && reply.status !== 410 ? OK : reply)),
  },
  'no-content-not-taken': {
    what: 'does not take 204 for an acknowledgement',
    plant: () => answered((reply) => (reply.status === 204 ? { ...OK, status: 500 } : reply)),
  },
  'gone-retried': {
    what: 'tries again after 410',
    plant: () => answered((reply) => (reply.status === 410 ? { ...OK, status: 500 } : reply)),
  },
  'redirect-taken': {
    what: 'takes a redirect for an acknowledgement',
    plant: () => answered((reply) => (reply.status >= 300 && reply.status < 400 ? OK : reply)),
  },
  'redirect-followed': {
    what: 'follows redirects',
    plant: ({ deliver }) =>
      answered((reply, message) => {
        const location = header(reply, 'location')
        return reply.status >= 300 && reply.status < 400 && location !== undefined
          ? deliver({ ...message, path: new URL(location, 'http://merchant').pathname })
          : reply
      }),
  },
  'retry-after-ignored': {
    what: 'does not wait as Retry-After asks',
    plant: () => answered((reply) => withHeader(reply, 'retry-after', undefined)),
  },
  'body-changes-at-retry': {
    what: 'sends another body at a retry',
    plant: (world) => {
      const attempts = new Map<string, number>()
      return calls((message) => {
        const id = header(message, 'webhook-id') ?? ''
        attempts.set(id, (attempts.get(id) ?? 0) + 1)
        return attempts.get(id) === 1
          ? message
          : signCallback(
              withFields(
                message,
                payload((state) => ({ ...state, status_message: `${String(state['status_message'])}.` })),
              ),
              world,
            )
      })
    },
  },
})
