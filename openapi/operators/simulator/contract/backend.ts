import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { OpenAPIBackend, type Context, type Document } from 'openapi-backend'
import type { AnyHandlers, Call, OpenOperator, Operator, Problem, Reply } from '../operator.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A request as it came, its body read as far as that is possible. */
export interface Asked {
  readonly method: string
  /** Without the query, still percent-encoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a call has beside what the request says. */
export type AboutCall = Pick<Call, 'msisdn' | 'quirk' | 'accept'>

/** What comes of it, and for the log why it was refused. */
export interface Answered {
  readonly reply: Reply
  readonly refused?: string
}

/**
 * The operator's calls as its contract has them: what does not fit is refused in the operator's own form, and no
 * request without good credentials reaches a handler.
 */
export class OperatorBackend extends OpenAPIBackend {
  constructor(operator: Operator, open: OpenOperator) {
    const refuse = (problem: Problem): Answered => ({ reply: operator.problem(problem), refused: wordsOf(problem) })
    super({
      definition: operator.document as Document,
      strict: true,
      quick: true,
      // Whether `/token` is `/token/` at the operator nobody knows; the contract has one of them.
      ignoreTrailingSlashes: false,
      // 3.1 schemas are JSON Schema 2020-12, which openapi-backend's own Ajv does not read.
      customizeAjv: (_draft07, options) =>
        addFormats.default(new Ajv2020({ ...options, strict: false, allErrors: true })),
      handlers: {
        ...operations(open.handlers),
        notFound: () => refuse({ problem: 'no_such_path' }),
        methodNotAllowed: () => refuse({ problem: 'wrong_method' }),
        notImplemented: ({ operation }: Context) => {
          throw new Error(`${operator.name} has no handler for ${String(operation.operationId)}`)
        },
        unauthorizedHandler: ({ operation, security }: Context) =>
          refuse({
            problem: 'unauthorized',
            operation: String(operation.operationId),
            scheme:
              Object.entries(security ?? {}).find(([name, good]) => name !== 'authorized' && good !== true)?.[0] ?? '',
          }),
        validationFail: ({ operation, validation }: Context) =>
          refuse({ problem: 'invalid', operation: String(operation.operationId), fault: faultOf(validation) }),
      },
      securityHandlers: Object.fromEntries(
        Object.entries(open.credentials).map(([scheme, isGood]) => [
          scheme,
          ({ request, operation }: Context) =>
            isGood(request.headers as Record<string, string>, String(operation.operationId)),
        ]),
      ),
    })
  }

  // Its built-in check knows OpenAPI 3.0 only and refuses 3.1 keywords; `npm run lint` checks the contract instead.
  override validateDefinition() {
    return this.document
  }

  /** The `operationId` that a request is for, whatever else is wrong with it. */
  operationOf({
    method,
    path,
  }: Pick<Asked, 'method' | 'path'>): { id: string; params: Record<string, string> } | undefined {
    const request = { method, path, headers: {} }
    const operation = this.router.matchOperation(request)
    if (operation?.operationId === undefined) return undefined
    const parsed = this.router.parseRequest(request, operation)
    return { id: operation.operationId, params: parsed.params as Record<string, string> }
  }

  /** @throws Error when a handler does */
  async answer({ method, path, query, headers, body }: Asked, about: AboutCall): Promise<Answered> {
    const request = { method, path, query: { ...query }, headers: { ...headers }, body }
    const answered = (await this.handleRequest(request, about)) as Answered
    if (answered.reply.status !== 405) return answered
    return { ...answered, reply: { ...answered.reply, allow: this.methodsOf(path) } }
  }

  private methodsOf(path: string): readonly string[] {
    return METHODS.filter((method) => this.operationOf({ method, path }) !== undefined)
  }
}

const operations = (handlers: AnyHandlers) =>
  Object.fromEntries(
    Object.entries(handlers).map(([id, handle]) => [
      id,
      async ({ request }: Context, about: AboutCall): Promise<Answered> => ({
        // The body fits the schema of this operation: that is what the contract was asked about before.
        reply: await (handle as (call: Call) => Reply | Promise<Reply>)({
          operation: id,
          params: request.params as Record<string, string>,
          query: request.query as Record<string, string>,
          headers: request.headers as Record<string, string>,
          body: request.requestBody as unknown,
          ...about,
        }),
      }),
    ]),
  )

function wordsOf(problem: Problem): string {
  if (problem.problem === 'invalid') return `does not fit the contract: ${problem.fault}`
  if (problem.problem === 'unauthorized') return `the credentials are not good: ${problem.scheme}`
  return problem.problem.replaceAll('_', ' ')
}

/** `header x-reference-id must match pattern …`: the place is the request's, in Ajv's words. */
function faultOf(validation: Context['validation']): string {
  const errors = validation.errors ?? []
  return errors
    .map(({ instancePath, message }) => `${instancePath.slice(1).replace('/', ' ')} ${message ?? ''}`.trim())
    .join('; ')
}
