import type { Operation } from '../../../openapi/reading/contract.ts'
import { wireRequest, type WireRequest } from '../../harness/proxy.ts'

/** One request and what the contract says about its reply. */
export interface DeclaredCase {
  readonly operation: Operation
  /** What is special about it: `a request without public-key`. */
  readonly rule: string
  readonly request: WireRequest
  readonly expect: Expectation
}

export interface Expectation {
  /** Any of these. */
  readonly statuses: readonly number[]
  /** Also right: refused with a message that an example of this operation shows, for a rule of the business. */
  readonly orAsShown?: true
  /** Methods that `Allow` names. */
  readonly allow?: readonly string[]
  /** The rule whose breach shows here too: one wrong thing, one finding. */
  readonly sameAs?: string
  /** The lists under `data` have nothing in them. */
  readonly empty?: true
  /** Whether the reply says that it is an earlier one; absent: either will do. */
  readonly replayed?: boolean
}

/** A request before it is bytes. */
export interface Draft {
  readonly parameters: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
  /** Undefined: none. */
  readonly body?: unknown
}

/** @param more headers on top, or instead; undefined takes one away */
export function toRequest(
  { method, path, parameters }: Operation,
  draft: Draft,
  more: Readonly<Record<string, string | undefined>> = {},
): WireRequest {
  const of = (where: string) =>
    parameters.flatMap(({ in: place, name }): [string, string][] => {
      const value = draft.parameters[name]
      return place === where && value !== undefined ? [[name, value]] : []
    })
  const query = of('query')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const headers = {
    ...(draft.body !== undefined && { 'content-type': 'application/json' }),
    ...draft.keys,
    ...Object.fromEntries(of('header')),
    ...more,
  }
  const at = of('path').reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path)
  return wireRequest(method, query === '' ? at : `${at}?${query}`, headers, draft.body)
}
