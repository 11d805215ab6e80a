import { scanJson } from './json-text.ts'

/** Many times what any operator sends. */
const DEPTH_MAX = 64

/** What somebody else's text says, or why it says nothing. */
export type ForeignJson =
  | {
      readonly value: unknown
      /** It has numbers that JavaScript would round: they are given as texts, so that an id keeps its digits. */
      readonly hasLongNumbers: boolean
    }
  /** Repeats nothing of the text. */
  | { readonly fault: string }

/**
 * Reads JSON that others wrote. An object that has a name twice says two things, so that neither is believed:
 * `JSON.parse` would take the last one.
 */
export function readForeignJson(text: string): ForeignJson {
  try {
    scanJson(text, {
      onOpen(depth) {
        if (depth > DEPTH_MAX) throw new Unreadable('the body is nested too deep')
      },
      onName(_path, isRepeated) {
        if (isRepeated) throw new Unreadable('the body has a name twice in one object')
      },
    })
    return MAY_BE_LONG.test(text) ? withLongNumbers(text) : { value: JSON.parse(text), hasLongNumbers: false }
  } catch (error) {
    // The parser's own message quotes the text.
    return { fault: error instanceof Unreadable ? error.message : 'the body is no JSON' }
  }
}

class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** A number of up to 15 digits comes back as it was written. */
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
