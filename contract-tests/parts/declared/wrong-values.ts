import type { Contract, Schema } from '../../../openapi/reading/contract.ts'
import { sampleOf } from '../../driver/samples.ts'

/** Characters that terminate texts, statements, tags and lines elsewhere, and multi-byte ones. */
export const ODD_TEXT = `O'Reilly "x" <b>; -- %s \${x} \\ \u00e9 \u4f60 \u{1f600}`

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
