import type { Contract, Schema } from '../../../openapi/reading/contract.ts'

/** A valid value of a schema: its own example, or the simplest possible value. */
export function sampleOf(contract: Contract, node: Schema): unknown {
  const schema = contract.flat(node)
  const candidates = [
    ...(schema.examples ?? []),
    schema.example,
    schema.enum?.[0],
    schema.const,
    schema.default,
    schema.type === 'boolean' ? false : undefined,
    schema.minimum,
    'x'.repeat(schema.minLength ?? 10),
    1,
  ]
  return candidates.find((value) => value !== undefined && contract.faultIn(node, value) === undefined)
}

/** Invalid values: type, null, characters, length. @param nullIsAbsent whether null counts as no value */
export function wrongInBody(contract: Contract, node: Schema, nullIsAbsent: boolean): unknown[] {
  const otherType = [-1, '?', { surprise: true }].find((value) => contract.faultIn(node, value) !== undefined)
  const { maxLength, enum: values } = contract.flat(node)
  const tooLong = maxLength === undefined || values ? undefined : 'x'.repeat(maxLength + 1)
  return [
    otherType,
    nullIsAbsent || contract.faultIn(node, null) === undefined ? undefined : null,
    misspeltOf(contract, node),
    tooLong,
  ].filter((value) => value !== undefined)
}

/** Invalid texts for a header, query or path; none when every text that can be sent is valid. */
export function wrongTexts(contract: Contract, node: Schema, isSendable: (text: string) => boolean): string[] {
  const { maxLength = 0, type } = contract.flat(node)
  const read = (text: string): unknown =>
    (type === 'number' || type === 'integer') && /^\d+$/.test(text) ? Number(text) : text
  const plain = ['2', 'not.one-of_these!', '?', 'x'.repeat(maxLength + 1)].find(
    (text) => isSendable(text) && contract.faultIn(node, read(text)) !== undefined,
  )
  return [plain, misspeltOf(contract, node)].filter((text): text is string => text !== undefined && isSendable(text))
}

/** The schema's own example with one forbidden letter: it breaks only the pattern, not the length. */
function misspeltOf(contract: Contract, node: Schema): string | undefined {
  const sample = sampleOf(contract, node)
  if (typeof sample !== 'string') return undefined
  return [sample.toLowerCase(), `${sample.slice(0, 1)}:${sample.slice(2)}`].find(
    (text) => contract.faultIn(node, text) !== undefined,
  )
}

/** The server accepts a text of this kind only once. */
const REFERENCE = 'merchant_reference'
const PHONE_NUMBERS = ['msisdn', 'account_number']

/** An example with a new reference (`auto` stays), and a new phone number with the same ending. */
export function freshened(body: unknown, fresh: () => number): unknown {
  if (typeof body !== 'object' || body === null) return body
  const digits = String(fresh()).padStart(8, '0')
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === REFERENCE && typeof value === 'string' && /\d/.test(value))
        return [name, `${value.replace(/\d.*$/, '')}${digits}`]
      if (PHONE_NUMBERS.includes(name) && typeof value === 'string' && /^\d{12}$/.test(value))
        return [name, `${value.slice(0, 5)}${digits.slice(-4)}${value.slice(-3)}`]
      return [name, value]
    }),
  )
}
