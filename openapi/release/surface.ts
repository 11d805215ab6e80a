import { isList, isObject, stringsOf, textOf, type Json } from '../reading/json.ts'

/** Keywords that only people and the docs read. */
const TEXTS = new Set(
  '$comment contact description example examples externalDocs info license links summary tags title'.split(' '),
)
const EXTENSIBLE = 'x-extensible-enum'
const isText = (keyword: string): boolean => TEXTS.has(keyword) || (keyword.startsWith('x-') && keyword !== EXTENSIBLE)
/** What they hold are names, and no keywords. */
const NAMES = ['properties', 'patternProperties', 'headers', 'content', 'callbacks', 'webhooks', 'mapping', EXTENSIBLE]
/** Lists whose order means nothing. */
const SETS = ['required', 'enum']

/**
 * The contract as programs depend on it: without texts and examples, which may change at any time.
 *
 * @param keyword what the node is the value of
 */
export function surfaceOf(node: Json, keyword = ''): Json {
  // Redocly looks into no list of an extension.
  if (keyword === EXTENSIBLE && isList(node)) return Object.fromEntries(stringsOf(node).map((value) => [value, true]))
  if (isList(node)) {
    const items = node.map((each) => surfaceOf(each))
    return SETS.includes(keyword) ? items.toSorted((one, other) => textOf(one).localeCompare(textOf(other))) : items
  }
  if (!isObject(node)) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => NAMES.includes(keyword) || !isText(key))
      // A field may have the name of a keyword.
      .map(([key, held]) => [key, surfaceOf(held, NAMES.includes(keyword) ? '' : key)]),
  )
}
