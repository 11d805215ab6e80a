import { WebhookVerificationError } from './verification-error.ts'

/** Headers of a request: the standard `Headers`, or an object as Node, Express, Fastify and cloud functions have it. */
export type MessageHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The value of a header, whatever the case of its name; one that came several times is joined as `Headers` would.
 *
 * @throws WebhookVerificationError `no_signature` when it is missing: all headers that are asked for here belong to a
 *   signature
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

// By its method, not its class: several implementations of `fetch` bring their own.
const isStandard = (headers: MessageHeaders): headers is Headers => typeof headers?.get === 'function'

// A program without types may pass none at all: that is the same mistake as a header too few.
function own(
  headers: Exclude<MessageHeaders, Headers> | undefined,
  name: string,
): string | readonly string[] | undefined {
  const key = Object.keys(headers ?? {}).find((key) => key.toLowerCase() === name)
  return key === undefined ? undefined : headers?.[key]
}
