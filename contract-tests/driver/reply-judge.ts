import { isDeepStrictEqual } from 'node:util'
import type { Contract, Media, Operation, Response } from '../../openapi/reading/contract.ts'
import { isJsonType } from '../../openapi/reading/json.ts'
import { jsonOf, responseFor, valueOf } from '../../openapi/reading/wire.ts'
import { sentencesOf } from '../harness/declared-words.ts'
import { fieldsOf } from '../harness/json.ts'
import type { WireReply } from '../harness/proxy.ts'
import type { Fault } from './case-runner.ts'
import { textOf, type Credential } from './credentials.ts'
import type { DeclaredCase, Remarks } from './declared-case.ts'

/** Refusals that no schema predicts: the resource does not exist (any more), or exists already. */
const ABOUT_THINGS = [404, 409, 410, 412]

/** Exact replies: known where the suite knows the contract's meaning, not only its schemas. */
export interface ExactReplies {
  /** The statuses for a request; undefined: any that is no failure. */
  statusesFor(request: DeclaredCase): readonly number[] | undefined
  /** Also allowed: a refusal by a business rule, with a message from an example of the operation. */
  mayRefuse(request: DeclaredCase): boolean
  /** Faults that no schema shows. @param isAccepted whether the status is right */
  faults(request: DeclaredCase, reply: WireReply, isAccepted: boolean): readonly Fault[]
}

export interface JudgeInput extends Remarks {
  readonly contract: Contract
  readonly credentials: Readonly<Record<string, Credential>>
  /** Texts of refusals by a business rule. */
  readonly refusals: readonly string[]
  /** Operations with values: their requests must succeed. */
  readonly hasValues: (id: string) => boolean
  /** Absent: any refusal that the contract declares is right. */
  readonly exactly?: ExactReplies | undefined
}

/** Faults of a reply: by the contract and RFC 9110 alone, or by the exact replies that are known. */
export function judgeReply(judging: JudgeInput, request: DeclaredCase, reply: WireReply): readonly Fault[] {
  const { exactly } = judging
  if (request.expect === 'nowhere' && !exactly) return nowhereFaults(request, reply)
  const { operation, rule } = request
  const response = declaredFor(operation, reply.status) ?? (exactly && replyOfRouter(operation, reply.status))
  const reported = `${rule} was answered ${reply.status}`
  const undeclared = {
    key: `undeclared ${reply.status}`,
    what: `${reported}, a status that the contract does not declare: ${shownText(reply)}`,
  }
  const status = exactly ? exactFaults(exactly, request, reply) : []
  // A failure is one defect, however many rules its reply breaks.
  if (status.length > 0 && reply.status >= 500) return status
  if (!response) return status.length > 0 ? status : [undeclared]
  if (!exactly && reply.status === 401 && reply.headers['www-authenticate'] === undefined)
    judging.remark('401 without WWW-Authenticate (RFC 9110, section 15.5.2)', request, reply)
  return [
    ...(exactly ? [...status, ...allowFaults(request, reply)] : statusFaults(judging, request, reply, response)),
    // A reply to HEAD has no body.
    ...(request.request.method === 'HEAD' ? [] : formFaults(judging.contract, reply, response)),
    ...repeatedSecrets(judging, request, reply),
    ...(exactly?.faults(request, reply, status.length === 0) ?? []),
  ]
}

function exactFaults(exactly: ExactReplies, request: DeclaredCase, reply: WireReply): readonly Fault[] {
  const { operation, rule, sameAs = rule } = request
  const { status } = reply
  const statuses = exactly.statusesFor(request)
  const mayRefuse = exactly.mayRefuse(request) && status < 500 && isInWordsOf(declaredFor(operation, status), reply)
  if (statuses === undefined ? status < 500 : statuses.includes(status) || mayRefuse) return []
  const wanted = statuses?.join(' or ') ?? 'below 500'
  // A failure, or a success under another number, is one defect, however often it shows.
  const isOne = status >= 500 || (status < 300 && statuses?.some((each) => each < 300) === true)
  return [
    {
      key: isOne ? `${operation.id} ${status}` : `${sameAs}: not ${wanted}`,
      what: `${rule} was answered ${status}, not ${wanted}: ${shownText(reply)}`,
    },
  ]
}

