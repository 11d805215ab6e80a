import { randomUUID } from 'node:crypto'
import type { Contract, Operation, Parameter } from '../../../openapi/reading/contract.ts'
import { isJsonType } from '../../../openapi/reading/json.ts'
import type { ContractTarget } from '../../driver/contract-target.ts'
import { plainText } from '../../driver/contract-values.ts'
import { textOf, textsOf } from '../../driver/credentials.ts'
import type { DeclaredCase, ExpectedReply } from '../../driver/declared-case.ts'
import { at, type Draft } from '../../driver/draft.ts'
import type { Traffic } from '../../driver/traffic.ts'
import { isFields, without } from '../../harness/json.ts'
import { bodyChanges } from './body-changes.ts'
import { edgesOf } from './edges.ts'
import { ODD_TEXT, wrongTexts } from './wrong-values.ts'

/** The state that all requests of one operation share. */
export interface DeviationContext {
  readonly target: ContractTarget
  readonly contract: Contract
  readonly traffic: Traffic
  readonly operation: Operation
}

/**
 * A request that differs in one thing from a valid one. It is built just before it is sent, because resources get used
 * up.
 */
type MakeDeviation = () => Promise<DeclaredCase>

type Named = readonly { readonly draft: Draft }[]

const SCALARS = ['string', 'number', 'integer', 'boolean']
const NOBODYS_KEY = 'nobody_has_this_key'
/** A server without any of these languages answers in its own (RFC 9110, section 12.5.4). */
const OTHER_LANGUAGES = 'fr-FR,fr;q=0.9,*;q=0.1'
const UNKNOWN_PARAMETER = 'page_colour=blue'
/** Far more than an operation accepts that declares 413. */
const BODY_TOO_LARGE = 1_100_000

/**
 * Every request of an operation that the contract allows to test, once each. @param drafts one per example of its body
 */
export function deviations(about: DeviationContext, drafts: Named): MakeDeviation[] {
  return [
    ...keyDeviations(about),
    ...about.operation.parameters.flatMap((parameter) => parameterDeviations(about, parameter)),
    async () => {
      const unknown = await changed(about, 'a request with an unknown query parameter', 'ignored', (draft) => draft)()
      return withQuery(unknown, UNKNOWN_PARAMETER)
    },
    ...drafts.flatMap(({ draft }, index) => bodyDeviations(about, index, draft.body)),
    ...(drafts[0]?.draft.body === undefined ? [] : mediaDeviations(about)),
  ]
}

const withQuery = (request: DeclaredCase, text: string): DeclaredCase => {
  const { path } = request.request
  return { ...request, request: { ...request.request, path: `${path}${path.includes('?') ? '&' : '?'}${text}` } }
}

const changed =
  (
    { traffic, operation }: DeviationContext,
    rule: string,
    expect: ExpectedReply,
    change: (draft: Draft) => Draft,
    { index = 0, statuses }: { readonly index?: number; readonly statuses?: readonly number[] } = {},
  ): MakeDeviation =>
  async () => {
    const made = await traffic.drafts(operation)
    const draft = made[index]?.draft ?? { parameters: {}, schemes: [] }
    const request = traffic.toRequest(operation, change(draft))
    return { operation, rule, expect, request, ...(statuses && { statuses }) }
  }

function keyDeviations(about: DeviationContext): MakeDeviation[] {
  const { operation, traffic, target } = about
  const secrets = textsOf(target.credentials)
  const used = operation.security.find((set) => set.every((name) => target.credentials[name])) ?? []
  return used.flatMap((scheme): MakeDeviation[] => {
    const others = used.filter((name) => name !== scheme)
    // The remaining credentials may be sufficient.
    if (operation.security.some((set) => set.every((name) => others.includes(name)))) return []
    const credential = target.credentials[scheme]
    if (!credential) return []
    const withText =
      (rule: string, text: string | undefined, sameAs?: string, change = (draft: Draft) => draft): MakeDeviation =>
      async () => {
        const [first] = await traffic.drafts(operation)
        const draft = change(first?.draft ?? { parameters: {}, schemes: used })
        const { [scheme]: _own, ...rest } = secrets
        const request = traffic.toRequest(operation, draft, text === undefined ? rest : { ...rest, [scheme]: text })
        return { operation, rule, expect: 'unauthorized', request, ...(sameAs !== undefined && { sameAs }) }
      }
    const nobodys = credential.kind === 'basic' ? `nobody:${NOBODYS_KEY}` : NOBODYS_KEY
    const [absent, wrong] = [`a request without ${scheme}`, `a request with a wrong ${scheme}`]
    return [
      withText(absent, undefined),
      // A client without keys learns nothing else: keys are checked before everything that follows.
      withText(`${absent}, and without what it requires`, undefined, absent, inPath),
      withText(wrong, textOf({ ...credential, value: nobodys })),
      withText(
        `a request with a ${scheme} that is wrong in its last letter`,
        textOf({ ...credential, value: almost(credential.value) }),
        wrong,
      ),
    ]
  })
}

