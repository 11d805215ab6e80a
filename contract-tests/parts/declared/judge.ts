import type { Contract, Response } from '../../../openapi/reading/contract.ts'
import { wordsOf } from '../../harness/coverage/mark.ts'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { DeclaredCase, Expectation } from './declared-case.ts'
import { faultsBeyondSchemas, listFaults, type Fault } from './beyond-schemas.ts'
import { jsonOf, valueOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf } from '../../harness/json.ts'

const TEXT_SHOWN_MAX = 200

/** Faults of a reply: its status for this request, and its form by the contract. */
export function judge(
  contract: Contract,
  { operation, rule, expect, request }: DeclaredCase,
  reply: WireReply,
): Fault[] {
  const body = jsonOf(reply.body)
  const text = reply.body.toString('utf8').slice(0, TEXT_SHOWN_MAX)
  const reported = `${rule} was answered ${reply.status}`
  const shared = reply.status === 404 || reply.status === 405
  const response =
    operation.responses.find(({ status }) => status === String(reply.status)) ??
    (shared ? errorReply(operation.responses) : undefined)

  const faults: Fault[] = []
  const shown = (status: number): boolean =>
    operation.responses
      .find((each) => each.status === String(status))
      ?.examples.some(({ value }) => isSameWords(value, body)) === true
  const accepted =
    expect.statuses.includes(reply.status) || (expect.orAsShown === true && reply.status < 500 && shown(reply.status))
  if (reply.status >= 500 && !accepted)
    return [{ key: `${operation.id} ${reply.status}`, what: `${reported}: ${text}` }]
  if (!accepted) {
    const wanted = expect.statuses.join(' or ')
    // A success under another number is one defect, however often it is requested.
    const isOtherSuccess = reply.status < 300 && expect.statuses.some((status) => status < 300)
    faults.push({
      key: isOtherSuccess ? `${operation.id} ${reply.status}` : `${expect.sameAs ?? rule}: not ${wanted}`,
      what: `${reported}, not ${wanted}: ${text}`,
    })
  }
  if (!response)
    return faults.length > 0
      ? faults
      : [{ key: `undeclared ${reply.status}`, what: `${reported}, a status that the contract does not declare` }]

  faults.push(...allowFaults(expect, request, reply, reported))
  if (accepted) faults.push(...promiseFaults(expect, rule, reply, body, reported))
  // A reply to HEAD has no body to check.
  return [
    ...faults,
    ...(request.method === 'HEAD'
      ? []
      : [
          ...formFaults(contract, reply, response, body),
          ...(accepted ? listFaults(request, reply, body) : []),
          ...faultsBeyondSchemas(operation, request, reply, body),
        ]),
  ]
}

const headerOf = ({ headers }: WireReply, name: string): string | undefined => headers[name]?.join(', ')

function allowFaults({ allow }: Expectation, request: WireRequest, reply: WireReply, reported: string): Fault[] {
  if (!allow || reply.status !== 405) return []
  const said = headerOf(reply, 'allow')
  const allowed = (said ?? '').split(',').map((method) => method.trim().toUpperCase())
  if (allow.every((method) => allowed.includes(method)) && !allowed.includes(request.method)) return []
  const what = `${reported}, and its Allow header does not name ${allow.join(', ')}, but: ${said ?? 'there is none'}`
  return [{ key: 'allow', what }]
}

/** Expectations on a reply beside its status. */
function promiseFaults(
  { replayed, empty }: Expectation,
  rule: string,
  reply: WireReply,
  body: unknown,
  reported: string,
): Fault[] {
  const isReplay = headerOf(reply, 'idempotency-replayed') !== undefined
  const lists = Object.values(fieldsOf(fieldsOf(body)['data']))
  const text = reply.body.toString('utf8').slice(0, TEXT_SHOWN_MAX)
  return [
    ...(replayed === true && !isReplay ? [{ key: 'replayed', what: `${reported} without Idempotency-Replayed` }] : []),
    ...(replayed === false && isReplay ? [{ key: 'not replayed', what: `${reported} with Idempotency-Replayed` }] : []),
    ...(empty && lists.some((list) => Array.isArray(list) && list.length > 0)
      ? [{ key: `${rule}: not empty`, what: `${reported} with a list that is not empty: ${text}` }]
      : []),
  ]
}

/** 404 and 405 of the router have the envelope of every other refusal. */
const errorReply = (responses: readonly Response[]): Response | undefined => {
  const refusal = responses.find(({ status }) => status === '400')
  return refusal && { ...refusal, headers: refusal.headers.filter(({ required }) => required) }
}

function formFaults(contract: Contract, reply: WireReply, response: Response, body: unknown): Fault[] {
  const said = (key: string, what: string): Fault => ({ key, what: `a reply ${reply.status} ${what}` })
  const faults: Fault[] = []
  const mediaType = reply.headers['content-type']?.join(', ') ?? 'none'
  if (response.schema && !/^application\/json(;|$)/.test(mediaType))
    faults.push(said(`media type ${reply.status}`, `has the media type ${mediaType}, not application/json`))
  else if (response.schema && body === undefined)
    faults.push(said(`no JSON ${reply.status}`, `is no JSON: ${reply.body.toString('utf8').slice(0, TEXT_SHOWN_MAX)}`))
  else if (response.schema) {
    const fault = contract.faultIn(response.schema, body)
    // One defect, whichever element or branch shows it.
    if (fault !== undefined)
      faults.push(said(`schema ${fault.replaceAll(/\/\d+/g, '/…')}`, `does not fit the contract: ${fault}`))
    else if (typeof body === 'object' && body !== null && 'code' in body && body.code !== reply.status)
      faults.push(said('code', `has the code ${String(body.code)} in its body`))
  }
  for (const { name, required, schema } of response.headers) {
    const value = reply.headers[name.toLowerCase()]?.join(', ')
    if (value === undefined) {
      if (required) faults.push(said(`header ${name} missing`, `has no header ${name}`))
      continue
    }
    const fault = contract.faultIn(schema, valueOf(contract.flat(schema).type, value))
    if (fault !== undefined)
      faults.push(
        said(`header ${name}`, `has a header ${name} that does not fit the contract: ${fault.replace('body', value)}`),
      )
  }
  return faults
}

const isSameWords = (one: unknown, other: unknown): boolean =>
  JSON.stringify(wordsOf(one)) === JSON.stringify(wordsOf(other))
