import type { Contract, Operation, Parameter } from '../../openapi/reading/contract.ts'
import { isJsonType, isObject } from '../../openapi/reading/json.ts'
import { shownBy } from '../../openapi/reading/operations.ts'
import { passOn, type WireReply, type WireRequest } from '../harness/proxy.ts'
import { schemesFor, textsOf } from './credentials.ts'
import { at, toRequest, type Draft } from './draft.ts'
import { sampleOf } from './samples.ts'
import type { ContractTarget } from './contract-target.ts'
import { filled, plainText, valueIn, type CreatedResource, type Reference } from './contract-values.ts'

/** Valid requests of every operation of a contract. */
export interface Traffic {
  /**
   * One per example of the body; one for an operation without a body. `name` identifies it. None when a value of its
   * path is missing.
   */
  drafts(operation: Operation): Promise<NamedDrafts>
  /** Parameters of the path for which neither values nor schema provide one: nothing can be requested. */
  missing(operation: Operation): Promise<readonly string[]>
  /** A value of a parameter, required or not; undefined: neither values nor schema provide one. */
  valueOf(operation: Operation, parameter: Parameter): Promise<string | undefined>
  toRequest(operation: Operation, draft: Draft, credentials?: Readonly<Record<string, string>>): WireRequest
  /** Records a reply: other requests refer to successful ones. */
  remember(operation: Operation, request: WireRequest, reply: WireReply): void
}

/** Knowledge of a contract's subject, for what schemas, links and examples do not say. */
export interface TrafficKnowledge {
  /** An example with new texts where the server accepts each one once. */
  renewed?(body: unknown): unknown
  /** A resource of the operation `from` that is fit for another one; undefined: the last one, or a new one, is. */
  madeFor?(from: string, operation: Operation): Promise<CreatedResource | undefined>
}

/** @param next a new number at each call */
export function createTraffic(
  target: ContractTarget,
  contract: Contract,
  next: () => number,
  { renewed, madeFor }: TrafficKnowledge = {},
): Traffic {
  const secrets = textsOf(target.credentials)
  const { madeBy, remember } = createMade(contract, async (operation) => {
    const [first] = await drafts(operation)
    const request = first && toRequest(target, operation, first.draft, secrets)
    if (request) remember(operation, request, await passOn(new URL(target.url), request))
  })

  const fillWith =
    (operation: Operation) =>
    (value: unknown): Promise<unknown> => {
      const isRead = operation.method === 'GET' || operation.method === 'HEAD'
      const found = new Map<string, CreatedResource | undefined>()
      return filled(value, {
        next,
        // A changed or deleted resource is not there for the next request.
        known: async ({ operation: id, what }: Reference) => {
          if (!found.has(id)) found.set(id, (await madeFor?.(id, operation)) ?? (await madeBy(id, !isRead)))
          const thing = found.get(id)
          return thing && valueIn(thing, what)
        },
      })
    }

  async function linked(operation: Operation, parameter: Parameter): Promise<unknown> {
    for (const expression of linksTo(contract, operation, parameter)) {
      const what = expressionIn(expression.value)
      if (what === undefined) return expression.value
      const value = await fillWith(operation)(`{${expression.from}.${what}}`)
      if (value !== undefined) return value
    }
    return undefined
  }

  async function valueOf(operation: Operation, parameter: Parameter): Promise<string | undefined> {
    const given = target.values.operations[operation.id]?.parameters?.[parameter.name]
    const value =
      (given === undefined ? undefined : await fillWith(operation)(given)) ??
      (parameter.in === 'header' ? target.headers[parameter.name.toLowerCase()] : undefined) ??
      (await linked(operation, parameter)) ??
      shownBy(contract.document, parameter)[0]?.value ??
      sampleOf(contract, parameter.schema ?? {})
    return value === undefined || value === null ? undefined : plainText(value)
  }

  const drafts = (operation: Operation) => draftsOf(operation, { target, contract, fillWith, valueOf, renewed })
  return {
    drafts,
    missing: (operation) => missingIn(operation, valueOf),
    valueOf,
    toRequest: (operation, draft, credentials = secrets) => toRequest(target, operation, draft, credentials),
    remember,
  }
}

/** Parameters of the path without a value. */
async function missingIn(operation: Operation, valueOf: Traffic['valueOf']): Promise<readonly string[]> {
  const names: string[] = []
  for (const parameter of operation.parameters)
    if (parameter.in === 'path' && !(await valueOf(operation, parameter))) names.push(parameter.name)
  return names
}

