import { createHmac } from 'node:crypto'
import type { WireRequest } from '../../harness/proxy.ts'
import { isFields, type Fields } from '../../harness/json.ts'
import { fieldsOf, header, payload, renamed, withBody, withFields, withHeader, without } from './edit.ts'
import { faultsOf, type FaultContext } from './fault.ts'
import { callbacks, OK, stateIn, readAs } from './rows.ts'
import { eventOf, signCallback, signMessage } from './sign.ts'

const { sent, answered, lost } = callbacks

/** Another body with valid signatures. */
const says = (what: string, change: (body: Fields) => Fields) =>
  sent(what, (message, world) => signCallback(withFields(message, change), world))
/** Another payload with valid signatures. */
const reports = (what: string, change: (state: Fields) => Fields) => says(what, payload(change))
const reportsWithout = (what: string, name: string) => reports(what, (state) => without(state, name))

const changed = (message: WireRequest, name: string, change: (value: string) => string | undefined): WireRequest =>
  withHeader(message, name, change(header(message, name) ?? ''))
/** Changes one header; `undefined` removes it. */
const saying = (what: string, name: string, change: (value: string) => string | undefined) =>
  sent(what, (message) => changed(message, name, change))
const lacking = (what: string, name: string) => saying(what, name, () => undefined)
/** Changes one header, with a valid signature of the message. */
const signing = (what: string, name: string, change: (value: string) => string) =>
  sent(what, (message, world) => signMessage(changed(message, name, change), world))

/** Stateful faults are planted anew for each run. */
const remembering = (what: string, makeChange: (world: FaultContext) => (message: WireRequest) => WireRequest) => ({
  what,
  plant: (world: FaultContext) => sent(what, makeChange(world)).plant(world),
})

export const signatureFaults = faultsOf('callbacks', {
  'hmac-wrong-key': saying('signs hmac-signature with another key', 'hmac-signature', (value) =>
    value.replace(/s=.*/, `s=${'0a'.repeat(32)}`),
  ),
  'hmac-without-status': sent('omits the status from the text of hmac-signature', (message, { signingKey }) => {
    const { merchant_reference, internal_reference, transaction_type } = stateIn(message)
    const text = [fieldsOf(message)?.['event'], merchant_reference, internal_reference, transaction_type].join(':')
    const digest = createHmac('sha256', signingKey).update(text).digest('hex')
    return changed(message, 'hmac-signature', (value) => `${value.split(',')[0]},s=${digest}`)
  }),
  'hmac-time-in-seconds': saying('writes the time of hmac-signature in seconds', 'hmac-signature', (value) =>
    value.replace(/^t=(\d{10})\d{3}/, 't=$1'),
  ),
  'hmac-time-ahead': saying('writes the time of tomorrow in hmac-signature', 'hmac-signature', (value) =>
    value.replace(/\d+/, (ms) => String(Number(ms) + 86_400_000)),
  ),
  'hmac-capitals': saying('writes the digest of hmac-signature in capitals', 'hmac-signature', (value) =>
    value.replace(/s=.*/, (digest) => `s=${digest.slice(2).toUpperCase()}`),
  ),
  'hmac-missing': lacking('sends no hmac-signature', 'hmac-signature'),
  'rsa-missing': lacking('sends no rsa-signature', 'rsa-signature'),
  'rsa-wrong': saying('signs another text with rsa-signature', 'rsa-signature', () =>
    Buffer.alloc(256, 7).toString('base64'),
  ),
  'rsa-key-id-missing': lacking('does not name the RSA key', 'rsa-key-id'),
  'rsa-key-unknown': saying('names an RSA key that is not served', 'rsa-key-id', () => '0123456789abcdef'),
  'webhook-signature-missing': lacking('sends no webhook-signature', 'webhook-signature'),
  'webhook-signature-of-other-body': sent('changes the body after it was signed', (message) =>
    withFields(
      message,
      payload((state) => ({ ...state, customer_name: 'Somebody Else' })),
    ),
  ),
  'webhook-body-spaced': sent('signs the body without the spaces that it sends', (message) =>
    withBody(message, JSON.stringify(fieldsOf(message), undefined, 1)),
  ),
  'webhook-secret-as-text': sent(
    'signs with the text of the webhook secret, not with what it encodes',
    (message, { webhookSecret }) =>
      signMessage(message, { webhookSecret: Buffer.from(webhookSecret).toString('base64') }),
  ),
  'webhook-time-missing': lacking('sends no webhook-timestamp', 'webhook-timestamp'),
  'webhook-time-in-milliseconds': signing(
    'writes webhook-timestamp in milliseconds',
    'webhook-timestamp',
    (seconds) => `${seconds}000`,
  ),
  'webhook-time-old': signing('sends a webhook-timestamp of an hour ago', 'webhook-timestamp', (seconds) =>
    String(Number(seconds) - 3600),
  ),
  'webhook-time-not-renewed': remembering('sends a retry with the time and the signature of the first attempt', () => {
    const first = new Map<string, WireRequest>()
    return (message) => {
      const id = header(message, 'webhook-id') ?? ''
      const earliest = first.get(id) ?? message
      first.set(id, earliest)
      return { ...message, headers: earliest.headers }
    }
  }),
  'webhook-id-missing': lacking('sends no webhook-id', 'webhook-id'),
  'webhook-id-twice': sent('sends two headers webhook-id', (message) => ({
    ...message,
    headers: { ...message.headers, 'webhook-id': [header(message, 'webhook-id') ?? '', 'cb_OTHER'] },
  })),
  'webhook-id-per-attempt': remembering('gives every attempt a webhook-id of its own', (world) => {
    let counter = 0
    return (message) =>
      signMessage(
        changed(message, 'webhook-id', (id) => `${id.slice(0, -4)}${String(counter++).padStart(4, '0')}`),
        world,
      )
  }),
  'webhook-id-constant': signing(
    'gives all callbacks one webhook-id',
    'webhook-id',
    () => 'cb_00000000000000000000000000',
  ),
})

