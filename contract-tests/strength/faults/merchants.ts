import { edited, faultsOf } from './fault.ts'

// Two merchants that are not isolated. The first one's id is 1.

const LOOKUPS = 'storage/lookups.ts'

const CHECK = "operation.method === 'post' && merchantOf(exchange).suspendedAt"
const VERIFY = 'http/handlers/verify-transaction.ts'
const LOADED = 'await verifyTransaction(deps, merchant, merchant_reference)'

export const merchantFaults = [
  ...faultsOf('merchants', {
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
    'others-transaction-403': edited(
      "verify answers 403 about the first merchant's transaction",
      [VERIFY, 'import type', "import { RequestFault } from '../failures.ts'\nimport type"],
      [
        VERIFY,
        LOADED,
        `${LOADED}.catch(async (error) => {
        if (!(await deps.lookups.transactionByMerchantReference(1n, merchant_reference))) throw error
        throw new RequestFault(403, 'Transaction was not found')
      })`,
      ],
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
    'options-of-all-merchants': edited('refuses by its limits a provider that only another merchant may use', [
      'actions/accept-transaction.ts',
      "throw refused(': not enabled for this merchant')",
      'throw outsideLimits(option)',
    ]),
    'rate-limit-of-all-merchants': edited('has one rate limit for all merchants', [
      'http/api.ts',
      'rateLimits.request(merchantOf(exchange).publicKey,',
      "rateLimits.request('all',",
    ]),
  }),
  ...faultsOf('suspension', {
    'suspended-merchant-accepted': edited('accepts payments of a suspended merchant', ['http/api.ts', CHECK, 'false']),
    'suspended-merchant-shut-out': edited('refuses the look-ups of a suspended merchant too', [
      'http/api.ts',
      CHECK,
      'merchantOf(exchange).suspendedAt',
    ]),
  }),
]
