import type { NamedKey } from './key-ring.ts'
import type { Failure } from './types.ts'

/** Shorter values would match unrelated text. */
export const KEY_LENGTH_MIN = 8

/** Replaces every key in a text by `[<name of its scheme>]`, in the spellings that requests and reports use. */
export type Redact = (text: string) => string

export function createRedact(keys: readonly NamedKey[]): Redact {
  const spellings = keys.flatMap(([name, key]) =>
    [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), Buffer.from(key).toString('base64')].map(
      (spelling) => [spelling, `[${name}]`] as const,
    ),
  )
  // A key that contains another one is replaced first.
  const ordered = spellings.toSorted(([one], [other]) => other.length - one.length)
  return (text) => ordered.reduce((redacted, [spelling, name]) => redacted.replaceAll(spelling, name), text)
}

/** The same for a report of JSON lines with base64 bodies. */
export function redactReport(report: string, redact: Redact): string {
  return report
    .split('\n')
    .map((line) => (line === '' ? line : redact(JSON.stringify(redactBodies(JSON.parse(line), redact)))))
    .join('\n')
}

function redactBodies(value: unknown, redact: Redact): unknown {
  if (Array.isArray(value)) return value.map((each) => redactBodies(each, redact))
  if (typeof value !== 'object' || value === null) return value
  if ('$base64' in value && typeof value.$base64 === 'string') {
    // latin1 keeps every byte unchanged.
    const body = Buffer.from(value.$base64, 'base64').toString('latin1')
    return { $base64: Buffer.from(redact(body), 'latin1').toString('base64') }
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactBodies(each, redact)]))
}

/** A failure without keys, for reports. */
export function redactFailure(failure: Failure, redact: Redact): Failure {
  const { title, message, curl, before, request, response } = failure
  const headersOf = (headers: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.map(redact)]))
  return {
    ...failure,
    title: redact(title),
    message: redact(message),
    curl: redact(curl),
    before: before.map(redact),
    ...(request && {
      request: {
        ...request,
        url: redact(request.url),
        headers: headersOf(request.headers),
        ...(request.body !== undefined && { body: redact(request.body) }),
      },
    }),
    ...(response && {
      response: { ...response, headers: headersOf(response.headers), body: redact(response.body) },
    }),
  }
}
