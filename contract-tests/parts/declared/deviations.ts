import { changed } from '../../../openapi/reading/changed.ts'
import { nameOf } from '../../harness/coverage/cells.ts'
import type { Contract, Operation, Parameter, Schema } from '../../../openapi/reading/contract.ts'
import { EMPTY_VALUES } from '../../harness/coverage/empty-fields.ts'
import { present } from '../../harness/part.ts'
import { toRequest, type DeclaredCase, type Draft, type Expectation } from './declared-case.ts'
import { fieldsOf, valueAt, without } from '../../harness/json.ts'
import { sampleOf, wrongInBody, wrongTexts } from './values.ts'

/** Far more than any operation accepts. */
const BODY_TOO_LARGE = 1_100_000
const OTHER_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const UNKNOWN_FIELD = 'merchant_id'
/** A server without any of these languages answers in its own (RFC 9110, section 12.5.4). */
const OTHER_LANGUAGES = 'fr-FR,fr;q=0.9,*;q=0.1'
const UNKNOWN_PARAMETER = 'page_colour=blue'

/** Source of a body: a complete one, new at each call. */
type MakeBody = () => unknown

export interface DeviationInput {
  readonly contract: Contract
  readonly operation: Operation
  /** Every required and optional parameter, by name. */
  readonly parameters: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
  /** One per branch of the body. */
  readonly bodies: readonly MakeBody[]
  /** Methods that the contract declares for this path. */
  readonly methods: readonly string[]
  /** The status of a valid request: the first declared one below 300. */
  readonly success: number
}

const REFUSED: Expectation = { statuses: [400] }

/** Requests of one operation that each differ in one thing from a valid one, and the expected replies. */
export function deviations(given: DeviationInput): DeclaredCase[] {
  return [...keyRequests(given), ...parameterRequests(given), ...bodyRequests(given), ...transportRequests(given)]
}

const base = ({ operation, parameters, keys, bodies }: DeviationInput): Draft => {
  const optional = operation.parameters.filter(({ required }) => required !== true).map(({ name }) => name)
  return { parameters: optional.reduce(without, parameters), keys, ...(bodies[0] && { body: bodies[0]() }) }
}

const maker =
  ({ operation }: DeviationInput) =>
  (
    rule: string,
    draft: Draft,
    expect: Expectation,
    more?: Readonly<Record<string, string | undefined>>,
  ): DeclaredCase => ({
    operation,
    rule,
    expect,
    request: toRequest(operation, draft, more),
  })

function keyRequests(given: DeviationInput): DeclaredCase[] {
  const testCase = maker(given)
  const refused = { statuses: [401] }
  return given.operation.keys.flatMap(({ header }) => [
    testCase(`a request without ${header}`, { ...base(given), keys: without(given.keys, header) }, refused),
    testCase(`a request with a wrong ${header}`, withKey(given, header, 'nobody_has_this_key'), refused),
    testCase(
      `a request with a ${header} that is wrong in its last letter`,
      withKey(given, header, almost(given.keys[header] ?? '')),
      { ...refused, sameAs: `a request with a wrong ${header}` },
    ),
    // A client without keys learns nothing else: keys are checked before everything that follows.
    testCase(
      `a request without ${header}, and without what it requires`,
      { ...base(given), keys: without(given.keys, header), parameters: inPath(given) },
      { ...refused, sameAs: `a request without ${header}` },
    ),
  ])
}

const withKey = (given: DeviationInput, header: string, key: string): Draft => ({
  ...base(given),
  keys: { ...given.keys, [header]: key },
})
const inPath = ({ operation, parameters }: DeviationInput): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name]) =>
      operation.parameters.some((each) => each.name === name && each.in === 'path'),
    ),
  )
