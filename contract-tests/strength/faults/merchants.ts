import { header, INITIALIZE, messageOf, refusal, VERIFY, withBody, withKeys } from './edit.ts'
import { edited, type FaultRows } from './fault.ts'
import { inAnyReplies, inReplies, remembering } from './rows.ts'

// Two merchants that are not isolated. The first one's id is 1.

const LOOKUPS = 'storage/lookups.ts'

export const merchantRows: FaultRows = {
  'verify-mixes-merchants': edited('mixes the look-ups of two merchants that come at the same moment', [
    'storage/lookups.ts',
    'queried.map((_, index) => found.get(index + 1))',
    'queried.map(({ merchantReference }) => [...found.values()].find((each) => each.merchantReference === merchantReference))',
  ]),
  'others-transaction-shown': edited("verify shows another merchant's transaction", [
    LOOKUPS,
    'r using (merchant_id, merchant_reference)',
    'r using (merchant_reference)',
  ]),
  'others-transaction-403': inReplies(
    "verify answers 403 about the first merchant's transaction",
    VERIFY,
    404,
    async (reply, request, context) => {
      const isOwn = header(request, 'public-key') === context.publicKey
      const shown = await context.send(withKeys(request, context))
      return !isOwn && shown.status === 200 ? refusal(reply, 403, 'Transaction was not found') : reply
    },
  ),
  'balances-of-all-added': edited('adds the balances of all merchants', [
    LOOKUPS,
    'from accounts where merchant_id = $1 and',
    'from accounts where merchant_id >= 0 * $1::bigint and',
  ]),
  'others-providers-listed': edited('lists providers that only other merchants may use', [
    'actions/list-payment-providers.ts',
    'merchant.enabledOptions.has(optionKey(providerCode, type))',
    'optionKey(providerCode, type)',
  ]),
  'others-collection-authorized': edited("accepts a one-time password for another merchant's collection", [
    'actions/authorize-collection.ts',
    'payment.transaction.merchantId !== merchant.id',
    '!payment',
  ]),
  'references-of-all-merchants': edited('refuses a reference that another merchant has used', [
    'storage/accept-transactions.ts',
    'as r(merchant_id, merchant_reference, base)',
    `as r(merchant_id, merchant_reference, base)
     where not exists (select from transaction_references o where o.merchant_reference = r.merchant_reference)`,
  ]),
  'idempotency-keys-of-all-merchants': edited("treats another merchant's Idempotency-Key as a replay", [
    'storage/idempotency.ts',
    'where merchant_id = $1 and key = $2',
    'where merchant_id >= 0 * $1::bigint and key = $2',
  ]),
  'idempotency-keys-of-all-operations': edited('treats the Idempotency-Key of a collection as one of payouts', [
    'http/idempotency-claim.ts',
    'digest(`key\\n${operationId}\\n',
    'digest(`key\\n',
  ]),
  'secret-key-of-another': edited(
    "accepts any merchant's secret-key with a valid public-key",
    ['http/key-checks.ts', 'function secretKeyMatches(', 'const known = []\nfunction secretKeyMatches('],
    [
      'http/key-checks.ts',
      'merchant?.secretKeyDigests ?? [NO_DIGEST]',
      'merchant ? (known.push(...merchant.secretKeyDigests), known) : [NO_DIGEST]',
    ],
  ),
  'callbacks-to-another': edited("calls the first merchant's URLs for all", [
    'actions/deliver-callback.ts',
    'merchantById(merchantId)',
    'merchantById(1n)',
  ]),
  'options-of-all-merchants': inReplies(
    'refuses by its limits a provider that only another merchant may use',
    INITIALIZE,
    400,
    (reply) =>
      messageOf(reply).includes('not enabled') ? refusal(reply, 400, 'amount must be between 1 and 2 RWF') : reply,
  ),
  'rate-limit-of-all-merchants': remembering(() => {
    let isOver = false
    return inAnyReplies(
      'has one rate limit for all merchants',
      (reply) => (isOver ||= reply.status === 429),
      (reply) => refusal(reply, 429, 'Too many requests: try again in 1 second'),
    )
  }),
  'order-of-another-on-page': inAnyReplies(
    "names another merchant's order on its payment pages",
    (reply, { path }) => path.startsWith('/pay/') && reply.status === 200,
    (reply) => withBody(reply, reply.body.toString().replace('</title>', ' Order at shop B</title>')),
  ),
}
