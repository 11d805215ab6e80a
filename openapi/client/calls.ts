import type { OpenApiDocument } from '../reading/document.ts'
import { callsOf, capitalized, typesNamedIn, type Call } from './calls-of-contract.ts'
import { commentOf } from './call-comment.ts'
import { chosenOf } from './chosen-types.ts'
import { errorKinds } from './error-kinds.ts'

/** Writes the module of calls: their documented types, how each is sent, and the metadata of each operation. */
export function callsModule(document: OpenApiDocument): string {
  const calls = callsOf(document)
  const groups = Object.entries(Object.groupBy(calls, ({ group }) => group)).map(([name, members = []]): Group => ({
    name,
    type: `${capitalized(name)}Calls`,
    members,
  }))
  const types = new Set(calls.flatMap(typesNamedIn))
  return `// Written by \`npm run generate\` from openapi/paths/.
import type { Caller, CallRule } from '../client/caller.ts'
import type { CallOptions, PostOptions } from '../client/options.ts'
import type {
${lines([...types].toSorted(), (name) => `  ${name},`)}
} from './schema.d.ts'

${calls.flatMap((call) => chosenOf(document, call)?.declarations ?? []).join('\n')}
${lines(groups, (group) => interfaceOf(document, group))}
/** The operations of the contract. */
export interface Calls {
${lines(groups, ({ name, type }) => `  readonly ${name}: ${type}`)}
}

/** Sends each operation as the contract has it. */
export function createCalls({ http, sending, sendingOnce, result }: Caller): Calls {
${lines(calls, (call) => functionOf(document, call))}
  return {
${lines(groups, memberOf)}
  }
}

/** By method and path: whether the secret key goes along, and the kind of error that each status is. */
export const callRules: Readonly<Record<string, CallRule>> = {
${lines(calls, ruleOf)}
}
`
}

/** Calls that share the part before the dot. */
interface Group {
  readonly name: string
  readonly type: string
  readonly members: readonly Call[]
}

const lines = <Item>(items: readonly Item[], lineOf: (item: Item) => string): string => items.map(lineOf).join('\n')

const interfaceOf = (document: OpenApiDocument, { type, members }: Group): string => `export interface ${type} {
${lines(members, (call) => `${commentOf(call)}\n  ${call.verb}${signatureOf(document, call)}`)}
}
`

const memberOf = ({ name, members }: Group): string =>
  `    ${name}: { ${members.map(({ verb, operation }) => `${verb}: ${operation.id}`).join(', ')} },`

/** As callers see it: with discriminating fields, its types depend on their values. */
function signatureOf(document: OpenApiDocument, call: Call): string {
  const chosen = chosenOf(document, call)
  return chosen ? chosen.parameters + signature(call, chosen.request, chosen.result) : plainSignature(call)
}

const plainSignature = (call: Call): string => signature(call, call.request, call.result)

function signature({ pathParameters, query, happensOnce }: Call, request: string | undefined, result: string): string {
  const parameters = [
    ...pathParameters.map(({ argument }) => `${argument}: string`),
    ...(request === undefined ? [] : [`request: ${request}`]),
    ...(query ? [`query${query.isOptional ? '?' : ''}: ${query.name}`] : []),
    `options?: ${happensOnce ? 'PostOptions' : 'CallOptions'}`,
  ]
  return `(${parameters.join(', ')}): Promise<${result}>`
}

function functionOf(document: OpenApiDocument, call: Call): string {
  const { operation, pathParameters, query, request, happensOnce, notes } = call
  const { id, method, path } = operation
  const implementation = plainSignature(call).replace(`query?: ${query?.name}`, `query: ${query?.name} = {}`)
  const places = [
    ...(query ? ['query'] : []),
    ...(pathParameters.length > 0
      ? [`path: { ${pathParameters.map(({ name, argument }) => `${name}: ${argument}`).join(', ')} }`]
      : []),
  ]
  const init = [
    ...(places.length > 0 ? [`params: { ${places.join(', ')} }`] : []),
    ...(request === undefined ? [] : ['body: request']),
    `...${happensOnce ? 'sendingOnce' : 'sending'}(options)`,
  ]
  const head = [
    ...(notes.choices ? [`function ${id}${signatureOf(document, call)}`] : []),
    `async function ${id}${implementation} {`,
  ]
  return `${lines(head, (line) => `  ${line}`)}
    const reply = http.${method}('${path}', { ${init.join(', ')} })
    return result(reply, (data) => data${notes.result === undefined ? '' : `.${notes.result}`})
  }
`
}

function ruleOf({ operation, needsSecretKey }: Call): string {
  // 429 and 5xx mean the same for every operation: the client knows them without its table.
  const kinds = errorKinds(operation)
    .filter(({ status }) => status < '429')
    .map(({ status, kind }) => `${status}: '${kind}'`)
  return `  '${operation.method} ${operation.path}': { needsSecretKey: ${JSON.stringify(needsSecretKey).replaceAll('"', "'")}, kinds: { ${kinds.join(', ')} } },`
}
