import { rankOf, type Change } from './change.ts'
import { isList, listOf, objectOf, sameJson, stringsOf, textOf, type Json, type JsonObject } from '../reading/json.ts'
import { children, descendant, fileOf, rootOf } from '../reading/places.ts'
import { escapeKey, unescapeKey } from '../reading/references.ts'
import { reportedChanges, type ReportedChange } from './redocly-report.ts'
import { reviewOf, type ReviewedChange } from './reviewed.ts'
import { surfaceOf } from './surface.ts'
import { usesIn, usesOf, type Use } from './uses.ts'

/** A reported change with where it stands. */
interface PlacedChange extends ReportedChange {
  readonly pointer: string
  readonly uses: readonly Use[]
  /** What stands around it: the contract that has it. */
  readonly contract: Json
  /** What the released contract has there. */
  readonly before: JsonObject
}

/**
 * A gateway grows by events and final states: new ones are no break, but the changelog names each, so that merchants
 * can expect them.
 */
const GROWING = ['event', 'transaction_status']

/** Keywords whose changes have a rule; what no rule knows is taken for breaking, so that nothing passes unseen. */
const KNOWN = new Set(
  [
    'key type enum x-extensible-enum required default deprecated additionalProperties pattern format multipleOf',
    'uniqueItems minimum maximum minLength maxLength minItems maxItems minProperties maxProperties',
    'operationId name in style explode propertyName url scheme',
  ].flatMap((words) => words.split(' ')),
)

/** What a merchant's program would notice between two bundled contracts, gravest first. */
export function compareContracts(released: Json, current: Json): Change[] {
  const sides = [released, current].map((contract) => ({ contract, uses: usesIn(contract) }))
  return reportedChanges(surfaceOf(released), surfaceOf(current))
    .flatMap((reported): PlacedChange[] => {
      const { pointer } = reported.revision ?? reported.base ?? {}
      const side = sides[reported.revision ? 1 : 0]
      if (pointer === undefined || side === undefined || isUnused(reported, pointer)) return []
      return partsOf(reported, pointer, side.contract).map((part) => ({
        ...part,
        contract: side.contract,
        before: objectOf(
          reported.base && nodeAt(released, reported.kind === 'modified' ? reported.base.pointer : part.pointer),
        ),
        uses: usesOf(side.uses, part.pointer),
      }))
    })
    .map(changeFrom)
    .toSorted((one, other) => rankOf(other.level) - rankOf(one.level) || one.where.localeCompare(other.where))
}

/** Nodes that hold others by name or in a list, and what those are. */
const ITEM_TYPES: Readonly<Record<string, string>> = {
  CallbacksMap: 'Callback',
  DiscriminatorMapping: 'Schema',
  HeadersMap: 'Header',
  MediaTypesMap: 'MediaType',
  OneOf: 'Schema',
  ParameterList: 'Parameter',
  Paths: 'PathItem',
  Responses: 'Response',
  SchemaProperties: 'Schema',
  ServerList: 'Server',
  WebhooksMap: 'PathItem',
}

/** The first header of a reply is reported as the map that holds it: the change is the header. */
function partsOf(
  reported: ReportedChange,
  pointer: string,
  contract: Json,
): (ReportedChange & { readonly pointer: string })[] {
  const typeName = ITEM_TYPES[reported.typeName]
  if (reported.kind === 'modified' || typeName === undefined) return [{ ...reported, pointer }]
  return children(descendant(rootOf(contract), ...keysOf(pointer))).map(([key, { node = null }]) => {
    const part = { pointer: `${pointer}/${escapeKey(key)}`, value: node }
    return { ...reported, typeName, pointer: part.pointer, [reported.kind === 'added' ? 'revision' : 'base']: part }
  })
}

const keysOf = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapeKey)
const nodeAt = (contract: Json, pointer: string): Json | undefined =>
  descendant(rootOf(contract), ...keysOf(pointer)).node

/** A component comes and goes with its uses, where each is a change of its own. */
const isUnused = ({ kind, verdicts }: ReportedChange, pointer: string): boolean =>
  kind !== 'modified' && verdicts.length === 0 && /^#\/components(\/[^/]+){0,2}$/.test(pointer)

