import type { Contract } from '../../openapi/reading/contract.ts'
import { jsonOf, pathValues } from '../../openapi/reading/wire.ts'
import type { Direction } from '../harness/coverage/exchange.ts'
import { fieldsOf } from '../harness/json.ts'
import type { WireRequest } from '../harness/proxy.ts'
import type { HarExchange } from './har.ts'

/** Pages that customers open; they belong to no operation. */
const PAGES = /\/(?:pay\/collection\/MLP[0-9A-Z]{22}|\.well-known\/malipo-rsa)/

/** An exchange with the server or its message, with a path as the contract writes it. */
export interface SortedExchange extends HarExchange {
  readonly direction: Direction
}

/**
 * Tells requests to the server from its messages and from everything else in a recording: other hosts, scripts and
 * pictures of a shop. Messages are known by what only they carry, since they arrive at addresses of the merchant.
 * @param url the server's address; absent: whatever stands before the paths of the contract
 */
export function sortExchanges(
  recorded: readonly HarExchange[],
  contract: Contract,
  url?: string,
): { readonly sorted: readonly SortedExchange[]; readonly others: number } {
  const isMessage = messageTest(contract)
  const bases = url === undefined ? basesIn(recorded, contract) : [url]
  const sorted = recorded.flatMap((each): readonly SortedExchange[] => {
    if (isMessage(each.exchange.request)) return [{ ...each, direction: 'received' }]
    const address = each.origin + each.exchange.request.path
    const base = bases.find((start) => address === start || address.startsWith(`${start}/`))
    if (base === undefined) return []
    const request = { ...each.exchange.request, path: address.slice(base.length) }
    return [{ ...each, direction: 'asked', exchange: { ...each.exchange, request } }]
  })
  return {
    sorted: sorted.toSorted((one, other) => one.exchange.at.getTime() - other.exchange.at.getTime()),
    others: recorded.length - sorted.length,
  }
}

/** Addresses that stand before a path of an operation or of a page: `https://gateway.example/api`; longest first. */
function basesIn(recorded: readonly HarExchange[], { operations }: Contract): readonly string[] {
  const requested = operations.filter(({ kind }) => kind === 'operation')
  const bases = recorded.flatMap(({ origin, exchange: { request } }) => {
    const [path = ''] = request.path.split('?')
    const page = PAGES.exec(path)
    if (page) return [origin + path.slice(0, page.index)]
    const start = suffixesOf(path).find((suffix) =>
      requested.some((each) => each.path.split('/')[1] === suffix.split('/')[1] && pathValues(each.path, suffix)),
    )
    return start === undefined ? [] : [origin + path.slice(0, path.length - start.length)]
  })
  return [...new Set(bases)].toSorted((one, other) => other.length - one.length)
}

/** `/api/data/x`, `/data/x`, `/x`. */
const suffixesOf = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(index)).filter((suffix) => suffix.length > 1)

/** Headers that only messages declare, the signatures of a redirect, and the form of a callback. */
function messageTest({ operations }: Contract): (request: WireRequest) => boolean {
  const headersOf = (kind: string): Set<string> =>
    new Set(
      operations
        .filter((each) => each.kind === kind)
        .flatMap(({ parameters }) => parameters)
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name.toLowerCase()),
    )
  const ofOperations = headersOf('operation')
  const own = [...headersOf('message')].filter((name) => !ofOperations.has(name))
  return ({ method, path, headers, body }) => {
    if (own.some((name) => headers[name] !== undefined)) return true
    const query = new URLSearchParams(path.split('?').slice(1).join('?'))
    if (method === 'GET') return query.has('hmac_signature') || query.has('rsa_signature')
    const { event, payload } = fieldsOf(method === 'POST' ? jsonOf(body) : undefined)
    return typeof event === 'string' && payload !== undefined
  }
}
