import { edited, faultsOf } from './fault.ts'

// Faults in references and idempotency keys.

const REFERENCES = 'domain/references.ts'
const HANDLER = 'http/handlers/initialize-collection.ts'

export const referenceFaults = faultsOf('references', {
  'reference-taken-twice': edited('accepts a merchant_reference a second time', [
    'storage/accept-transactions.ts',
    'on conflict do nothing',
    'on conflict (merchant_id, merchant_reference) do update set transaction_id = excluded.transaction_id',
  ]),
  'internal-reference-repeated': edited(
    'gives every collection the internal reference of the first',
    [HANDLER, 'export const', 'let first\nexport const'],
    [
      HANDLER,
      '...referencesOf(collection),',
      '...referencesOf(collection), internal_reference: (first ??= collection.internalReference),',
    ],
  ),
  'reference-kept-after-refusal': edited(
    'treats a reference as used although the request was refused',
    [HANDLER, "../body.ts'", "../body.ts'\nimport { RequestFault } from '../failures.ts'"],
    [HANDLER, 'export const', 'const refused = new Set()\nexport const'],
    [
      HANDLER,
      'await initializeCollection(deps, merchant, request, idempotency)',
      `await initializeCollection(deps, merchant, request, idempotency).catch((error) => {
      refused.add(request.merchantReference)
      throw error
    })
    if (refused.has(body.merchant_reference))
      throw new RequestFault(409, \`merchant_reference (\${body.merchant_reference}) has already been used\`)`,
    ],
  ),
  'twins-both-taken': edited(
    'accepts two requests with one reference when they come at the same moment',
    [HANDLER, 'export const', 'const open = new Set()\nexport const'],
    [
      HANDLER,
      '{ ...toRequest(body, numbers), traceparent }',
      `{ ...toRequest(body, numbers), traceparent }
    const { merchantReference } = request
    if (open.has(merchantReference)) request.merchantReference = undefined
    open.add(merchantReference)
    setTimeout(() => open.delete(merchantReference), 20)`,
    ],
    [
      HANDLER,
      '...referencesOf(collection),',
      '...referencesOf({ ...collection, ...(merchantReference && { merchantReference }) }),',
    ],
  ),
  'references-of-a-counter': edited(
    'makes twelve of the 16 random symbols of an internal reference from a counter',
    [REFERENCES, 'const REFERENCE_UNIT_MS = 2_000', 'const REFERENCE_UNIT_MS = 2_000\nlet made = 0'],
    [
      REFERENCES,
      '${encoded(time, REFERENCE_TIME_SYMBOLS)}${symbols(random, 16)}',
      '${encoded(time, REFERENCE_TIME_SYMBOLS)}${symbols(random, 4)}${encoded((made += 1), 12)}',
    ],
  ),
  'idempotency-key-ignored': edited('carries out a repeated Idempotency-Key again', [
    'http/api.ts',
    "const key = declared?.['idempotency-key']",
    'const key = undefined',
  ]),
  'replay-not-reported': edited('repeats a reply without Idempotency-Replayed', [
    'http/envelope.ts',
    "{ 'idempotency-replayed': 'true' }",
    '{}',
  ]),
  'replay-always-reported': edited('says Idempotency-Replayed for first replies', [
    HANDLER,
    '      collection.replayed,',
    '      true,',
  ]),
  'replay-without-its-page': edited('leaves payment_url out of a reply that is repeated', [
    HANDLER,
    '...(collection.onPaymentPage &&',
    '...(collection.onPaymentPage && !collection.replayed &&',
  ]),
  'carried-out-twice': edited('carries out every collection twice', [
    HANDLER,
    '    return accepted(',
    `    const again = { ...request, merchantReference: undefined }
    if (!collection.replayed) await initializeCollection(deps, merchant, again).catch(() => undefined)
    return accepted(`,
  ]),
})
