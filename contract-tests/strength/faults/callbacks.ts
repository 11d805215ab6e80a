import type { WireRequest } from '../../harness/proxy.ts'
import { isFields, type Fields } from '../../harness/json.ts'
import { fieldsOf, header, payload, withBody, withFields, withHeader, without } from './edit.ts'
import { edited, type FaultRows } from './fault.ts'
import { callbacks, OK, readAs, remembering } from './rows.ts'
import { eventOf, signCallback, signMessage } from './sign.ts'

const { sent, answered, lost } = callbacks

/** Another body with valid signatures. */
const says = (does: string, change: (body: Fields) => Fields) =>
  sent(does, (message, world) => signCallback(withFields(message, change), world))
/** Another payload with valid signatures. */
const reports = (does: string, change: (state: Fields) => Fields) => says(does, payload(change))

const changed = (message: WireRequest, name: string, change: (value: string) => string | undefined): WireRequest =>
  withHeader(message, name, change(header(message, name) ?? ''))
/** Changes one header, with a valid signature of the message. */
const signing = (does: string, name: string, change: (value: string) => string) =>
  sent(does, (message, world) => signMessage(changed(message, name, change), world))

const asFailed = (body: Fields): Fields => ({
  event: eventOf('FAILED'),
  payload: { ...(isFields(body['payload']) ? body['payload'] : {}), transaction_status: 'FAILED' },
})

const BROKEN = { ...OK, status: 500 }
const CALLBACK = 'domain/callback.ts'

export const callbackRows: FaultRows = {
  'late-status-signed': edited('signs a callback that comes again with the status of now', [
    'storage/callbacks.ts',
    'status: statusReported(row.event, { status: row.transaction_status }),',
    'status: row.transaction_status,',
  ]),
  'webhook-body-spaced': sent('signs the body without the spaces that it sends', (message) =>
    withBody(message, JSON.stringify(fieldsOf(message), undefined, 1)),
  ),
  'webhook-time-not-renewed': remembering(() => {
    const first = new Map<string, WireRequest>()
    return sent('sends a retry with the time and the signature of the first attempt', (message) => {
      const id = header(message, 'webhook-id') ?? ''
      const earliest = first.get(id) ?? message
      first.set(id, earliest)
      return { ...message, headers: earliest.headers }
    })
  }),
  'webhook-id-per-attempt': remembering(() => {
    let counter = 0
    const another = (id: string) => `${id.slice(0, -4)}${String(counter++).padStart(4, '0')}`
    return signing('gives every attempt a webhook-id of its own', 'webhook-id', another)
  }),
  'field-missing': reports('omits status_message', (state) => without(state, 'status_message')),
  'collection-at-payout-url': sent('calls the payout URL for collections', (message) => ({
    ...message,
    path: message.path.replace('collection', 'payout'),
  })),
  'url-of-nobody': sent("calls another URL than the merchant's", (message) => ({ ...message, path: '/hooks' })),
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
  'not-retried': answered(
    'does not try again after a 500',
    readAs(OK, (status) => status >= 500),
  ),
  'retried-at-once': answered('tries again at once after a 500', (reply, message, { deliver }) =>
    reply.status >= 500 ? deliver(message) : reply,
  ),
  'no-content-not-taken': answered(
    'does not take 204 for an acknowledgement',
    readAs(BROKEN, (status) => status === 204),
  ),
  'gone-retried': answered(
    'tries again after 410',
    readAs(BROKEN, (status) => status === 410),
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
  'retry-a-second-early': edited('tries a callback again after 4 seconds', [
    CALLBACK,
    '  5 * SECOND,\n',
    '  4 * SECOND,\n',
  ]),
  'retry-up-to-a-third-longer': edited('makes the waits of a callback longer by up to a third, not a tenth', [
    CALLBACK,
    'jitter / 10',
    'jitter / 3',
  ]),
  'retry-without-chance': edited('makes no wait of a callback longer', [CALLBACK, 'jitter / 10', 'jitter * 0']),
  'retry-once-too-few': edited('gives a callback up after the eighth retry', [CALLBACK, '  24 * HOUR,\n', '']),
  'retry-after-a-minute-at-most': edited('waits a minute at most, whatever Retry-After says', [
    CALLBACK,
    'RETRY_AFTER_MAX_MS = 24 * HOUR',
    'RETRY_AFTER_MAX_MS = MINUTE',
  ]),
  'callback-of-ten-seconds': edited('waits 10 seconds for the answer to a callback', [
    CALLBACK,
    'const CALLBACK_TIMEOUT_MS = 15 * SECOND',
    'const CALLBACK_TIMEOUT_MS = 10 * SECOND',
  ]),
  'retry-after-of-date-ignored': answered('does not read a date in Retry-After', (reply) =>
    /^\d+$/.test(header(reply, 'retry-after') ?? '') ? reply : withHeader(reply, 'retry-after', undefined),
  ),
}
