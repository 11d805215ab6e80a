import { callbackEventOf, legacySignedText } from '../domain/callback.ts'
import { withAsciiHost, type RedirectParameter } from '../domain/redirect-url.ts'
import { isFinal } from '../domain/transaction.ts'
import type { LegacySigner } from './ports/legacy-signer.ts'
import type { Payment } from './ports/lookups.ts'

/**
 * The target of the customer's browser once the collection is final: the merchant's redirect_url with the outcome and
 * both signatures added. Its own query and fragment stay unchanged. Undefined while the collection is not final, or
 * without a redirect_url.
 */
export async function redirectCustomer(
  { signer }: { signer: LegacySigner },
  { transaction, redirectUrl }: Payment,
): Promise<string | undefined> {
  if (redirectUrl === undefined || !isFinal(transaction.status)) return undefined
  const event = callbackEventOf(transaction)
  const { hmacSignature, rsaSignature, rsaKeyId } = await signer.sign(
    transaction.merchantId,
    legacySignedText(event, transaction),
  )
  return withParameters(withAsciiHost(redirectUrl), {
    id: String(transaction.id),
    event,
    merchant_reference: transaction.merchantReference,
    internal_reference: transaction.internalReference,
    transaction_type: transaction.type,
    transaction_status: transaction.status,
    status_message: transaction.statusMessage,
    rsa_key_id: rsaKeyId,
    rsa_signature: rsaSignature,
    hmac_signature: hmacSignature,
  })
}

/** Percent-encoded throughout, never `+` for a space: WHATWG and RFC 3986 parsers read the same values. */
function withParameters(url: string, parameters: Readonly<Record<RedirectParameter, string>>): string {
  const [beforeFragment, ...fragment] = url.split('#') as [string, ...string[]]
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return `${beforeFragment}${separatorAfter(beforeFragment)}${query}${fragment.length > 0 ? `#${fragment.join('#')}` : ''}`
}

/** The separator between a URL, which may have a query, and more parameters. A later `?` is part of a value. */
function separatorAfter(url: string): '?' | '&' | '' {
  const [, query] = /^[^?]*\?(.*)$/s.exec(url) ?? []
  if (query === undefined) return '?'
  return query === '' || query.endsWith('&') ? '' : '&'
}
