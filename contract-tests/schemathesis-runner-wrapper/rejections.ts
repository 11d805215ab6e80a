import { declaredFields } from './declared-fields.ts'
import type { OpenApiDocument } from './openapi.ts'
import { fieldsOf, refusedField, type RefusedField, type RequestAt } from './refused-field.ts'
import type { Reproduction } from './reproduction.ts'
import type { Failure } from './types.ts'

/** A reply that refuses a request which fits the contract. */
export interface Rejection {
  /** `POST /things`. */
  readonly operation: string
  readonly request: RequestAt
  readonly status: number
  readonly reply: string
  /** Further lines for people. */
  readonly remarks?: string
  readonly shown: () => Reproduction
}

const CHECK = 'positive_data_acceptance'
/** Of one operation; all others repeat what these say. */
const REJECTIONS_MAX = 500

/**
 * Collects rejections of valid requests during a run; what sets them apart is known only at its end.
 * @param contract absent: only fields that a request has can be named
 */
export function createRejections(contract?: OpenApiDocument) {
  const rejected = new Map<string, Rejection[]>()
  const accepted = new Map<string, Set<string>>()
  return {
    add(rejection: Rejection): void {
      const all = rejected.get(rejection.operation) ?? []
      if (all.length < REJECTIONS_MAX) all.push(rejection)
      rejected.set(rejection.operation, all)
    },
    /** A request of this operation was accepted. */
    accept(operation: string, request: RequestAt): void {
      const names = accepted.get(operation) ?? new Set()
      for (const { name } of fieldsOf(request)) names.add(name)
      accepted.set(operation, names)
    },
    /** One failure for each operation, status and refused field. */
    failures: (): Failure[] =>
      [...rejected].flatMap(([operation, all]) => {
        const declared = contract ? declaredFields(contract, operation) : []
        const causes = new Map<string, Failure>()
        for (const rejection of all) {
          const field = refusedField(rejection.request, rejection.reply, declared)
          const [only] = field ? [] : onlyRefused(rejection, accepted.get(operation))
          const cause = `${rejection.status} ${field?.name ?? only ?? ''}`
          if (!causes.has(cause)) causes.set(cause, failureOf(rejection, field, only))
        }
        return [...causes.values()]
      }),
  }
}

/** The one field that no accepted request had. */
function onlyRefused({ request }: Rejection, accepted: ReadonlySet<string> | undefined): string[] {
  const names = accepted ? fieldsOf(request).filter(({ name }) => !accepted.has(name)) : []
  return names.length === 1 ? names.map(({ name }) => name) : []
}

const REPLY_LENGTH_MAX = 800

function failureOf(
  { operation, status, reply, remarks, shown }: Rejection,
  field: RefusedField | undefined,
  only: string | undefined,
): Failure {
  const name = field?.name ?? only
  const text = reply.length > REPLY_LENGTH_MAX ? `${reply.slice(0, REPLY_LENGTH_MAX)}…` : reply
  return {
    operation,
    check: CHECK,
    title: `Schema-valid request rejected${name === undefined ? '' : `: ${name}`}`,
    message: [`${reasonOf(field, only)}. The reply was ${status}: ${text}`, ...(remarks ? [remarks] : [])].join('\n'),
    ...(name !== undefined && { field: name }),
    ...shown(),
  }
}

function reasonOf(field: RefusedField | undefined, only: string | undefined): string {
  if (field?.value !== undefined) return `The contract allows ${field.value} for ${field.name}`
  if (field) return `The contract allows a request without ${field.name}`
  if (only !== undefined) return `The contract allows ${only}, and no request that has it was accepted`
  return 'The contract allows this request, and the reply names none of its fields'
}