const asFailed = (body: Fields): Fields => ({
  event: eventOf('FAILED'),
  payload: { ...(isFields(body['payload']) ? body['payload'] : {}), transaction_status: 'FAILED' },
})

export const callbackFaults = faultsOf('callbacks', {
  'event-completed-for-failed': says('says transaction.completed for failures', (body) => ({
    ...body,
    event: 'transaction.completed',
  })),
  'event-cancelled': sent('says transaction.cancelled, which is not declared', (message, world) =>
    stateIn(message)['transaction_status'] === 'CANCELLED'
      ? signCallback(
          withFields(message, (body) => ({ ...body, event: 'transaction.cancelled' })),
          world,
        )
      : message,
  ),
  'field-added': reports('adds a field that is not declared', (state) => ({ ...state, attempt: 1 })),
  'envelope-field-added': says('adds a field beside the payload', (body) => ({ ...body, id: 7 })),
  'field-missing': reportsWithout('omits status_message', 'status_message'),
  'reference-left-out': reportsWithout('omits merchant_reference', 'merchant_reference'),
  'field-null': reports('says null for what is absent', (state) => ({ customer_name: null, ...state })),
  'amount-as-text': reports('writes the amount as text', (state) => ({
    ...state,
    transaction_amount: String(state['transaction_amount']),
  })),
  'credit-for-payout': reports('calls total_debit total_credit', (state) =>
    renamed(state, 'total_debit', 'total_credit'),
  ),
  'status-not-final': reports('sends callbacks of payments that are still processed', (state) => ({
    ...state,
    transaction_status: 'PROCESSING',
  })),
  'amount-differs-from-verify': reports('reports another charge than verify', (state) => ({
    ...state,
    transaction_charge: Number(state['transaction_charge']) + 1,
  })),
  'id-differs-from-verify': reports('reports another id than verify', (state) => ({ ...state, id: 999_999 })),
  'bank-missing': reportsWithout('omits institution_name of bank collections', 'institution_name'),
  'account-masked': reports('masks the account in callbacks only', (state) => ({
    ...state,
    transaction_account: String(state['transaction_account']).replace(/^\d{6}/, '000000'),
  })),
  'status-differs-from-verify': says('reports another status than verify', asFailed),
  'payload-of-another': remembering('reports the transaction before', (world) => {
    let before: unknown
    const another = (body: Fields): Fields => {
      const reported = before ?? body['payload']
      before = body['payload']
      return { event: isFields(reported) ? eventOf(reported['transaction_status']) : body['event'], payload: reported }
    }
    return (message) => signCallback(withFields(message, another), world)
  }),
  'payload-as-text': says('sends the payload as text in the JSON', (body) => ({
    ...body,
    payload: JSON.stringify(body['payload']),
  })),
  'body-no-json': sent('sends a form instead of JSON', (message, world) =>
    signMessage(withBody(message, 'event=transaction.completed'), world),
  ),
  'body-missing': sent('sends no body', (message, world) => signMessage(withBody(message, ''), world)),
  'put-instead-of-post': sent('calls with PUT', (message) => ({ ...message, method: 'PUT' })),
  'form-media-type': saying('says that the body is a form', 'content-type', () => 'application/x-www-form-urlencoded'),
  'media-type-absent': lacking('does not say what the body is', 'content-type'),
  'collection-at-payout-url': sent('calls the payout URL for collections', (message) => ({
    ...message,
    path: message.path.replace('collection', 'payout'),
  })),
  'url-of-nobody': sent("calls another URL than the merchant's", (message) => ({ ...message, path: '/hooks' })),
  'payout-at-collection-url': remembering('calls the collection URL for payouts', () => {
    let collections: string | undefined
    return (message) => {
      const isPayout = stateIn(message)['transaction_type'] === 'PAYOUT'
      if (!isPayout) collections = message.path
      return isPayout ? { ...message, path: collections ?? message.path.replace('payout', 'collection') } : message
    }
  }),
})