function changeFrom(change: PlacedChange): Change {
  const breaking = change.verdicts.filter(({ ruleId }) => !isMilder(ruleId, change))
  const isKnown =
    change.kind === 'modified' ? isNamedByContract(change) || KNOWN.has(change.property ?? '') : hasRule(change)
  return {
    level: breaking.length > 0 || !isKnown ? 'major' : 'minor',
    kind: change.kind === 'modified' ? 'changed' : change.kind,
    where: fileOf(change.pointer),
    what: [
      wordsFor(change),
      ...breaking.map(({ message }) => message),
      ...(isKnown ? [] : ['No rule says what that does.']),
    ].join(' '),
    detail: detailOf(change),
    subjects: subjectsOf(change),
    uses: change.uses,
  }
}

/** Nodes that may come and go by a rule; schemas and servers depend on where they stand. */
const KNOWN_TYPES = new Set(
  [
    'AllOf Callback Discriminator DiscriminatorMapping Header MediaType OneOf Operation Parameter PathItem',
    'RequestBody Response Responses SecurityRequirement SecurityRequirementList SecurityScheme SpecExtension',
  ].flatMap((words) => words.split(' ')),
)
const KNOWN_SCHEMA = /\/(items|schema|additionalProperties|(properties|allOf|oneOf|mapping)\/[^/]+)$/

/** Whether a rule says what it means that the node came or went. */
const hasRule = ({ typeName, pointer }: PlacedChange): boolean =>
  KNOWN_TYPES.has(typeName) ||
  (typeName === 'Schema' && KNOWN_SCHEMA.test(pointer)) ||
  // Elsewhere the list leads one path or operation to another server.
  (typeName === 'Server' && pointer.startsWith('#/servers/'))

/** What it holds are no keywords: keys of a security requirement, values of a discriminator or of an open-ended list. */
const isNamedByContract = ({ typeName }: ReportedChange): boolean =>
  ['SecurityRequirement', 'DiscriminatorMapping', 'SpecExtension'].includes(typeName)

const reviewed = ({ pointer, base, revision }: PlacedChange): ReviewedChange | undefined =>
  reviewOf(fileOf(pointer), base?.value, revision?.value)
const isGrowing = (uses: readonly Use[]): boolean => uses.length > 0 && uses.every(({ name }) => GROWING.includes(name))

/** Where our policy is milder than a rule of Redocly's. */
function isMilder(ruleId: string, change: PlacedChange): boolean {
  const { uses, property, pointer, base, revision, before } = change
  if (reviewed(change)) return true
  if (ruleId === 'enum-values-added') return isGrowing(uses) && revision !== undefined && isList(revision.value)
  if (['schema-combinator-changed', 'release/discriminator-changed'].includes(ruleId))
    return tagOf(change)?.field === 'event' && change.kind === 'added'
  // Whoever reads a header that need not be there copes without it already.
  if (ruleId === 'response-header-removed') return before.required !== true
  // An error less is no loss to a program; but what merchants may reply to a callback must stay.
  if (ruleId === 'response-removed')
    return (
      /^[45]/.test(property === 'key' ? textOf(base?.value) : lastKey(pointer)) &&
      uses.every(({ direction }) => direction === 'received')
    )
  return false
}

/** Of a branch of a `oneOf`: the field that names it, and its value there. */
function tagOf({ pointer, contract }: PlacedChange): { readonly field: string; readonly value: string } | undefined {
  const [, schema, kind, key = ''] = /^(.*)\/(oneOf|discriminator\/mapping)\/([^/]+)$/.exec(pointer) ?? []
  if (schema === undefined) return undefined
  const { oneOf, discriminator } = objectOf(nodeAt(contract, schema))
  const { propertyName, mapping } = objectOf(discriminator)
  const field = textOf(propertyName)
  if (kind !== 'oneOf') return { field, value: unescapeKey(key) }
  const { $ref } = objectOf(listOf(oneOf)[Number(key)])
  const [value] = Object.entries(objectOf(mapping)).find(([, target]) => target === $ref) ?? []
  return value === undefined ? undefined : { field, value }
}

const lastKey = (pointer: string): string => unescapeKey(pointer.slice(pointer.lastIndexOf('/') + 1))
const unique = (all: readonly string[]): string[] => [...new Set(all)]
const without = (all: Json | undefined, others: Json | undefined): Json[] =>
  listOf(all).filter((value) => !listOf(others).some((other) => sameJson(value, other)))

