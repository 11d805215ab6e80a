import { edited, faultsOf } from './fault.ts'

// Faults in what a merchant gets: callbacks, handshakes, and the redirect of the customer.

const CALLBACK = 'domain/callback.ts'
const DELIVERY = 'actions/deliver-callback.ts'
const SENDER = 'callbacks/sender.ts'
const HANDSHAKE = 'domain/handshake.ts'
const REDIRECT = 'actions/redirect-customer.ts'

const SENT = "const response = await requestWithin(timeoutMs, url, { method: 'POST', headers, body, dispatcher })"
const SIGNED = 'const { signed, event, webhookId, body } = callback'

export const messageFaults = [
  ...faultsOf('callbacks', {
    'late-status-signed': edited('signs a callback that comes again with the status of now', [
      'storage/callbacks.ts',
      'status: statusReported(row.event, { status: row.transaction_status }),',
      'status: row.transaction_status,',
    ]),
    'webhook-body-spaced': edited('signs the body without the spaces that it sends', [
      SENDER,
      "{ method: 'POST', headers, body, dispatcher }",
      "{ method: 'POST', headers, body: JSON.stringify(JSON.parse(body), undefined, 1), dispatcher }",
    ]),
    'webhook-time-not-renewed': edited(
      'sends a retry with the time and the signature of the first attempt',
      [SENDER, 'interface Sender ', 'const firstAt = {}\ninterface Sender '],
      [SENDER, SIGNED, `${SIGNED}\n  at = firstAt[webhookId] ??= at`],
    ),
    'webhook-id-per-attempt': edited('gives every attempt a webhook-id of its own', [
      SENDER,
      SIGNED,
      `const { signed, event, body } = callback
  const webhookId = callback.webhookId.slice(0, -4) + String(at.getTime()).slice(-7, -3)`,
    ]),
    'field-missing': edited('omits status_message', [
      'messages/transaction-record.ts',
      'payload: transactionRecord(transaction) })',
      'payload: { ...transactionRecord(transaction), status_message: undefined } })',
    ]),
    'collection-at-payout-url': edited('calls the payout URL for collections', [
      'domain/merchant.ts',
      "COLLECTION: 'collectionCallbackUrl'",
      "COLLECTION: 'payoutCallbackUrl'",
    ]),
    'never-sent': edited('sends no callbacks', [DELIVERY, "if (url === '')", "if (url !== '')"]),
    'not-retried': edited('does not try again after a 500', [
      CALLBACK,
      'if (httpStatus === 410)',
      'if (httpStatus === 410 || httpStatus === 500)',
    ]),
    'no-content-not-taken': edited('does not take 204 for an acknowledgement', [
      CALLBACK,
      'httpStatus < 300)',
      'httpStatus < 300 && httpStatus !== 204)',
    ]),
    'gone-retried': edited('tries again after 410', [CALLBACK, 'if (httpStatus === 410)', 'if (httpStatus === 418)']),
    'redirect-followed': edited('follows redirects', [
      SENDER,
      SENT,
      `${SENT.replace('const', 'let')}
  const { location } = response.headers
  if (location) response = await requestWithin(timeoutMs, new URL(location, url).href, { method: 'POST', headers, body, dispatcher })`,
    ]),
    'retry-after-ignored': edited('does not wait as Retry-After requires', [
      CALLBACK,
      'const queriedMs = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)',
      'const queriedMs = 0',
    ]),
    'retry-after-of-date-ignored': edited('does not read a date in Retry-After', [
      SENDER,
      'const at = timeOf(header)',
      'const at = NaN',
    ]),
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
  }),
  ...faultsOf('handshake', {
    'never-asked': edited('pays out without a handshake', [
      'callbacks/handshake.ts',
      'const { webhookSecrets } =',
      'if (webhookId) return { httpStatus: 200, durationMs: 1 }\n      const { webhookSecrets } =',
    ]),
    'rejection-ignored': edited('pays out although the merchant rejected it', [
      HANDSHAKE,
      "return { step: 'failed', failure: rejected(httpStatus) }",
      "return { step: 'confirmed' }",
    ]),
    'handshake-status-misquoted': edited('quotes another status than the merchant answered with', [
      HANDSHAKE,
      'failure: rejected(httpStatus)',
      'failure: rejected(httpStatus + 1)',
    ]),
    'failure-taken-for-consent': edited('pays out after a 5xx', [
      HANDSHAKE,
      'httpStatus >= 200 && httpStatus < 300)',
      '((httpStatus >= 200 && httpStatus < 300) || httpStatus >= 500))',
    ]),
    'asked-twice': edited('repeats an answered handshake', [
      HANDSHAKE,
      'httpStatus < 300)',
      'httpStatus < 300 && attempts > 1)',
    ]),
    'too-many-requests-taken-for-no': edited('treats 429 as a rejection of a payout', [
      HANDSHAKE,
      '[408, 425, 429]',
      '[408, 425]',
    ]),
    'handshake-second-wait-as-first': edited('waits 5 seconds before the second question again', [
      HANDSHAKE,
      '5 * SECOND, 30 * SECOND',
      '5 * SECOND, 5 * SECOND',
    ]),
    'handshake-once-too-few': edited('sends a handshake three times only', [HANDSHAKE, ', 120 * SECOND]', ']']),
    'handshake-of-three-seconds': edited('waits 3 seconds for the answer to a handshake', [
      HANDSHAKE,
      'const HANDSHAKE_TIMEOUT_MS = 5 * SECOND',
      'const HANDSHAKE_TIMEOUT_MS = 3 * SECOND',
    ]),
  }),
  ...faultsOf('redirect', {
    'redirect-key-in-query': edited('adds the public-key to the redirect', [
      REDIRECT,
      'id: String(transaction.id),',
      "merchant: 'pub_sandbox_demo',\n    id: String(transaction.id),",
    ]),
    'redirect-own-plus-changed': edited("changes plus signs of the merchant's own query", [
      REDIRECT,
      'withAsciiHost(redirectUrl)',
      "withAsciiHost(redirectUrl).replaceAll('+', '%20')",
    ]),
    'no-redirect': edited('shows the outcome, and never sends the customer back', [
      'payment-page/payment-page.ts',
      'if (address !== undefined && (wantsToLeave',
      "if (address === '' && (wantsToLeave",
    ]),
  }),
]
