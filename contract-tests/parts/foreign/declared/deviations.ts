import { randomUUID } from 'node:crypto'
import type { Contract, Operation, Parameter } from '../../../../openapi/reading/contract.ts'
import { isJsonType } from '../../../../openapi/reading/json.ts'
import { without } from '../../../harness/json.ts'
import { wrongTexts } from '../../declared/values.ts'
import { textOf } from '../credentials.ts'
import type { ForeignTarget } from '../target.ts'
import { at, type Draft } from '../requests.ts'
import { edgesOf } from '../edges.ts'
import { plainText } from '../values.ts'
import type { Traffic } from '../traffic.ts'
import type { ExpectedReply, ForeignCase } from './foreign-case.ts'
import { bodyChanges } from './body-changes.ts'
import { ODD_TEXT } from './odd-text.ts'

/** The state that all requests of one operation share. */
export interface DeviationContext {
  readonly target: ForeignTarget
  readonly contract: Contract
  readonly traffic: Traffic
  readonly operation: Operation
}

/**
 * A request that differs in one thing from a valid one. It is built just before it is sent, because resources get used
 * up.
 */
type MakeDeviation = () => Promise<ForeignCase>

const SCALARS = ['string', 'number', 'integer', 'boolean']
const NOBODYS_KEY = 'nobody_has_this_key'

/**
 * Every request of an operation that the contract allows to test, once each. @param drafts one per example of its body
 */
export function deviations(about: DeviationContext, drafts: readonly { readonly draft: Draft }[]): MakeDeviation[] {
  return [
    ...keyDeviations(about),
    ...about.operation.parameters.flatMap((parameter) => parameterDeviations(about, parameter)),
    ...drafts.flatMap(({ draft }, index) => bodyDeviations(about, index, draft.body)),
  ]
}

const changed =
  (
    { traffic, operation }: DeviationContext,
    rule: string,
    expect: ExpectedReply,
    change: (draft: Draft) => Draft,
    index = 0,
  ) =>
  async (): Promise<ForeignCase> => {
    const made = await traffic.drafts(operation)
    const draft = made[index]?.draft ?? { parameters: {}, schemes: [] }
    return { operation, rule, expect, request: traffic.toRequest(operation, change(draft)) }
  }

function keyDeviations(about: DeviationContext): MakeDeviation[] {
  const { operation, traffic, target } = about
  const secrets = Object.fromEntries(
    Object.entries(target.credentials).map(([name, credential]) => [name, textOf(credential)]),
  )
  const used = operation.security.find((set) => set.every((name) => target.credentials[name])) ?? []
  return used.flatMap((scheme): MakeDeviation[] => {
    const others = used.filter((name) => name !== scheme)
    // The remaining credentials may be sufficient.
    if (operation.security.some((set) => set.every((name) => others.includes(name)))) return []
    const credential = target.credentials[scheme]
    if (!credential) return []
    const withText =
      (rule: string, text: string | undefined, sameAs?: string): MakeDeviation =>
      async () => {
        const [first] = await traffic.drafts(operation)
        const draft = first?.draft ?? { parameters: {}, schemes: used }
        const { [scheme]: _own, ...rest } = secrets
        const request = traffic.toRequest(operation, draft, text === undefined ? rest : { ...rest, [scheme]: text })
        return { operation, rule, expect: 'unauthorized', request, ...(sameAs !== undefined && { sameAs }) }
      }
    const nobodys = credential.kind === 'basic' ? `nobody:${NOBODYS_KEY}` : NOBODYS_KEY
    return [
      withText(`a request without ${scheme}`, undefined),
      withText(`a request with a wrong ${scheme}`, textOf({ ...credential, value: nobodys })),
      withText(
        `a request with a ${scheme} that is wrong in its last letter`,
        textOf({ ...credential, value: almost(credential.value) }),
        `a request with a wrong ${scheme}`,
      ),
    ]
  })
}

const almost = (key: string): string => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`

function parameterDeviations(about: DeviationContext, parameter: Parameter): MakeDeviation[] {
  const { contract, traffic, operation } = about
  const name = at(parameter)
  const schema = contract.flat(parameter.schema ?? {})
  const withText = (text: string) => (draft: Draft) => ({
    ...draft,
    parameters: { ...draft.parameters, [name]: text },
  })
  const withoutIt = (draft: Draft): Draft => ({ ...draft, parameters: without(draft.parameters, name) })
  const isScalar = SCALARS.includes(schema.type ?? '')
  const values = isScalar ? (schema.enum ?? []) : []
  const given: MakeDeviation = async () => {
    const text = await traffic.valueOf(operation, parameter)
    const change = text === undefined ? (draft: Draft) => draft : withText(text)
    return changed(about, `a request with ${name}`, 'accepted', change)()
  }
  return [
    ...(parameter.required === true ? [] : [given]),
    ...(parameter.required === true && parameter.in !== 'path'
      ? [changed(about, `a request without ${name}`, 'refused', withoutIt)]
      : []),
    ...(isScalar ? wrongTexts(contract, parameter.schema, isSendable(parameter)) : []).map((text) =>
      changed(about, `a request with an invalid ${name}`, 'refused', withText(text)),
    ),
    ...(isScalar ? edgesOf(contract, parameter.schema ?? {}) : [])
      .filter(({ value }) => value !== null && isSendable(parameter)(plainText(value)))
      .map(({ what, value }) => {
        const isValid = contract.faultIn(parameter.schema ?? {}, value) === undefined
        const rule = `a request with ${isValid ? '' : 'an invalid '}${name}: ${what}`
        return changed(about, rule, isValid ? 'accepted' : 'refused', withText(plainText(value)))
      }),
    ...(parameter.in === 'path' && schema.format === 'uuid'
      ? [
          changed(about, `a request about an unknown ${parameter.name}`, 'accepted', (draft) =>
            withText(randomUUID())(draft),
          ),
        ]
      : []),
    ...values.map((value) =>
      changed(about, `a request with ${name} ${String(value)}`, 'accepted', withText(String(value))),
    ),
    ...(schema.type === 'string' && parameter.in !== 'header' && parameter.in !== 'cookie'
      ? [changed(about, `a request with odd characters in ${name}`, 'either', withText(ODD_TEXT))]
      : []),
  ]
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
  const isRequired = operation.request?.required === true
  const declares415 = operation.responses.some(({ status }) => status === '415')
  const withBody = (rule: string, expect: ExpectedReply, change: (body: unknown) => unknown): MakeDeviation =>
    changed(about, rule, expect, (draft) => ({ ...draft, body: change(structuredClone(draft.body)) }), index)
  return [
    ...bodyChanges(contract, media.schema, shape).map(({ rule, expect, change }) => withBody(rule, expect, change)),
    withBody('a request with a body that is no JSON', 'refused', () => Buffer.from('{"surprise": 50')),
    ...(isRequired
      ? [changed(about, 'a request without a body', 'refused', ({ body: _body, ...draft }) => ({ ...draft }), index)]
      : []),
    ...(declares415
      ? [
          changed(
            about,
            'a request with the media type text/plain',
            'refused',
            (draft) => ({ ...draft, mediaType: 'text/plain', body: Buffer.from(JSON.stringify(draft.body)) }),
            index,
          ),
        ]
      : []),
  ]
}
