import type { Contract, Operation, Response } from '../../openapi/reading/contract.ts'
import { pathValues, responseFor } from '../../openapi/reading/wire.ts'
import type { Direction } from '../harness/coverage/exchange.ts'
import { fieldsOf, type Fields } from '../harness/json.ts'
import { jsonBody } from '../harness/json-body.ts'
import type { Exchange } from '../harness/proxy.ts'
import { decoded } from './decoded-body.ts'

/** An exchange as the rules read it. */
export interface ObservedExchange {
  readonly exchange: Exchange
  readonly direction: Direction
  /** The path as written, without the query. */
  readonly path: string
  readonly query: string
  /** The operation of this path and method; undefined for pages, files, wrong paths, and messages of the server. */
  readonly operation: Operation | undefined
  /** The contract's declaration for this status. */
  readonly response: Response | undefined
  /** By name, decoded. */
  readonly inPath: ReadonlyMap<string, string>
  /** Undefined: no body, or not JSON. */
  readonly requestBody: unknown
  readonly replyBody: unknown
  /** The fields of the request's body. */
  readonly sent: Fields
  /** Those of `data` in the reply's body. */
  readonly data: Fields
  /** The record of a payment or refund in a look-up or a callback; empty when there is none. */
  readonly record: Fields
  /** Gateways of our own, which start over and draw their ids from one seed, differ in it. */
  readonly host: string
  /** The public key of the request. */
  readonly merchant: string
  /** The reply of an earlier request under the same Idempotency-Key. */
  readonly isReplay: boolean
  /** In milliseconds; what was recorded without its beginning is a moment. */
  readonly began: number
  readonly ended: number
}

/** A breach. `rule` is the same for the same defect, whichever exchange shows it. */
export interface Fault {
  readonly rule: string
  readonly what: string
  /** What a finding names as broken; absent: the requested operation. */
  readonly about?: string
  /** An earlier exchange that shows it; absent: the one that is judged. */
  readonly seen?: ObservedExchange
}

/** Checks one exchange against one rule. */
export type Judge = (seen: ObservedExchange) => readonly Fault[]

/** One fault, or none. */
export const faultIf = (isWrong: boolean, rule: string, what: string, about?: string): readonly Fault[] =>
  isWrong ? [{ rule, what, ...(about !== undefined && { about }) }] : []

const NOTHING: ReadonlyMap<string, string> = new Map()
const LOOKUPS = new Set(['verifyTransaction', 'retrieveRefund'])

/** Parses exchanges for the rules; fast, because a nightly run has hundreds of thousands. */
export function createReader({ operations }: Contract): (exchange: Exchange, direction: Direction) => ObservedExchange {
  const requested = operations.filter(({ kind }) => kind === 'operation')
  return (recorded, direction) => {
    const exchange = decoded(recorded)
    const { request, reply, startedAt, at } = exchange
    const [path = '', ...query] = request.path.split('?')
    const operation =
      direction === 'asked'
        ? requested.find((each) => each.method === request.method && pathValues(each.path, path) !== undefined)
        : undefined
    const requestBody = jsonBody(request.body)
    const replyBody = isJson(exchange) ? jsonBody(reply.body) : undefined
    const [sent, data] = [fieldsOf(requestBody), fieldsOf(fieldsOf(replyBody).data)]
    const lookup = LOOKUPS.has(operation?.id ?? '') && reply.status === 200 ? data : {}
    return {
      exchange,
      direction,
      path,
      query: query.join('?'),
      operation,
      response: operation && responseFor(operation, reply.status),
      inPath: (operation && pathValues(operation.path, path)) ?? NOTHING,
      requestBody,
      replyBody,
      sent,
      data,
      record: direction === 'received' ? fieldsOf(sent.payload) : lookup,
      host: request.headers.host?.[0] ?? '',
      merchant: request.headers['public-key']?.[0] ?? '',
      isReplay: onlyHeader(reply.headers, 'idempotency-replayed') === 'true',
      began: (startedAt ?? at).getTime(),
      ended: at.getTime(),
    }
  }
}

const isJson = ({ reply: { headers } }: Exchange): boolean =>
  headers['content-type']?.[0]?.startsWith('application/json') === true

/** The only value of a header; undefined when there is none, or more than one. */
export const onlyHeader = (headers: Exchange['reply']['headers'], name: string): string | undefined =>
  headers[name]?.length === 1 ? headers[name][0] : undefined
