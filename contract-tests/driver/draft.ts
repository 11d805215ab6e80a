import type { Operation, Parameter } from '../../openapi/reading/contract.ts'
import { isJsonType } from '../../openapi/reading/json.ts'
import { wireRequest, type WireRequest } from '../harness/proxy.ts'
import type { ContractTarget } from './contract-target.ts'

/** A request before serialization. */
export interface Draft {
  /** Texts by place and name: `header X-Reference-Id`. Every required parameter, and those that have values. */
  readonly parameters: Readonly<Record<string, string>>
  /** Names of the security schemes whose credentials are sent. */
  readonly schemes: readonly string[]
  /** Undefined: no body. Bytes are sent unchanged. */
  readonly body?: unknown
  readonly mediaType?: string
}

/** The place and the name of a parameter, as a draft has them. */
export const at = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string => `${place} ${name}`

/** @param credentials the credential of each security scheme, by its name */
export function toRequest(
  target: Pick<ContractTarget, 'credentials' | 'headers'>,
  { method, path, parameters }: Operation,
  draft: Draft,
  credentials: Readonly<Record<string, string>>,
): WireRequest {
  const of = (where: string): [string, string][] =>
    parameters.flatMap((parameter) => {
      const text = draft.parameters[at(parameter)]
      return parameter.in === where && text !== undefined ? [[parameter.name, text]] : []
    })
  const shown = (where: string): [string, string][] =>
    draft.schemes.flatMap((name) => {
      const [credential, text] = [target.credentials[name], credentials[name]]
      return credential?.in === where && text !== undefined ? [[credential.field, text]] : []
    })
  const query = [...of('query'), ...shown('query')]
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join('&')
  const cookies = [...of('cookie'), ...shown('cookie')].map(([name, text]) => `${name}=${text}`).join('; ')
  const declared = new Set(parameters.map(({ name }) => name.toLowerCase()))
  const headers = {
    // Declared headers come from the draft only, so that a case can omit them.
    ...Object.fromEntries(Object.entries(target.headers).filter(([name]) => !declared.has(name))),
    ...(draft.body !== undefined && draft.mediaType !== undefined && { 'content-type': draft.mediaType }),
    ...(cookies !== '' && { cookie: cookies }),
    ...Object.fromEntries([...of('header'), ...shown('header')].map(([name, text]) => [name.toLowerCase(), text])),
  }
  const place = of('path').reduce((whole, [name, text]) => whole.replace(`{${name}}`, encodeURIComponent(text)), path)
  // An empty body is announced too: some servers require it (RFC 9110, section 8.6).
  const length = draft.body === undefined && ['POST', 'PUT', 'PATCH'].includes(method) && { 'content-length': '0' }
  return wireRequest(method, query === '' ? place : `${place}?${query}`, { ...length, ...headers }, bytesOf(draft))
}

/** JSON as JSON, and a text of another media type unchanged. */
function bytesOf({ body, mediaType = '' }: Draft): unknown {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return isJsonType(mediaType) || typeof body !== 'string' ? Buffer.from(JSON.stringify(body)) : body
}
