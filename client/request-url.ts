import { WebhookVerificationError } from './verification-error.ts'

/**
 * The query of a URL or path, as in `request.url` of any framework.
 * @throws WebhookVerificationError `malformed`
 */
export function queryOf(url: string | URL): URLSearchParams {
  try {
    // A path needs some base; only the query is read.
    return new URL(url, 'http://localhost').searchParams
  } catch (cause) {
    throw new WebhookVerificationError('malformed', 'The URL cannot be read', { cause })
  }
}

/**
 * The value of a parameter that must occur once: of two values, one program would check the first and another use the
 * second.
 *
 * @throws WebhookVerificationError `malformed`, or the given reason when it is missing
 */
export function parameterOf(
  query: URLSearchParams,
  name: string,
  missing: 'malformed' | 'no_signature' = 'malformed',
): string {
  const [value, ...more] = query.getAll(name)
  if (value === undefined || value === '')
    throw new WebhookVerificationError(missing, `The parameter ${name} is missing (pass the URL with its whole query)`)
  if (more.length > 0) throw new WebhookVerificationError('malformed', `The parameter ${name} is given more than once`)
  return value
}