const almost = (key: string): string => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`

function parameterRequests(given: DeviationInput): DeclaredCase[] {
  const { contract, operation, success } = given
  const draftOf = maker(given)
  return operation.parameters.flatMap((parameter) => {
    const { name, schema } = parameter
    const at = nameOf(parameter)
    const draft = base(given)
    const withText = (text: string): Draft => ({ ...draft, parameters: { ...draft.parameters, [name]: text } })
    const accepted: Expectation = { statuses: [success], orAsShown: true }
    return [
      ...presenceRequests(given, parameter, draft),
      ...wrongTexts(contract, schema, isSendable(parameter)).map((text) =>
        draftOf(`a request with an invalid ${at}`, withText(text), REFUSED),
      ),
      // Values other than the example's may name what this account does not have; they are never malformed.
      ...(contract.flat(schema).enum ?? []).map((value) =>
        draftOf(`a request with ${at} ${String(value)}`, withText(String(value)), accepted),
      ),
      ...(parameter['x-empty-is-absent'] ? [draftOf(`a request with an empty ${at}`, withText(''), accepted)] : []),
      ...(parameter.in === 'query' ? [twice(given, parameter)] : []),
      ...(name.toLowerCase() === 'accept-language'
        ? [draftOf('a request in other languages', withText(OTHER_LANGUAGES), accepted)]
        : []),
    ]
  })
}

/** Without required fields, and with unknown ones. */
function presenceRequests(given: DeviationInput, parameter: Parameter, draft: Draft): DeclaredCase[] {
  const [testCase, at] = [maker(given), nameOf(parameter)]
  const { name } = parameter
  if (parameter.in === 'path') return []
  if (parameter.required === true)
    return [testCase(`a request without ${at}`, { ...draft, parameters: without(draft.parameters, name) }, REFUSED)]
  return [
    testCase(
      `a request with ${at}`,
      { ...draft, parameters: { ...draft.parameters, [name]: valueFor(given, parameter) } },
      { statuses: [given.success], orAsShown: true },
    ),
  ]
}

const valueFor = ({ parameters }: DeviationInput, parameter: Parameter): string =>
  present(parameters[parameter.name], `value for ${nameOf(parameter)}`)

/** Header values are Latin-1 on the wire, without spaces at their ends. */
const isSendable =
  (parameter: Parameter) =>
  (text: string): boolean =>
    parameter.in !== 'header' || /^[\x21-\x7e]+$/.test(text)

function twice(given: DeviationInput, parameter: Parameter): DeclaredCase {
  const value = valueFor(given, parameter)
  const testCase = maker(given)(
    `a request with ${nameOf(parameter)} twice`,
    { ...base(given), parameters: { ...base(given).parameters, [parameter.name]: value } },
    REFUSED,
  )
  return {
    ...testCase,
    request: { ...testCase.request, path: `${testCase.request.path}&${parameter.name}=${encodeURIComponent(value)}` },
  }
}

function bodyRequests(given: DeviationInput): DeclaredCase[] {
  const { body } = given.operation
  return body ? given.bodies.flatMap((make) => fieldRequests(given, body.schema, make)) : []
}

function fieldRequests(given: DeviationInput, declared: Schema, make: MakeBody): DeclaredCase[] {
  const { contract, success } = given
  const sendRequest = (rule: string, change: (body: unknown) => unknown, expect: Expectation): DeclaredCase =>
    maker(given)(rule, { ...base(given), body: change(structuredClone(make())) }, expect)
  const accepted: Expectation = { statuses: [success], orAsShown: true }
  const whole = make()
  const schema = branchOf(contract, declared, whole)
  const tag: string | undefined = contract.flat(declared).discriminator?.propertyName

  const requestsWithin = (object: Schema, path: readonly string[]): DeclaredCase[] =>
    Object.entries(object.properties ?? {}).flatMap(([name, property]) => {
      const at = [...path, name]
      const called = `body field ${at.join('.')}`
      const flat = contract.flat(property)
      const values: readonly unknown[] =
        name === tag ? [] : (flat.enum ?? (flat.type === 'boolean' ? [true, false] : []))
      const sample = sampleOf(contract, property)
      const isRequired = object.required?.includes(name) === true
      const emptyIsAbsent = object['x-empty-is-absent'] === true
      return [
        isRequired
          ? sendRequest(`a request without ${called}`, (body) => changed(body, at, undefined), REFUSED)
          : sendRequest(`a request that leaves out ${called}`, (body) => changed(body, at, undefined), accepted),
        ...(!isRequired && sample !== undefined
          ? [sendRequest(`a request with ${called}`, (body) => changed(body, at, sample), accepted)]
          : []),
        ...(emptyIsAbsent
          ? [...EMPTY_VALUES, ...(flat.properties ? [{}] : [])].map((value) =>
              sendRequest(
                `a request with an empty ${called}`,
                (body) => changed(body, at, value),
                isRequired ? REFUSED : accepted,
              ),
            )
          : []),
        ...wrongInBody(contract, property, emptyIsAbsent && !isRequired).map((wrong) =>
          sendRequest(`a request with an invalid ${called}`, (body) => changed(body, at, wrong), REFUSED),
        ),
        ...values.map((value) =>
          sendRequest(`a request with ${called} ${String(value)}`, (body) => changed(body, at, value), accepted),
        ),
        ...(flat.properties && valueAt(whole, at) !== undefined ? requestsWithin(flat, at) : []),
      ]
    })
  return [
    ...requestsWithin(schema, []),
    sendRequest(
      'a request with a body field that the contract does not know',
      (body) => changed(body, [UNKNOWN_FIELD], 7),
      REFUSED,
    ),
    ...objectsIn(contract, schema, whole).map((path) =>
      sendRequest(
        `a request with an unknown field in body field ${path.join('.')}`,
        (body) => changed(body, [...path, UNKNOWN_FIELD], 7),
        REFUSED,
      ),
    ),
  ]
}

/** The branch of a union that a body uses. */
export function branchOf(contract: Contract, node: Schema, value: unknown): Schema {
  const schema = contract.flat(node)
  const members = schema.oneOf ?? schema.anyOf ?? []
  const member = members.find((each) => contract.faultIn(each, value) === undefined) ?? members[0]
  return member ? branchOf(contract, member, value) : schema
}

const objectsIn = (contract: Contract, schema: Schema, value: unknown): string[][] =>
  Object.entries(schema.properties ?? {})
    .filter(
      ([name, property]) =>
        contract.flat(property).additionalProperties === false && fieldsOf(value)[name] !== undefined,
    )
    .map(([name]) => [name])

/** The body with its first number repeated at the end: programs disagree on which of the two counts. */
function withFieldTwice(make: MakeBody): Buffer {
  const body = fieldsOf(make())
  const fields = Object.entries(body)
  const [name, value] = present(fields.find(([, each]) => typeof each === 'number') ?? fields[0], 'field in the body')
  return Buffer.from(JSON.stringify(body).replace(/\}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`))
}