/** The message of a reply is that of an example, but for numbers and names. */
function isInWordsOf(response: Response | undefined, reply: WireReply): boolean {
  const message = String(fieldsOf(jsonOf(reply.body))['message'])
  return response !== undefined && sentencesOf(response).some(({ pattern }) => pattern.test(message))
}

/** 404 and 405 of the router have the form of every other refusal, and its required headers. */
function replyOfRouter({ responses }: Operation, status: number): Response | undefined {
  const refusal = responses.find((each) => each.status === '400')
  if (!refusal || (status !== 404 && status !== 405)) return undefined
  return { ...refusal, headers: refusal.headers.filter(({ required }) => required) }
}

/** The response of a status. `default` does not cover a failure of the server: that has to be declared. */
function declaredFor(operation: Operation, status: number): Response | undefined {
  const response = responseFor(operation, status)
  return status >= 500 && response?.status === 'DEFAULT' ? undefined : response
}

function statusFaults(judging: JudgeInput, request: DeclaredCase, reply: WireReply, response: Response): Fault[] {
  const { operation, expect, rule, sameAs = rule } = request
  const { status } = reply
  if (status >= 500) {
    judging.remark(`a declared ${status}`, request, reply)
    return []
  }
  const isTaken = status < 400
  const fault = (wanted: string): Fault[] => [
    {
      // One defect, wherever it shows.
      key: `${sameAs}: not ${wanted}`,
      what: `${rule} was answered ${status}, not ${wanted}. The reply: ${shownText(reply)}`,
    },
  ]
  if (expect === 'either' || expect === 'strict' || expect === 'ignored') return []
  if (expect === 'refused' || expect === 'unauthorized')
    return isTaken ? fault(`one of the refusals that the contract declares (${refusalsOf(operation)})`) : []
  if (isTaken) return []
  if (expect === 'success') {
    if (judging.hasValues(operation.id) || !ABOUT_THINGS.includes(status)) return fault('with success')
    judging.remark(`${status} to the contract's own example: give values that exist`, request, reply)
    return []
  }
  const isExplained =
    ABOUT_THINGS.includes(status) ||
    judging.refusals.some((text) => reply.body.includes(text)) ||
    response.examples.some(({ value }) => isLike(value, jsonOf(reply.body)))
  return isExplained ? [] : fault('with success')
}

const refusalsOf = ({ responses }: Operation): string =>
  responses
    .map(({ status }) => status)
    .filter((status) => !/^[123]/.test(status))
    .join(', ') || 'none, so any 4xx'

/** Equal except for what differs each time: numbers, and texts with digits. */
function isLike(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): unknown =>
    value === undefined
      ? undefined
      : JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
          typeof each === 'number' || (typeof each === 'string' && /\d/.test(each)) ? '#' : each,
        )
  return other !== undefined && isDeepStrictEqual(plain(one), plain(other))
}

/** The refused client is unauthenticated, and replies may be logged. */
function repeatedSecrets({ credentials }: JudgeInput, request: DeclaredCase, reply: WireReply): Fault[] {
  if (reply.status !== 401 && reply.status !== 403) return []
  const repeated = [...new Set(request.operation.security.flat())].filter((name) => {
    const credential = credentials[name]
    const sent = credential?.in === 'header' ? (request.request.headers[credential.field] ?? []) : []
    const secrets = credential ? [credential.value, textOf(credential), ...sent] : []
    return secrets.some((secret) => secret !== '' && reply.body.includes(secret))
  })
  return repeated.map((name) => ({
    key: `${name} repeated`,
    what: `a reply ${reply.status} repeats the credential of ${name}`,
  }))
}

/** An undeclared method or path: only RFC 9110 applies. */
function nowhereFaults(of: DeclaredCase, reply: WireReply): Fault[] {
  const { rule, request, methods = [] } = of
  const { status } = reply
  const reported = `${rule} (${request.method}) was answered ${status}`
  // HEAD is GET without its body (section 9.3.2), and OPTIONS lists the methods (section 9.3.7).
  const mayBe = request.method === 'OPTIONS' || (request.method === 'HEAD' && methods.includes('GET'))
  if (status >= 500 && status !== 501) return [{ key: `nowhere ${status}`, what: `${reported}: ${shownText(reply)}` }]
  if (status < 300)
    return mayBe ? [] : [{ key: `${rule}: taken`, what: `${reported}, which the contract does not declare` }]
  return allowFaults(of, reply)
}

