import type { Keys } from './types.ts'

/** Shorter ones would be found in innocent text. */
export const KEY_LENGTH_MIN = 8

/** Replaces every key in a text by `[<name of its scheme>]`, in the spellings that requests and reports use. */
export type Redact = (text: string) => string

export function createRedact(keys: Keys): Redact {
  const spellings = Object.entries(keys).flatMap(([name, key]) =>
    [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), Buffer.from(key).toString('base64')].map(
      (spelling) => [spelling, `[${name}]`] as const,
    ),
  )
  // A key that contains another is replaced first.
  const ordered = spellings.toSorted(([one], [other]) => other.length - one.length)
  return (text) => ordered.reduce((redacted, [spelling, name]) => redacted.replaceAll(spelling, name), text)
}

/** The same for a report of JSON lines, whose bodies are base64. */
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
    // latin1 keeps every byte as it is.
    const body = Buffer.from(value.$base64, 'base64').toString('latin1')
    return { $base64: Buffer.from(redact(body), 'latin1').toString('base64') }
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactBodies(each, redact)]))
}
