import type { Operation, Response } from '../reading/operations.ts'

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

/**
 * Each response of an operation that is no success, with the kind of `MalipoError` that it is.
 *
 * @throws when nobody has said what its status means
 */
export const errorKinds = ({ responses, client }: Operation): readonly (Response & { readonly kind: string })[] =>
  responses
    .filter(({ status }) => !status.startsWith('2'))
    .map((response) => {
      const { status } = response
      const kind = client?.errors?.[status] ?? KINDS[status]
      if (kind === undefined)
        throw new Error(`which kind of error is HTTP ${status}? Say it in ${import.meta.filename}`)
      return { ...response, kind }
    })