/** New values that the changelog must announce by name. */
function announcedValues({ typeName, property, uses, base, revision }: PlacedChange): readonly string[] {
  if (typeName === 'SpecExtension') return revision?.value === undefined ? [] : [property ?? '']
  return property === 'enum' && isGrowing(uses) ? without(revision?.value, base?.value).map(textOf) : []
}

function subjectsOf(change: PlacedChange): readonly string[] {
  const { kind, typeName, property, pointer, base, revision, uses } = change
  const names = unique(uses.map(({ name }) => name))
  const value = objectOf(revision?.value ?? base?.value)
  if (kind === 'modified') {
    const announced = announcedValues(change)
    if (announced.length > 0) return announced
    if (['key', 'name', 'operationId'].includes(property ?? '') && typeName !== 'SecurityScheme')
      return unique([textOf(base?.value), textOf(revision?.value)])
    if (property === 'required' && typeName === 'Schema')
      return stringsOf([...without(base?.value, revision?.value), ...without(revision?.value, base?.value)])
    if (typeName === 'SecurityRequirement') return unique([property ?? '', ...names])
    return names.length > 0 ? names : [lastKey(pointer.slice(0, pointer.lastIndexOf('/')))]
  }
  if (typeName === 'Parameter') return [textOf(value.name)]
  if (typeName === 'Server') return [textOf(value.url)]
  if (typeName === 'Operation') return [textOf(value.operationId)]
  if (typeName === 'SecurityRequirement') return unique([...Object.keys(value), ...names])
  if (typeName === 'MediaType') return [lastKey(pointer), ...names]
  const tag = tagOf(change)
  if (tag) return [tag.value]
  return nounOf(change) === typeName ? names : [lastKey(pointer)]
}

const NOUNS: Readonly<Record<string, string>> = {
  Callback: 'callback',
  Header: 'header',
  MediaType: 'media type',
  Operation: 'operation',
  Response: 'status',
  SecurityScheme: 'key',
  Server: 'server',
}

/** What people call it; the name of its type where they have no word for it. */
function nounOf(change: PlacedChange): string {
  const { typeName, pointer, base, revision } = change
  if (typeName === 'Parameter') return `${textOf(objectOf(revision?.value ?? base?.value).in)} parameter`
  if (typeName === 'Schema' && /\/properties\/[^/]+$/.test(pointer)) return 'field'
  const tag = tagOf(change)
  if (tag) return tag.field === 'event' ? 'event' : 'branch'
  if (typeName === 'PathItem') return pointer.startsWith('#/webhooks') ? 'webhook' : 'path'
  return NOUNS[typeName] ?? typeName
}

const quoted = (value: Json | undefined): string => (value === undefined ? 'nothing' : `\`${textOf(value)}\``)

function detailOf(change: PlacedChange): string {
  const { kind, property, base, revision } = change
  if (kind !== 'modified') return `${nounOf(change)} \`${subjectsOf(change)[0] ?? ''}\``
  const announced = announcedValues(change)
  if (announced.length > 0) return `gains the value ${announced.map(quoted).join(', ')}`
  if (property === 'deprecated') return revision?.value === true ? 'is deprecated' : 'is no longer deprecated'
  if (property === 'required' && typeof (base?.value ?? revision?.value) === 'boolean')
    return revision?.value === true ? 'is now required' : 'is no longer required'
  return reviewed(change)?.what ?? `\`${property}\``
}

/** Uses that a report names. */
const SHOWN_MAX = 3

function wordsFor(change: PlacedChange): string {
  const { kind, property, base, revision, uses } = change
  const operations = unique(
    uses.map(({ name, operation }) => (name === operation ? operation : `${name} in ${operation}`)),
  )
  const words =
    kind === 'modified'
      ? `\`${property}\` goes from ${quoted(base?.value)} to ${quoted(revision?.value)}`
      : `the ${detailOf(change)} is ${kind === 'added' ? 'new' : 'gone'}`
  const more = operations.length > SHOWN_MAX ? ` and ${operations.length - SHOWN_MAX} more` : ''
  return operations.length > 0 ? `${words} (${operations.slice(0, SHOWN_MAX).join(', ')}${more}).` : `${words}.`
}
