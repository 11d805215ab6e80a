import { isFields } from '../../harness/json.ts'

/** What a body shows before its fields are read. */
interface Names {
  readonly value: unknown
  /** Number of field names, at any depth. */
  readonly count: number
  /** Names that occur more than once, each also with its path: a message may call it either way. */
  readonly twice: readonly string[]
  /** Texts that some programs reject, or numbers that they cannot hold. */
  readonly isOdd: boolean
}

const NAME = /"((?:[^"\\]|\\.)*)"\s*:/g
/** Lone surrogates; exponents and digits beyond a double; very deep lists. */
const ODD = /\\u[dD][89a-fA-F]|\d[eE][+-]?\d{3,}|\d{200,}|[[{]{16}/

/** Undefined: not JSON in UTF-8. */
export function namesIn(bytes: Buffer): Names | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    const names = [...text.matchAll(NAME)].map(([, name = '']) => String(JSON.parse(`"${name}"`)))
    // A name may be in each object of a list; nothing else of the contract has it twice.
    const kept = Map.groupBy(namesOf(value), (name) => name)
    const isTwice = (name: string, written: number): boolean =>
      written > (isInList(value, name) ? (kept.get(name)?.length ?? 0) : 1)
    const repeated = [...Map.groupBy(names, (name) => name)]
      .filter(([name, each]) => isTwice(name, each.length))
      .map(([name]) => name)
    const twice = repeated.flatMap((name) => [name, ...pathsTo(value, name)])
    return { value, count: names.length, twice, isOdd: ODD.test(text) }
  } catch {
    return undefined
  }
}

const namesOf = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, each]) => [...(Array.isArray(value) ? [] : [name]), ...namesOf(each)])
const isInList = (value: unknown, name: string): boolean =>
  Object.values(isFields(value) ? value : {}).some((each) => Array.isArray(each) && namesOf(each).includes(name))

/** Where objects within the value have a field of this name: `extra_params.bank_code`. */
const pathsTo = (value: unknown, name: string): readonly string[] =>
  Object.entries(isFields(value) ? value : {}).flatMap(([key, inner]) => [
    ...(isFields(inner) && Object.hasOwn(inner, name) ? [`${key}.${name}`] : []),
    ...pathsTo(inner, name).map((path) => `${key}.${path}`),
  ])
