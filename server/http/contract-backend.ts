// Does not use the validators of openapi/reading: openapi-backend compiles the parts of each request with an Ajv that
// it creates itself.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  OpenAPIBackend,
  type Operation,
  type Options,
  type ParsedRequest,
  type Request,
  type ValidationResult,
} from 'openapi-backend'
import { present } from '../domain/present.ts'
import { readContract } from './contract.ts'
import { isOfSchema } from './fault-message.ts'
import { ContractRouter, nameOf } from './router.ts'

interface CompiledContract {
  readonly routes: ContractRouter
  readonly validator: OpenAPIBackend['validator']
}

/**
 * The contract as compiled by the first backend of the process: it never changes, and nothing in it depends on a
 * server.
 */
let compiled: CompiledContract | undefined

/**
 * openapi-backend, made to fail closed on a 3.1 contract. All instances of a process share the compiled contract: a
 * second server in the process starts half a second faster, and tests have hundreds.
 */
export class ContractBackend extends OpenAPIBackend {
  #routes: ContractRouter | undefined

  constructor(handlers: Pick<Options, 'handlers' | 'securityHandlers'>) {
    super({
      definition: readContract(),
      strict: true,
      quick: true,
      // 3.1 schemas are JSON Schema 2020-12. All errors are collected, because the message names the first in our
      // order, not in Ajv's.
      customizeAjv: (_draft07, options) =>
        addFormats.default(
          new Ajv2020({
            ...options,
            strict: false,
            validateSchema: false,
            allErrors: true,
            verbose: true,
            discriminator: true,
          }),
        ),
      ...handlers,
    })
  }

  /** Available once `init` has read the contract. */
  get routes(): ContractRouter {
    return present(this.#routes, 'the routes of the contract')
  }

  // The built-in check supports OpenAPI 3.0 only and rejects 3.1 keywords; `npm run lint` checks the contract instead.
  override validateDefinition() {
    return this.document
  }

  // Quick mode compiles the schemas of an operation on its first call, in some 15 ms: compiling all of them would delay
  // the start by a quarter of a second. Reply schemas are compiled only where replies are checked.
  override async init(): Promise<this> {
    await super.init()
    compiled ??= compile(this)
    this.router = this.#routes = compiled.routes
    this.validator = compiled.validator
    return this
  }
}

function compile({ definition, validator }: OpenAPIBackend): CompiledContract {
  const routes = new ContractRouter({ definition })
  validator.router = routes
  validator.validateRequest = (request, operation) => validateParsed({ routes, validator }, request, operation)
  return { routes, validator }
}

/**
 * Uses the same compiled validators; the original parses the request again and walks over it with lodash (65 → 50 µs
 * for a lookup).
 */
function validateParsed(
  { routes, validator }: CompiledContract,
  request: Request,
  operation: Parameters<OpenAPIBackend['validator']['validateRequest']>[1],
): ValidationResult<Request> {
  const parsed: ParsedRequest<unknown, unknown, unknown, unknown> = routes.parseRequest(request, operation as Operation)
  const parts = {
    path: parsed.params,
    query: parsed.query,
    header: parsed.headers,
    cookie: {},
    ...(parsed.requestBody !== undefined && { requestBody: parsed.requestBody }),
  }
  const errors = (validator.getRequestValidatorsForOperation(nameOf(operation as Operation)) ?? [])
    .flatMap((validate) => (validate(parts) ? [] : (validate.errors ?? [])))
    .filter(isOfSchema)
  return { valid: errors.length === 0, errors: errors.length === 0 ? null : errors, coerced: request }
}
