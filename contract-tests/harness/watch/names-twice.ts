/** What a body says before anybody looks at its fields. */
export interface Names {
  readonly value: unknown
  /** Names of fields, however deep. */
  readonly count: number
  /** Names that come more than once, wherever they stand. */
  readonly twice: readonly string[]
  /** Texts that some programs call no text, or numbers that they cannot hold. */
  readonly isOdd: boolean
}

const NAME = /"((?:[^"\\]|\\.)*)"\s*:/g
/** Lone halves of characters; exponents and digits that leave the doubles; very deep lists. */
const ODD = /\\u[dD][89a-fA-F]|\d[eE][+-]?\d{3,}|\d{200,}|[[{]{16}/

/** Undefined: it is no JSON in UTF-8. */
export function namesIn(bytes: Buffer): Names | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    const names = [...text.matchAll(NAME)].map(([, name = '']) => String(JSON.parse(`"${name}"`)))
    const twice = [...Map.groupBy(names, (name) => name)].filter(([, each]) => each.length > 1).map(([name]) => name)
    return { value, count: names.length, twice, isOdd: ODD.test(text) }
  } catch {
    return undefined
  }
}
