import { datedFacts, isOld } from '../../reading/dated-facts.ts'
import { isList, isObject, listOf, objectOf, textOf, type Json, type JsonObject } from '../../reading/json.ts'

/** A table at the document's root, and the page of the docs that shows it. */
interface Table {
  readonly key: string
  readonly name: string
  readonly title: string
  readonly columns: Readonly<Record<string, (row: JsonObject) => string>>
}

const text = (value: Json | undefined): string => (value === undefined ? '' : textOf(value))
const code = (value: Json | undefined): string => (value === undefined ? '' : `\`${textOf(value)}\``)
const whoSaysSo = { 'Who says so': (row: JsonObject) => text(row.evidence) }
const codes = { Code: (row: JsonObject) => code(row.code), Meaning: (row: JsonObject) => text(row.meaning) }
const final = { Final: (row: JsonObject) => (row.final === false ? 'no' : 'yes') }
const resultCodes = { ...codes, ...final, ...whoSaysSo }

const TABLES: readonly Table[] = [
  {
    key: 'x-facts',
    name: 'facts',
    title: 'Facts',
    columns: { Fact: (row) => text(row.fact), ...whoSaysSo, 'Last observed': (row) => text(row.lastObserved) },
  },
  {
    key: 'x-sources',
    name: 'sources',
    title: 'Sources',
    columns: {
      Source: (row) => text(row.title),
      Date: (row) => text(row.date),
      'Last observed by': (row) => text(row.lastObservedBy),
    },
  },
  {
    key: 'x-error-codes',
    name: 'error-codes',
    title: 'Error codes',
    columns: {
      Code: (row) => code(row.code),
      Status: (row) => text(row.httpStatus),
      Meaning: (row) => text(row.meaning),
      ...whoSaysSo,
    },
  },
  { key: 'x-result-codes', name: 'result-codes', title: 'Result codes', columns: resultCodes },
  {
    key: 'x-payout-result-codes',
    name: 'payout-result-codes',
    title: 'Result codes of payouts',
    columns: { ...codes, ...whoSaysSo },
  },
  {
    key: 'x-business-result-codes',
    name: 'business-result-codes',
    title: 'Result codes of payments to businesses',
    columns: { ...codes, ...whoSaysSo },
  },
  {
    key: 'x-reversal-result-codes',
    name: 'reversal-result-codes',
    title: 'Result codes of reversals',
    columns: resultCodes,
  },
  {
    key: 'x-transaction-statuses',
    name: 'transaction-statuses',
    title: 'Transaction statuses',
    columns: {
      Status: (row) => code(row.status),
      Meaning: codes.Meaning,
      ...final,
      ...whoSaysSo,
    },
  },
  {
    key: 'x-test-numbers',
    name: 'test-numbers',
    title: 'Test numbers',
    columns: { As: (row) => text(row.side), Number: (row) => code(row.number), 'What happens': happens, ...whoSaysSo },
  },
  {
    key: 'x-countries',
    name: 'countries',
    title: 'Countries',
    columns: {
      Country: (row) => code(row.country),
      Currency: (row) => code(row.currency),
      'Calling code': (row) => text(row.callingCode),
      ...whoSaysSo,
    },
  },
  {
    key: 'x-target-environments',
    name: 'target-environments',
    title: 'Target environments',
    columns: { Environment: (row) => code(row.environment), Currency: (row) => text(row.currency), ...whoSaysSo },
  },
]

/** A row of the test numbers as a sentence. */
function happens(row: JsonObject): string {
  if (row.refused !== undefined) return `refused: ${code(row.refused)}`
  if (row.active !== undefined) return row.active === true ? 'active' : 'not active'
  return [
    row.pendingSecondsMin !== undefined && `\`PENDING\` for ${text(row.pendingSecondsMin)} s or more, then`,
    code(row.status),
    row.reason !== undefined && `with ${code(row.reason)}`,
    row.lastsSecondsMin !== undefined && `for ${text(row.lastsSecondsMin)} s or more`,
    row.withinSeconds !== undefined && `within ${text(row.withinSeconds)} s`,
    row.toldBy !== undefined && `by ${text(row.toldBy)}`,
  ]
    .filter((part) => part !== false)
    .join(' ')
}