function transportRequests(given: DeviationInput): DeclaredCase[] {
  const { operation, methods, success } = given
  const draftOf = maker(given)
  const draft = base(given)
  const unknownQuery = draftOf('a request with a query parameter that the contract does not know', draft, {
    statuses: [success],
    orAsShown: true,
  })
  const { path } = unknownQuery.request
  const { request } = draftOf('', { ...draft, body: undefined }, REFUSED)
  return [
    {
      ...unknownQuery,
      request: { ...unknownQuery.request, path: `${path}${path.includes('?') ? '&' : '?'}${UNKNOWN_PARAMETER}` },
    },
    ...OTHER_METHODS.filter((method) => !methods.includes(method)).map((method) => ({
      operation,
      rule: 'a request with a method that its path does not have',
      request: { ...request, method },
      expect: { statuses: [405], allow: methods },
    })),
    ...mediaRequests(given),
  ]
}

/** Bodies that are missing, too large, or of another media type. */
function mediaRequests(given: DeviationInput): DeclaredCase[] {
  const [make] = given.bodies
  if (make === undefined) return []
  const draftOf = maker(given)
  const declares = (status: string): boolean => given.operation.responses.some((each) => each.status === status)
  const draft = base(given)
  const missing: Expectation = { statuses: declares('415') ? [400, 415] : [400] }
  const json = { 'content-type': 'application/json' }
  const text = { 'content-type': 'text/plain' }
  // One that would be accepted if it were smaller, and one whose text alone is too long.
  const tooLarge = [Buffer.from(JSON.stringify(draft.body).padEnd(BODY_TOO_LARGE)), Buffer.alloc(BODY_TOO_LARGE, ' ')]
  return [
    draftOf('a request with a body that is no JSON', { ...draft, body: Buffer.from('{"amount": 50') }, REFUSED),
    draftOf('a request with a body field twice', { ...draft, body: withFieldTwice(make) }, REFUSED),
    draftOf('a request with a list as its body', { ...draft, body: [] }, REFUSED),
    draftOf('a request without a body', { ...draft, body: undefined }, missing, json),
    ...(declares('415') ? [draftOf('a request with the media type text/plain', draft, { statuses: [415] }, text)] : []),
    ...(declares('413') ? tooLarge : []).map((body) =>
      draftOf('a request with a body of a megabyte', { ...draft, body }, { statuses: [413] }),
    ),
  ]
}
