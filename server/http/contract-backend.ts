// Not the validators of openapi/reading: openapi-backend compiles each request's parts with an Ajv that it makes itself.
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

interface Compiled {
  readonly routes: ContractRouter
  readonly validator: OpenAPIBackend['validator']
}

/** The contract as the first backend of the process compiled it: it never changes, and nothing in it is of one server. */
let compiled: Compiled | undefined

/**
 * openapi-backend made to fail closed on a 3.1 contract. Those of one process share what they compiled of it: a second
 * server in it, as tests have hundreds, starts half a second sooner.
 */
export class ContractBackend extends OpenAPIBackend {
  #routes: ContractRouter | undefined

  constructor(handlers: Pick<Options, 'handlers' | 'securityHandlers'>) {
    super({
      definition: readContract(),
      strict: true,
      quick: true,
      // 3.1 schemas are JSON Schema 2020-12; all errors are wanted, because the message names the first by our order,
      // not Ajv's.
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

  /** Known once `init` has read the contract. */
  get routes(): ContractRouter {
    return present(this.#routes, 'the routes of the contract')
  }

  // Its built-in check knows OpenAPI 3.0 only and refuses 3.1 keywords; `npm run lint` checks the contract instead.
  override validateDefinition() {
    return this.document
  }

  // Quick mode compiles the schemas of an operation when it is called for the first time, some 15 ms: all at once would
  // keep a start waiting for a quarter of a second. Reply schemas are compiled only where replies are checked.
  override async init(): Promise<this> {
    await super.init()
    compiled ??= compile(this)
    this.router = this.#routes = compiled.routes
    this.validator = compiled.validator
    return this
  }
}

function compile({ definition, validator }: OpenAPIBackend): Compiled {
  const routes = new ContractRouter({ definition })
  validator.router = routes
  validator.validateRequest = (request, operation) => validateParsed({ routes, validator }, request, operation)
  return { routes, validator }
}

/**
 * The same compiled validators; the original parses the request once more and walks over it with lodash (65 → 50 µs for
 * a lookup).
 */
function validateParsed(
  { routes, validator }: Compiled,
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
