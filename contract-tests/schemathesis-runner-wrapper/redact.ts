import type { NamedKey } from './key-ring.ts'

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
export const redactReport = (report: string, redact: Redact): string =>
  report
    .split('\n')
    .map((line) => (line === '' ? line : JSON.stringify(redactValue(JSON.parse(line), redact))))
    .join('\n')

/** The same for every text in a value: names of fields, and bodies in base64. */
export function redactValue<Value>(value: Value, redact: Redact): Value
export function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each: unknown) => redactValue(each, redact))
  if (typeof value !== 'object' || value === null) return value
  if ('$base64' in value && typeof value.$base64 === 'string') {
    // latin1 keeps every byte unchanged.
    const body = Buffer.from(value.$base64, 'base64').toString('latin1')
    return { $base64: Buffer.from(redact(body), 'latin1').toString('base64') }
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), redactValue(each, redact)]))
}
