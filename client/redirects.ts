import type { RedirectOutcome } from './contract-types.ts'
import { verifyLegacySignatures, type LegacyKeys } from './legacy-signature.ts'
import { parameterOf, queryOf } from './request-url.ts'
import { WebhookVerificationError } from './verification-error.ts'

/**
 * Verifies the query that a customer's browser brought to your `redirect_url`, or throws.
 *
 * **The signatures cover five fields only**: event, both references, type and status; neither `id` nor
 * `status_message`, no amount, and no time: the customer can open the same address again. Use the result to choose the
 * page to show. Ship goods based on the callback or `transactions.verify`, never on a redirect.
 *
 * @param url the requested address of the page, or its path with the query
 * @param keys your signing keys, Malipo's public keys, or both: the signature of each given kind must be valid. Not in
 *   a
 *   browser: a signing key is secret
 * @throws WebhookVerificationError with its `reason`
 * @example
 * ```ts
 * const outcome = await redirects.verify(request.url, { signingKeys: process.env.MALIPO_SIGNING_KEY! })
 * show(outcome.transaction_status === 'COMPLETED' ? 'Thank you' : outcome.status_message)
 * ```
 */
export async function verify(url: string | URL, keys: LegacyKeys): Promise<RedirectOutcome> {
  const query = queryOf(url)
  const outcome = outcomeIn(query)
  await verifyLegacySignatures(
    outcome,
    {
      hmac: () => parameterOf(query, 'hmac_signature', 'no_signature'),
      rsa: () => parameterOf(query, 'rsa_signature', 'no_signature'),
      rsaKeyId: () => parameterOf(query, 'rsa_key_id', 'no_signature'),
    },
    keys,
  )
  return outcome
}

function outcomeIn(query: URLSearchParams): RedirectOutcome {
  const id = parameterOf(query, 'id')
  const status = oneOf(parameterOf(query, 'transaction_status'), ['COMPLETED', 'FAILED', 'CANCELLED'])
  const event = oneOf(parameterOf(query, 'event'), ['transaction.completed', 'transaction.failed'])
  if (!/^[1-9][0-9]{0,15}$/.test(id) || (event === 'transaction.completed') !== (status === 'COMPLETED'))
    throw malformed()
  return {
    id: Number(id),
    event,
    merchant_reference: parameterOf(query, 'merchant_reference'),
    internal_reference: parameterOf(query, 'internal_reference'),
    transaction_type: oneOf(parameterOf(query, 'transaction_type'), ['COLLECTION']),
    transaction_status: status,
    status_message: parameterOf(query, 'status_message'),
  }
}

function oneOf<const Value extends string>(text: string, values: readonly Value[]): Value {
  const value = values.find((value) => value === text)
  if (value === undefined) throw malformed()
  return value
}

const malformed = () =>
  new WebhookVerificationError('malformed', 'The query is not that of a redirect of this API version')
