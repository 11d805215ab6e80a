import type { Contract, Operation, Parameter } from '../../../openapi/reading/contract.ts'
import { isJsonType } from '../../../openapi/reading/json.ts'
import { shownBy } from '../../../openapi/reading/operations.ts'
import { passOn, wireRequest, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import { schemesFor, textOf } from './credentials.ts'
import { sampleOf } from './samples.ts'
import type { ForeignTarget } from './target.ts'
import { filled, plainText, valueIn, type Made, type Reference } from './values.ts'

/** A request before it is bytes. */
export interface Draft {
  /** Texts by place and name: `header X-Reference-Id`. Every required parameter, and those that values were given for. */
  readonly parameters: Readonly<Record<string, string>>
  /** Names of the security schemes that are shown. */
  readonly schemes: readonly string[]
  /** Undefined: none. Bytes are sent as they are. */
  readonly body?: unknown
  readonly mediaType?: string
}

/** Good requests of every operation of a contract that nobody here knows. */
export interface Traffic {
  /** One per example of the body; of an operation without a body one. `name` says which. */
  drafts(operation: Operation): Promise<readonly { readonly name: string; readonly draft: Draft }[]>
  /** What a parameter may be, whether it must be given or not; undefined: nobody says, and no schema helps. */
  valueOf(operation: Operation, parameter: Parameter): Promise<string | undefined>
  toRequest(operation: Operation, draft: Draft, credentials?: Readonly<Record<string, string>>): WireRequest
  /** Told of what came: what succeeded is what others refer to. */
  remember(operation: Operation, request: WireRequest, reply: WireReply): void
}

export const at = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string => `${place} ${name}`

/** @param next another number at each call */
export function createTraffic(target: ForeignTarget, contract: Contract, next: () => number): Traffic {
  const made = new Map<string, Made>()
  const asking = new Set<string>()
  const operationOf = new Map(contract.operations.map((operation) => [operation.id, operation]))
  const secrets = Object.fromEntries(
    Object.entries(target.credentials).map(([name, credential]) => [name, textOf(credential)]),
  )

  /** The last thing that the operation has made; it is asked, when it has not been yet. */
  async function madeBy(id: string, isFresh: boolean): Promise<Made | undefined> {
    const operation = operationOf.get(id)
    const last = made.get(id)
    // An operation that waits for itself gets nothing.
    if (!operation || asking.has(id)) return last
    if (last && !isFresh) return last
    asking.add(id)
    try {
      const [first] = await drafts(operation)
      if (!first) return last
      const request = toRequest(operation, first.draft)
      remember(operation, request, await passOn(new URL(target.url), request))
    } catch {
      // Whatever is wrong with it is a finding where it is asked for its own sake.
    } finally {
      asking.delete(id)
    }
    return made.get(id)
  }

  const fillWith =
    ({ method }: Operation) =>
    (value: unknown): Promise<unknown> => {
      const found = new Map<string, Made | undefined>()
      return filled(value, {
        next,
        // What is changed or taken away is not there for the next one.
        known: async ({ operation: id, what }: Reference) => {
          if (!found.has(id)) found.set(id, await madeBy(id, method !== 'GET' && method !== 'HEAD'))
          const thing = found.get(id)
          return thing && valueIn(thing, what)
        },
      })
    }

  /** By the contract's links: the reply of another operation says what this one takes. */
  async function linked(operation: Operation, parameter: Parameter): Promise<unknown> {
    for (const { id, responses } of contract.operations)
      for (const { link } of responses.flatMap(({ links }) => links)) {
        const expression = link.parameters?.[parameter.name] ?? link.parameters?.[`${parameter.in}.${parameter.name}`]
        if (link.operationId !== operation.id || expression === undefined) continue
        const what = /^\$((?:request|response)\..*)$/.exec(plainText(expression))?.[1]
        if (what === undefined) return expression
        const value = await fillWith(operation)(`{${id}.${what}}`)
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

  async function drafts(operation: Operation): Promise<{ name: string; draft: Draft }[]> {
    const { parameters, request, security } = operation
    const own = target.values.operations[operation.id]
    const schemes = schemesFor(operation, target.credentials) ?? security[0] ?? []
    const texts: [string, string][] = []
    for (const parameter of parameters) {
      if (parameter.required !== true && own?.parameters?.[parameter.name] === undefined) continue
      const text = await valueOf(operation, parameter)
      if (text !== undefined) texts.push([at(parameter), text])
    }
    const draft: Draft = { parameters: Object.fromEntries(texts), schemes }
    const media = request?.content.find(({ type }) => isJsonType(type)) ?? request?.content[0]
    if (!media) return [{ name: 'a request as the contract has it', draft }]
    const withBody = (body: unknown): Draft => ({ ...draft, body, mediaType: media.type })
    if (own?.body !== undefined)
      return [{ name: 'the request of the values', draft: withBody(await fillWith(operation)(own.body)) }]
    if (media.examples.length > 0)
      return media.examples.map(({ name, value }) => ({ name: `the example ${name}`, draft: withBody(value) }))
    const sample = sampleOf(contract, media.schema)
    return [
      {
        name: 'a request made from the schema',
        draft: sample === undefined && request?.required !== true ? draft : withBody(sample),
      },
    ]
  }

  function toRequest(
    { method, path, parameters }: Operation,
    draft: Draft,
    credentials: Readonly<Record<string, string>> = secrets,
  ): WireRequest {
    const of = (where: string): [string, string][] =>
      parameters.flatMap((parameter) => {
        const text = draft.parameters[at(parameter)]
        return parameter.in === where && text !== undefined ? [[parameter.name, text]] : []
      })
    const shown = (where: string): [string, string][] =>
      draft.schemes.flatMap((name) => {
        const [credential, text] = [target.credentials[name], credentials[name]]
        return credential?.in === where && text !== undefined ? [[credential.field, text]] : []
      })
    const query = [...of('query'), ...shown('query')]
      .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
      .join('&')
    const cookies = [...of('cookie'), ...shown('cookie')].map(([name, text]) => `${name}=${text}`).join('; ')
    const declared = new Set(parameters.map(({ name }) => name.toLowerCase()))
    const headers = {
      // What is declared is said by the draft alone, so that it can be left out.
      ...Object.fromEntries(Object.entries(target.headers).filter(([name]) => !declared.has(name))),
      ...(draft.body !== undefined && draft.mediaType !== undefined && { 'content-type': draft.mediaType }),
      ...(cookies !== '' && { cookie: cookies }),
      ...Object.fromEntries([...of('header'), ...shown('header')].map(([name, text]) => [name.toLowerCase(), text])),
    }
    const place = of('path').reduce((whole, [name, text]) => whole.replace(`{${name}}`, encodeURIComponent(text)), path)
    // A body is announced also when it is empty: some servers want to be told (RFC 9110, section 8.6).
    const length = draft.body === undefined && ['POST', 'PUT', 'PATCH'].includes(method) && { 'content-length': '0' }
    return wireRequest(method, query === '' ? place : `${place}?${query}`, { ...length, ...headers }, bytesOf(draft))
  }

  function remember(operation: Operation, request: WireRequest, reply: WireReply): void {
    if (reply.status < 300) made.set(operation.id, { operation, request, reply })
  }

  return { drafts, valueOf, toRequest, remember }
}

/** JSON as JSON, and a text of another media type as it is. */
function bytesOf({ body, mediaType = '' }: Draft): unknown {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return isJsonType(mediaType) || typeof body !== 'string' ? Buffer.from(JSON.stringify(body)) : body
}
