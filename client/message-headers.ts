import { WebhookVerificationError } from './verification-error.ts'

/** Headers of a request: the standard `Headers`, or an object as in Node, Express, Fastify and cloud functions. */
export type MessageHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The value of a header, whatever the case of its name; a repeated header is joined as `Headers` would.
 *
 * @throws WebhookVerificationError `no_signature` when it is missing: all headers read here belong to a signature
 */
export function headerOf(headers: MessageHeaders, name: string): string {
  const value = isStandard(headers) ? headers.get(name) : own(headers, name)
  if (value === undefined || value === null || value === '')
    throw new WebhookVerificationError(
      'no_signature',
      `The header ${name} is missing (pass all headers of the request)`,
    )
  return typeof value === 'string' ? value : value.join(', ')
}

// Detected by its method, not its class: several implementations of `fetch` have their own class.
const isStandard = (headers: MessageHeaders): headers is Headers => typeof headers?.get === 'function'

// An untyped program may pass none at all: that is the same mistake as a missing header.
function own(
  headers: Exclude<MessageHeaders, Headers> | undefined,
  name: string,
): string | readonly string[] | undefined {
  const key = Object.keys(headers ?? {}).find((key) => key.toLowerCase() === name)
  return key === undefined ? undefined : headers?.[key]
}
