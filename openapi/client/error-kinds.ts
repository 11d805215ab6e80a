import type { Operation } from './contract.ts'

/** What a status is to whoever calls, unless the operation says otherwise. */
const KINDS: Readonly<Record<string, string>> = {
  400: 'validation',
  401: 'authentication',
  404: 'not_found',
  409: 'conflict',
  413: 'validation',
  415: 'validation',
  429: 'rate_limit',
  500: 'server',
  503: 'server',
}

/** Each status of an operation that is no success, with the kind of `MalipoError` that it is. */
export const errorKinds = ({ responses, 'x-client': notes }: Operation): readonly [status: string, kind: string][] =>
  Object.keys(responses)
    .filter((status) => !status.startsWith('2'))
    .map((status) => [status, kindOf(status, notes.errors)])

/** @throws when nobody has said what this status means */
function kindOf(status: string, ownKinds: Readonly<Record<string, string>> = {}): string {
  const kind = ownKinds[status] ?? KINDS[status]
  if (kind === undefined) throw new Error(`which kind of error is HTTP ${status}? Say it in ${import.meta.filename}`)
  return kind
}