/** The last successful exchange of each operation. */
function createMade(contract: Contract, sendRequest: (operation: Operation) => Promise<void>) {
  const made = new Map<string, CreatedResource>()
  const requesting = new Set<string>()
  const operationOf = new Map(contract.operations.map((operation) => [operation.id, operation]))
  return {
    remember(operation: Operation, request: WireRequest, reply: WireReply): void {
      if (reply.status < 300) made.set(operation.id, { operation, request, reply })
    },
    /** The last resource that the operation has created; the operation is called when there is none yet. */
    async madeBy(id: string, isFresh: boolean): Promise<CreatedResource | undefined> {
      const operation = operationOf.get(id)
      const last = made.get(id)
      // An operation that depends on itself gets nothing.
      if (!operation || requesting.has(id)) return last
      if (last && !isFresh) return last
      requesting.add(id)
      try {
        await sendRequest(operation)
      } catch {
        // A fault of this request is a finding where the operation itself is tested.
      } finally {
        requesting.delete(id)
      }
      return made.get(id)
    },
  }
}

/**
 * The value of a parameter by the contract's links: an expression on the reply of the operation `from`, or a constant.
 */
function* linksTo(contract: Contract, operation: Operation, { in: place, name }: Parameter) {
  for (const { from, link } of allLinksTo(contract, operation)) {
    const value = link.parameters?.[name] ?? link.parameters?.[`${place}.${name}`]
    if (value !== undefined) yield { from, value }
  }
}

const allLinksTo = ({ operations }: Contract, { id }: Operation) =>
  operations.flatMap(({ id: from, responses }) =>
    responses.flatMap(({ links }) => links).flatMap(({ link }) => (link.operationId === id ? [{ from, link }] : [])),
  )

/** `response.body#/data/id` of `$response.body#/data/id`; undefined: a constant. */
export const expressionIn = (value: unknown): string | undefined =>
  /^\$((?:request|response)\..*)$/.exec(plainText(value))?.[1]

const withoutUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

interface Sources {
  readonly target: ContractTarget
  readonly contract: Contract
  fillWith(operation: Operation): (value: unknown) => Promise<unknown>
  valueOf(operation: Operation, parameter: Parameter): Promise<string | undefined>
  readonly renewed: TrafficKnowledge['renewed']
}

interface NamedDraft {
  readonly name: string
  readonly draft: Draft
}
type NamedDrafts = readonly NamedDraft[]

/** The requests to test an operation with; references in its values are resolved. */
async function draftsOf(operation: Operation, sources: Sources): Promise<NamedDrafts> {
  const { target, contract, fillWith, valueOf } = sources
  const { parameters, request, security } = operation
  const own = target.values.operations[operation.id]
  const schemes = schemesFor(operation, target.credentials) ?? security[0] ?? []
  const texts: [string, string][] = []
  for (const parameter of parameters) {
    if (parameter.required !== true && own?.parameters?.[parameter.name] === undefined) continue
    const text = await valueOf(operation, parameter)
    if (parameter.in === 'path' && !text) return []
    if (text !== undefined) texts.push([at(parameter), text])
  }
  const draft: Draft = { parameters: Object.fromEntries(texts), schemes }
  const media = request?.content.find(({ type }) => isJsonType(type)) ?? request?.content[0]
  if (!media) return [{ name: 'a request as the contract has it', draft }]
  const withBody = (body: unknown): Draft => ({ ...draft, body, mediaType: media.type })
  if (own?.body !== undefined)
    return [{ name: 'the request of the values', draft: withBody(await fillWith(operation)(own.body)) }]
  if (media.examples.length > 0) {
    const named: NamedDraft[] = []
    // Sequentially: each may need a resource of its own.
    for (const { name, value } of media.examples)
      named.push({ name: `the example ${name}`, draft: withBody(await exampleOf(operation, value, sources)) })
    return named
  }
  const sample = sampleOf(contract, media.schema)
  return [
    {
      name: 'a request made from the schema',
      draft: sample === undefined && request?.required !== true ? draft : withBody(sample),
    },
  ]
}

/** An example, with the fields that a link of the contract takes from another operation's reply. */
async function exampleOf(
  operation: Operation,
  example: unknown,
  { contract, fillWith, renewed }: Sources,
): Promise<unknown> {
  const body = renewed ? renewed(example) : example
  if (!isObject(body)) return body
  const fields: Record<string, unknown> = {}
  for (const { from, link } of allLinksTo(contract, operation))
    for (const [name, value] of Object.entries(link.requestBody ?? {})) {
      const what = expressionIn(value)
      if (what !== undefined) fields[name] ??= `{${from}.${what}}`
    }
  const filledIn = await fillWith(operation)(fields)
  return { ...body, ...(isObject(filledIn) && withoutUndefined(filledIn)) }
}