function markdownTable(columns: Table['columns'], rows: readonly Json[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [heads, cells] = [Object.keys(columns), Object.values(columns)]
  return [
    line(heads),
    line(heads.map(() => '---')),
    ...rows.map((row) => line(cells.map((cell) => cell(objectOf(row)).trim().replaceAll('|', '\\|')))),
  ].join('\n')
}

/** The mark of each value of an enum. */
const valuesOf = (values: Json | undefined): string | undefined =>
  listOf(values).length > 0
    ? markdownTable(
        { Value: (row) => code(row.value), Final: (row) => (row.final === true ? 'yes' : 'no'), ...whoSaysSo },
        listOf(values),
      )
    : undefined

const factsOf = (facts: Json | undefined): string | undefined =>
  listOf(facts).length > 0
    ? markdownTable({ 'What a rail has to know': (row) => text(row.fact), ...whoSaysSo }, listOf(facts))
    : undefined

/** Adds the content of extensions to the texts that Redoc shows; a mark is shown unless it is `documented`. */
function reported(node: Json): Json {
  if (isList(node)) return node.map(reported)
  if (!isObject(node)) return node
  const { value, ...rest } = node
  const shown: Record<string, Json> = Object.fromEntries(
    Object.entries(rest).map(([key, each]) => [key, reported(each)]),
  )
  if (value !== undefined) shown.value = value
  const mark = node['x-evidence']
  if (typeof mark === 'string' && mark !== 'documented') {
    const place = 'summary' in node && 'value' in node ? 'summary' : 'description'
    shown[place] =
      place === 'summary' ? `${text(node.summary)} (${mark})` : `${text(node.description)} (${mark})`.trim()
  }
  for (const table of ['operationId' in node ? factsOf(node['x-facts']) : undefined, valuesOf(node['x-values'])])
    if (table !== undefined) shown.description = `${text(shown.description).trim()}\n\n${table}`
  return shown
}

/**
 * An operator's bundle for Redoc: the marks and facts of its extensions are added to its texts, and each table at its
 * root is a page before the calls.
 * @param now older facts are marked
 */
export function redocBundle(bundle: JsonObject, now: Date): JsonObject {
  const rowsOf = (key: string): readonly Json[] => (key === 'x-facts' ? withDates(bundle, now) : listOf(bundle[key]))
  const pages = TABLES.filter(({ key }) => bundle[key] !== undefined).map(({ key, name, title, columns }) => ({
    name,
    'x-displayName': title,
    'x-traitTag': true,
    description: markdownTable(columns, rowsOf(key)),
  }))
  const { info, tags, ...rest } = objectOf(reported(bundle))
  const { description, ...about } = objectOf(info)
  return linked({
    ...rest,
    info: { ...about, description: `${text(description).trim()}\n\nWhat has no mark on these pages is documented.` },
    tags: [...pages, ...listOf(tags)],
  })
}

/** Each fact with when and by whom it was last observed; what nobody has observed for six months is marked. */
function withDates(bundle: JsonObject, now: Date): readonly Json[] {
  const dated = datedFacts(bundle)
  return listOf(bundle['x-facts']).map((row, index) => {
    const { source = '', date = '', lastObservedBy = '' } = dated[index] ?? {}
    const mark = isOld({ date }, now) ? ' **older than six months**' : ''
    return { ...objectOf(row), lastObserved: `${date}, ${source}: ${lastObservedBy}${mark}` }
  })
}

/** Links the name of a root table in a text to its page. */
const linked = (document: JsonObject): JsonObject =>
  objectOf(
    JSON.parse(
      TABLES.reduce(
        (text, { key, name, title }) => text.replaceAll(`\`${key}\``, `[${title.toLowerCase()}](#tag/${name})`),
        JSON.stringify(document),
      ),
    ) as Json,
  )
