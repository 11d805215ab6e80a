import { scanJson } from './json-text.ts'

/** Far above the size of any operator's messages. */
const DEPTH_MAX = 64

/** The parsed value of a foreign text, or why it cannot be used. */
type ForeignJson =
  | {
      readonly value: unknown
      /**
       * It contains numbers that JavaScript would round: they are returned as texts, so that an id keeps its digits.
       */
      readonly hasLongNumbers: boolean
    }
  /** Contains nothing of the text. */
  | { readonly fault: string }

/**
 * Parses JSON from a third party. An object with a duplicate name is contradictory, so it is rejected: `JSON.parse`
 * would take the last value.
 */
export function readForeignJson(text: string): ForeignJson {
  try {
    scanJson(text, {
      onOpen(depth) {
        if (depth > DEPTH_MAX) throw new UnreadableJson('the body is nested too deep')
      },
      onName(_path, isRepeated) {
        if (isRepeated) throw new UnreadableJson('the body has a name twice in one object')
      },
    })
    return MAY_BE_LONG.test(text) ? withLongNumbers(text) : { value: JSON.parse(text), hasLongNumbers: false }
  } catch (error) {
    // The parser's own message quotes the text.
    return { fault: error instanceof UnreadableJson ? error.message : 'the body is no JSON' }
  }
}

class UnreadableJson extends Error {
  override readonly name = 'Unreadable'
}

/** A number of up to 15 digits survives the conversion unchanged. */
const EXACT_DIGITS = 15
const MAY_BE_LONG = new RegExp(`[\\d.]{${EXACT_DIGITS + 1}}|\\d[eE]`)

function withLongNumbers(text: string): ForeignJson {
  let hasLongNumbers = false
  const value: unknown = JSON.parse(text, (_name, each: unknown, context?: { readonly source?: string }) => {
    if (typeof each !== 'number' || context?.source === undefined || isExact(each, context.source)) return each
    hasLongNumbers = true
    return context.source
  })
  return { value, hasLongNumbers }
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false
  const digits = source
    .replace(/[eE][^]*/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length <= EXACT_DIGITS || String(value) === source
}
