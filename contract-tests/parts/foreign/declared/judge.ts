import { isDeepStrictEqual } from 'node:util'
import type { Contract, Operation, Response } from '../../../../openapi/reading/contract.ts'
import { jsonOf, responseFor } from '../../../../openapi/reading/wire.ts'
import type { WireReply } from '../../../harness/proxy.ts'
import type { Fault } from '../../declared/beyond-schemas.ts'
import { textOf, type Credential } from '../credentials.ts'
import type { ForeignCase, Remarks } from './foreign-case.ts'
import { formFaults, shownText } from './form.ts'

/** Refusals that no schema predicts: the resource does not exist (any more), or exists already. */
const ABOUT_THINGS = [404, 409, 410, 412]

interface JudgeInput extends Remarks {
  readonly contract: Contract
  readonly credentials: Readonly<Record<string, Credential>>
  /** Texts of refusals by a business rule. */
  readonly refusals: readonly string[]
  /** Operations with values: their requests must succeed. */
  readonly hasValues: (id: string) => boolean
}

/** Faults of a reply, by the contract and RFC 9110 alone. */
export function judgeForeign(judging: JudgeInput, request: ForeignCase, reply: WireReply): Fault[] {
  if (request.expect === 'nowhere') return nowhereFaults(request, reply)
  const { operation, rule } = request
  const reported = `${rule} was answered ${reply.status}`
  const response = declaredFor(operation, reply.status)
  const undeclared = {
    key: `undeclared ${reply.status}`,
    what: `${reported}, a status that the contract does not declare: ${shownText(reply)}`,
  }
  if (!response) return [undeclared]
  const challenged = reply.status !== 401 || reply.headers['www-authenticate'] !== undefined
  if (!challenged) judging.remark('401 without WWW-Authenticate (RFC 9110, section 15.5.2)', request, reply)
  return [
    ...statusFaults(judging, request, reply, response),
    ...formFaults(judging.contract, reply, response),
    ...repeatedSecrets(judging, operation, reply),
  ]
}

/** The response of a status. `default` does not cover a failure of the server: that has to be declared. */
function declaredFor(operation: Operation, status: number): Response | undefined {
  const response = responseFor(operation, status)
  return status >= 500 && response?.status === 'DEFAULT' ? undefined : response
}

function statusFaults(judging: JudgeInput, request: ForeignCase, reply: WireReply, response: Response): Fault[] {
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
  if (expect === 'either') return []
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
function repeatedSecrets({ credentials }: JudgeInput, { security }: Operation, reply: WireReply): Fault[] {
  if (reply.status !== 401 && reply.status !== 403) return []
  const repeated = [...new Set(security.flat())].filter((name) => {
    const credential = credentials[name]
    return credential && [credential.value, textOf(credential)].some((secret) => reply.body.includes(secret))
  })
  return repeated.map((name) => ({
    key: `${name} repeated`,
    what: `a reply ${reply.status} repeats the credential of ${name}`,
  }))
}

/** An undeclared method or path: only RFC 9110 applies. */
function nowhereFaults({ rule, request, methods = [] }: ForeignCase, reply: WireReply): Fault[] {
  const { status } = reply
  const reported = `${rule} (${request.method}) was answered ${status}`
  // HEAD is GET without its body (section 9.3.2), and OPTIONS lists the methods (section 9.3.7).
  const mayBe = request.method === 'OPTIONS' || (request.method === 'HEAD' && methods.includes('GET'))
  if (status >= 500 && status !== 501) return [{ key: `nowhere ${status}`, what: `${reported}: ${shownText(reply)}` }]
  if (status < 300)
    return mayBe ? [] : [{ key: `${rule}: taken`, what: `${reported}, which the contract does not declare` }]
  if (status !== 405) return []
  const said = reply.headers.allow?.join(', ')
  const allowed = (said ?? '').split(',').map((method) => method.trim().toUpperCase())
  if (said !== undefined && methods.every((method) => allowed.includes(method)) && !allowed.includes(request.method))
    return []
  return [
    { key: 'allow', what: `${reported}, and its Allow header is ${said ?? 'not there'}, not ${methods.join(', ')}` },
  ]
}
