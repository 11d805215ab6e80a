import { scanJson } from '../domain/json-text.ts'
import { RequestFault } from './failures.ts'

/**
 * Many times what any request of the contract has. A body with more has undeclared fields and is not read any further:
 * `JSON.parse` takes 1.4 ms for 4,000 names in one object.
 */
export const NAMES_MAX = 100
/** Many times what any request of the contract has; `JSON.parse` takes 6 ms for 32,000 nested lists. */
const DEPTH_MAX = 32

/** The numbers of the outermost object, digit for digit, by name. */
export type NumberTexts = ReadonlyMap<string, string>

/**
 * Reads from a request's JSON text what `JSON.parse` discards: duplicate names, and the digits of numbers. Whether the
 * text is valid JSON is left to `JSON.parse`.
 * @param isDeclared whether the contract has a field with this dotted name for this operation
 * @throws RequestFault 400 naming the duplicate; or, with more than NAMES_MAX names or deeper than DEPTH_MAX,
 *   naming the first undeclared name, whatever else is wrong
 */
export function readNamesAndNumbers(text: string, isDeclared: (name: string) => boolean): NumberTexts {
  const numbers = new Map<string, string>()
  const seen: string[] = []
  scanJson(text, {
    onOpen(depth) {
      if (depth > DEPTH_MAX) throw tooMuch(seen, isDeclared)
    },
    onName(path, isRepeated) {
      if (isRepeated) throw new RequestFault(400, `${path} must be given once`)
      seen.push(path)
      if (seen.length > NAMES_MAX) throw tooMuch(seen, isDeclared)
    },
    onNumber: (name, digits) => void numbers.set(name, digits),
  })
  return numbers
}

function tooMuch(seen: readonly string[], isDeclared: (name: string) => boolean): RequestFault {
  const unknown = seen.find((path) => !isDeclared(path)) ?? seen.at(-1)
  return unknown === undefined
    ? new RequestFault(400, 'The request body must be a JSON object')
    : new RequestFault(400, `${unknown} is not allowed`)
}
