import type { Operation } from '../../../openapi/reading/contract.ts'
import { wireRequest, type WireRequest } from '../../harness/proxy.ts'

/** One request and the replies that the contract allows. */
export interface DeclaredCase {
  readonly operation: Operation
  /** What is special about it: `a request without public-key`. */
  readonly rule: string
  readonly request: WireRequest
  readonly expect: Expectation
}

export interface Expectation {
  /** Any of these statuses. */
  readonly statuses: readonly number[]
  /** Also allowed: a refusal by a business rule, with a message from an example of this operation. */
  readonly orAsShown?: true
  /** Methods in `Allow`. */
  readonly allow?: readonly string[]
  /** The rule whose breach also shows here: one defect, one finding. */
  readonly sameAs?: string
  /** The lists under `data` are empty. */
  readonly empty?: true
  /** Whether the reply is marked as a replay; absent: either is fine. */
  readonly replayed?: boolean
}

/** A request before serialization. */
export interface Draft {
  readonly parameters: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
  /** Undefined: no body. */
  readonly body?: unknown
}

/** @param more headers to add or replace; undefined removes one */
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