const BROKEN = { ...OK, status: 500 }

export const deliveryFaults = faultsOf('callbacks', {
  'sent-twice': answered('sends every callback again after it was acknowledged', async (reply, message, world) => {
    if (reply.status < 300) await world.deliver(message)
    return reply
  }),
  'failure-reported-as-well': answered('reports a failure after every callback', async (reply, message, world) => {
    const another = withHeader(message, 'webhook-id', 'cb_ANOTHER')
    await world.deliver(signCallback(withFields(another, asFailed), world))
    return reply
  }),
  'never-sent': lost('sends no callbacks'),
  'failures-not-reported': lost(
    'sends callbacks of completed payments only',
    (message) => stateIn(message)['transaction_status'] !== 'COMPLETED',
  ),
  'not-retried': answered(
    'does not try again after a 500',
    readAs(OK, (status) => status >= 500),
  ),
  'retried-at-once': answered('tries again at once after a 500', (reply, message, { deliver }) =>
    reply.status >= 500 ? deliver(message) : reply,
  ),
  'not-retried-after-400': answered(
    'treats 4xx as an acknowledgement',
    readAs(OK, (status) => status >= 400 && status < 500 && status !== 410),
  ),
  'no-content-not-taken': answered(
    'does not take 204 for an acknowledgement',
    readAs(BROKEN, (status) => status === 204),
  ),
  'gone-retried': answered(
    'tries again after 410',
    readAs(BROKEN, (status) => status === 410),
  ),
  'redirect-taken': answered(
    'treats a redirect as an acknowledgement',
    readAs(OK, (status) => status >= 300 && status < 400),
  ),
  'redirect-followed': answered('follows redirects', (reply, message, { deliver }) => {
    const location = header(reply, 'location')
    return reply.status >= 300 && reply.status < 400 && location !== undefined
      ? deliver({ ...message, path: new URL(location, 'http://merchant').pathname })
      : reply
  }),
  'retry-after-ignored': answered('does not wait as Retry-After requires', (reply) =>
    withHeader(reply, 'retry-after', undefined),
  ),
  'body-changes-at-retry': remembering('sends another body at a retry', (world) => {
    const attempts = new Map<string, number>()
    const longer = payload((state) => ({ ...state, status_message: `${String(state['status_message'])}.` }))
    return (message) => {
      const id = header(message, 'webhook-id') ?? ''
      attempts.set(id, (attempts.get(id) ?? 0) + 1)
      return attempts.get(id) === 1 ? message : signCallback(withFields(message, longer), world)
    }
  }),
})
