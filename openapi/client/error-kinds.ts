import type { Operation, Response } from '../reading/operations.ts'

/** The error kind of a status, unless the operation declares another. */
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
 * Each error response of an operation, with its kind of `MalipoError`.
 *
 * @throws when no kind is declared for its status
 */
export const errorKinds = ({ responses, client }: Operation): readonly (Response & { readonly kind: string })[] =>
  responses
    .filter(({ status }) => !status.startsWith('2'))
    .map((response) => {
      const { status } = response
      const kind = client?.errors?.[status] ?? KINDS[status]
      if (kind === undefined) throw new Error(`HTTP ${status} has no error kind: add it in ${import.meta.filename}`)
      return { ...response, kind }
    })