/** 405 names the methods of the path (section 15.5.6). */
function allowFaults({ rule, request, methods = [] }: DeclaredCase, { status, headers }: WireReply): Fault[] {
  if (status !== 405) return []
  const said = headers.allow?.join(', ')
  const allowed = (said ?? '').split(',').map((method) => method.trim().toUpperCase())
  if (said !== undefined && methods.every((method) => allowed.includes(method)) && !allowed.includes(request.method))
    return []
  const reported = `${rule} (${request.method}) was answered ${status}`
  return [
    { key: 'allow', what: `${reported}, and its Allow header is ${said ?? 'not there'}, not ${methods.join(', ')}` },
  ]
}

const TEXT_SHOWN_MAX = 200
const shownText = ({ body }: WireReply): string => body.toString('utf8').slice(0, TEXT_SHOWN_MAX)

/** Faults in the form of a reply, by the contract's declaration for its status. */
function formFaults(contract: Contract, reply: WireReply, response: Response): Fault[] {
  const said = (key: string, what: string): Fault => ({ key, what: `a reply ${reply.status} ${what}` })
  return [...bodyFaults(contract, reply, response, said), ...headerFaults(contract, reply, response, said)]
}

type FormFault = (key: string, what: string) => Fault

function bodyFaults(contract: Contract, reply: WireReply, { content }: Response, said: FormFault): Fault[] {
  // The contract says nothing about a reply without declared content.
  if (content.length === 0) return []
  const types = content.map(({ type }) => type).join(' or ')
  const mediaType = reply.headers['content-type']?.join(', ')
  if (reply.body.length === 0) return [said(`no body ${reply.status}`, `has no body, not ${types}`)]
  const media = content.find(({ type }) => isOfType(mediaType ?? '', type))
  if (!media) return [said(`media type ${reply.status}`, `has the media type ${mediaType ?? 'none'}, not ${types}`)]
  return valueFaults(contract, reply, media, said)
}

function valueFaults(contract: Contract, reply: WireReply, { type, schema }: Media, said: FormFault): Fault[] {
  const isJson = isJsonType(reply.headers['content-type']?.[0] ?? type)
  // Of other media types only a text can be checked against a schema.
  if (!isJson && contract.flat(schema).type !== 'string') return []
  const value = isJson ? jsonOf(reply.body) : reply.body.toString('utf8')
  if (value === undefined) return [said(`no JSON ${reply.status}`, `is no JSON: ${shownText(reply)}`)]
  const fault = contract.faultIn(schema, value)
  if (fault === undefined) return []
  // One defect, whichever element or branch shows it.
  return [said(`schema ${reply.status} ${fault.replaceAll(/\/\d+/g, '/…')}`, `does not fit the contract: ${fault}`)]
}

function headerFaults(contract: Contract, reply: WireReply, { headers }: Response, said: FormFault): Fault[] {
  return headers.flatMap(({ name, required, schema }) => {
    const value = reply.headers[name.toLowerCase()]?.join(', ')
    if (value === undefined) return required ? [said(`header ${name} missing`, `has no header ${name}`)] : []
    const fault = contract.faultIn(schema, valueOf(contract.flat(schema).type, value))
    if (fault === undefined) return []
    const what = `has a header ${name} that does not fit the contract: ${fault.replace('body', value)}`
    return [said(`header ${name}`, what)]
  })
}

/** Whether a media type was declared: `application/*` matches any of its kind, parameters are ignored. */
function isOfType(mediaType: string, declared: string): boolean {
  const plain = (text: string): string => text.replace(/;.*$/, '').trim().toLowerCase()
  const [is, wanted] = [plain(mediaType), plain(declared)]
  return wanted === '*/*' || is === wanted || (wanted.endsWith('/*') && is.startsWith(wanted.slice(0, -1)))
}
