import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { OpenAPIBackend, type Context, type Document } from 'openapi-backend'
import type { OpenApiDocument } from '../../../reading/document.ts'
import { isObject } from '../../../reading/json.ts'
import { operationsOf } from '../../../reading/operations.ts'
import type { Call, OpenOperator, Operator, Problem, OperatorReply } from '../operator.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A request as received, its body parsed where possible. */
export interface ContractRequest {
  readonly method: string
  /** Without the query, still percent-encoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string | string[]>>
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** As it came. */
  readonly text?: string
}

/** The handler of a call, with its context besides the request. */
interface AboutCall extends Pick<Call, 'msisdn' | 'quirk' | 'accept' | 'text'> {
  readonly operator: Pick<Operator, 'problem'>
  readonly open: Pick<OpenOperator, 'handlers' | 'credentials'>
}

/** The reply, and for the log the reason of a refusal. */
interface ContractReply {
  readonly reply: OperatorReply
  readonly refused?: string
}

/**
 * Routes the operator's calls by its contract: a request that does not fit is refused in the operator's own form, and
 * none without valid credentials reaches a handler. Stateless: one serves any number of worlds.
 */
export class OperatorBackend extends OpenAPIBackend {
  constructor(document: object) {
    super({
      definition: document as Document,
      strict: true,
      quick: true,
      // Whether the operator treats `/token` like `/token/` is unknown; the contract has one of them.
      ignoreTrailingSlashes: false,
      // 3.1 schemas are JSON Schema 2020-12, which openapi-backend's own Ajv does not read.
      customizeAjv: (_draft07, options) =>
        addFormats.default(new Ajv2020({ ...options, strict: false, allErrors: true })),
      handlers: {
        ...Object.fromEntries(operationIdsIn(document).map((id) => [id, handlerOf(id)])),
        notFound: (_context: Context, about: AboutCall) => refuse(about, { problem: 'no_such_path' }),
        methodNotAllowed: (_context: Context, about: AboutCall) => refuse(about, { problem: 'wrong_method' }),
        unauthorizedHandler: ({ operation, security }: Context, about: AboutCall) =>
          refuse(about, {
            problem: 'unauthorized',
            operation: String(operation.operationId),
            scheme:
              Object.entries(security ?? {}).find(([name, good]) => name !== 'authorized' && good !== true)?.[0] ?? '',
          }),
        validationFail: ({ operation, validation }: Context, about: AboutCall) =>
          refuse(about, { problem: 'invalid', operation: String(operation.operationId), fault: faultOf(validation) }),
      },
      securityHandlers: Object.fromEntries(
        schemesIn(document).map((scheme) => [
          scheme,
          ({ request, operation }: Context, { open }: AboutCall) =>
            open.credentials[scheme]?.(request.headers as Record<string, string>, String(operation.operationId)) ??
            false,
        ]),
      ),
    })
  }

  // Its built-in check knows OpenAPI 3.0 only and refuses 3.1 keywords; `npm run lint` checks the contract instead.
  override validateDefinition() {
    return this.document
  }

  /** The `operationId` of a request, whatever else is wrong with it. */
  operationOf({
    method,
    path,
  }: Pick<ContractRequest, 'method' | 'path'>): { id: string; params: Record<string, string> } | undefined {
    const request = { method, path, headers: {} }
    const operation = this.router.matchOperation(request)
    if (operation?.operationId === undefined) return undefined
    const parsed = this.router.parseRequest(request, operation)
    return { id: operation.operationId, params: parsed.params as Record<string, string> }
  }

  /** @throws Error when a handler does */
  async answer({ method, path, query, headers, body }: ContractRequest, about: AboutCall): Promise<ContractReply> {
    const request = { method, path, query: { ...query }, headers: { ...headers }, body }
    const answered = (await this.handleRequest(request, about)) as ContractReply
    if (answered.reply.status !== 405) return answered
    return { ...answered, reply: { ...answered.reply, allow: this.methodsOf(path) } }
  }

  private methodsOf(path: string): readonly string[] {
    return METHODS.filter((method) => this.operationOf({ method, path }) !== undefined)
  }
}

const refuse = ({ operator }: AboutCall, problem: Problem): ContractReply => ({
  reply: operator.problem(problem),
  refused: wordsOf(problem),
})

const handlerOf =
  (id: string) =>
  async ({ request }: Context, { open, msisdn, quirk, accept, text }: AboutCall): Promise<ContractReply> => {
    const handle = open.handlers[id]
    if (!handle) throw new Error(`there is no handler for ${id}`)
    return {
      // The body was validated against the schema of this operation before.
      reply: await (handle as (call: Call) => OperatorReply | Promise<OperatorReply>)({
        operation: id,
        params: request.params as Record<string, string>,
        query: request.query as Record<string, string>,
        headers: request.headers as Record<string, string>,
        body: request.requestBody as unknown,
        ...(text !== undefined && { text }),
        msisdn,
        quirk,
        accept,
      }),
    }
  }

const operationIdsIn = (document: object): readonly string[] =>
  operationsOf(document as OpenApiDocument)
    .filter(({ kind }) => kind === 'operation')
    .map(({ id }) => id)

function schemesIn(document: object): readonly string[] {
  const { components } = document as { readonly components?: unknown }
  const schemes = isObject(components) ? components['securitySchemes'] : undefined
  return isObject(schemes) ? Object.keys(schemes) : []
}

function wordsOf(problem: Problem): string {
  if (problem.problem === 'invalid') return `does not fit the contract: ${problem.fault}`
  if (problem.problem === 'unauthorized') return `the credentials are not valid: ${problem.scheme}`
  return problem.problem.replaceAll('_', ' ')
}

/** `header x-reference-id must match pattern …`: the location in the request, then Ajv's message. */
function faultOf(validation: Context['validation']): string {
  const errors = validation.errors ?? []
  return errors
    .map(({ instancePath, message }) => `${instancePath.slice(1).replace('/', ' ')} ${message ?? ''}`.trim())
    .join('; ')
}