const almost = (key: string): string => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`

const inPath = (draft: Draft): Draft => ({
  ...draft,
  parameters: Object.fromEntries(Object.entries(draft.parameters).filter(([name]) => name.startsWith('path '))),
})

function parameterDeviations(about: DeviationContext, parameter: Parameter): MakeDeviation[] {
  const { contract, traffic, operation } = about
  const name = at(parameter)
  const schema = contract.flat(parameter.schema ?? {})
  const withText = (text: string) => (draft: Draft) => ({ ...draft, parameters: { ...draft.parameters, [name]: text } })
  const withoutIt = (draft: Draft): Draft => ({ ...draft, parameters: without(draft.parameters, name) })
  const to = (rule: string, expect: ExpectedReply, text: string): MakeDeviation =>
    changed(about, rule, expect, withText(text))
  const { in: place, required = false } = parameter
  const isSent = isSendable(parameter)
  const isText = schema.type === 'string' && (place === 'query' || place === 'path')
  const given: MakeDeviation = async () => {
    const text = await traffic.valueOf(operation, parameter)
    const change = text === undefined ? (draft: Draft) => draft : withText(text)
    return changed(about, `a request with ${name}`, 'accepted', change)()
  }
  const twice: MakeDeviation = async () => {
    const text = (await traffic.valueOf(operation, parameter)) ?? ''
    const once = await to(`a request with ${name} twice`, 'strict', text)()
    return withQuery(once, `${parameter.name}=${encodeURIComponent(text)}`)
  }
  const unknown: MakeDeviation = () => to(`a request about an unknown ${parameter.name}`, 'accepted', randomUUID())()
  const isOtherLanguage = parameter.name.toLowerCase() === 'accept-language'
  return [
    ...(required ? [] : [given]),
    ...(required && place !== 'path' ? [changed(about, `a request without ${name}`, 'refused', withoutIt)] : []),
    ...(SCALARS.includes(schema.type ?? '') ? scalarDeviations() : []),
    ...(place === 'path' && schema.format === 'uuid' ? [unknown] : []),
    ...(parameter['x-empty-is-absent'] ? [to(`a request with an empty ${name}`, 'accepted', '')] : []),
    ...(place === 'query' ? [twice] : []),
    ...(isOtherLanguage ? [to('a request in other languages', 'ignored', OTHER_LANGUAGES)] : []),
    ...(isText ? [to(`a request with odd characters in ${name}`, 'either', ODD_TEXT)] : []),
  ]

  /** Values of every kind that the schema allows or forbids. */
  function scalarDeviations(): MakeDeviation[] {
    const wrong = wrongTexts(contract, parameter.schema, isSent)
    const edges = edgesOf(contract, parameter.schema ?? {})
    return [
      ...wrong.map((text) => to(`a request with an invalid ${name}`, 'refused', text)),
      ...edges
        .filter(({ value }) => value !== null && isSent(plainText(value)))
        .map(({ what, value }) => {
          const isValid = contract.faultIn(parameter.schema ?? {}, value) === undefined
          const rule = `a request with ${isValid ? '' : 'an invalid '}${name}: ${what}`
          return to(rule, isValid ? 'accepted' : 'refused', plainText(value))
        }),
      ...(schema.enum ?? []).map((value) => to(`a request with ${name} ${String(value)}`, 'accepted', String(value))),
    ]
  }
}

/** Header values are Latin-1 on the wire, without spaces at their ends; a path has no empty and no dotted segment. */
const isSendable =
  (parameter: Parameter) =>
  (text: string): boolean =>
    parameter.in === 'query' || (parameter.in === 'path' ? !/^\.{0,2}$/.test(text) : /^[\x21-\x7e]+$/.test(text))

function bodyDeviations(about: DeviationContext, index: number, shape: unknown): MakeDeviation[] {
  const { contract, operation } = about
  const media = operation.request?.content.find(({ type }) => isJsonType(type))
  if (!media) return []
  return bodyChanges(contract, media.schema, shape).map(({ rule, expect, change }) =>
    changed(about, rule, expect, (draft) => ({ ...draft, body: change(structuredClone(draft.body)) }), { index }),
  )
}

/** Bodies that are no JSON, missing, too large, or of another media type. */
function mediaDeviations(about: DeviationContext): MakeDeviation[] {
  const { operation } = about
  if (!operation.request?.content.some(({ type }) => isJsonType(type))) return []
  const declares = (status: number): boolean => operation.responses.some((each) => each.status === String(status))
  const to = (
    rule: string,
    expect: ExpectedReply,
    change: (body: unknown) => Partial<Draft>,
    statuses?: readonly number[],
  ): MakeDeviation =>
    changed(about, rule, expect, (draft) => ({ ...draft, ...change(draft.body) }), statuses && { statuses })
  const bytesOf = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))
  const cutOff = () => ({ body: Buffer.from('{"surprise": 50') })
  const empty = () => ({ body: Buffer.alloc(0) })
  const asText = (body: unknown) => ({ mediaType: 'text/plain', body: bytesOf(body) })
  // One that would be accepted if it were smaller, and one whose text alone is too long.
  const tooLarge = [(body: unknown) => JSON.stringify(body), () => ''].map((textOfBody) => (body: unknown) => ({
    body: Buffer.from(textOfBody(body).padEnd(BODY_TOO_LARGE)),
  }))
  const ofNone = declares(415) ? [400, 415] : [400]
  return [
    to('a request with a body that is no JSON', 'refused', cutOff),
    to('a request with a body field twice', 'strict', (body) => ({ body: withFieldTwice(body) })),
    ...(operation.request.required ? [to('a request without a body', 'refused', empty, ofNone)] : []),
    ...(declares(415) ? [to('a request with the media type text/plain', 'refused', asText, [415])] : []),
    ...(declares(413) ? tooLarge : []).map((change) =>
      to('a request with a body of a megabyte', 'strict', change, [413]),
    ),
  ]
}

/** The body with its first number repeated at the end: programs disagree on which of the two counts. */
function withFieldTwice(body: unknown): Buffer {
  const text = JSON.stringify(body)
  const fields = isFields(body) ? Object.entries(body) : []
  const [name, value] = fields.find(([, each]) => typeof each === 'number') ?? fields[0] ?? []
  if (name === undefined) return Buffer.from(text)
  return Buffer.from(text.replace(/\}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`))
}
