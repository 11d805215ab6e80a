import { isObject } from '../reading/json.ts'
import type { Contract, Parameter, PlacedOperation } from './contract.ts'
import { keyHeadersOf, operationsOf } from './contract.ts'
import type { ConsoleLink, ConsoleModel, ConsoleOperation, ConsoleParameter } from './console/model.ts'

/** The demo merchant's, which only a sandbox takes; a test holds them against the server's. */
export const DEMO_KEYS: Readonly<Record<string, string>> = {
  'public-key': 'pub_sandbox_demo',
  'secret-key': 'sec_sandbox_demo',
}
/** Nobody needs them for a first try; they are there to be filled in. */
const LEFT_EMPTY: readonly string[] = ['Idempotency-Key', 'Accept-Language']

/** What the console needs of the contract, and nothing else of it. */
export function consoleModel(contract: Contract): ConsoleModel {
  const operations = operationsOf(contract)
  const summaries = new Map(operations.map(({ operation }) => [operation.operationId, operation.summary]))
  return { keys: DEMO_KEYS, operations: operations.map((placed) => consoleOperation(contract, summaries, placed)) }
}

function consoleOperation(
  contract: Contract,
  summaries: ReadonlyMap<string, string>,
  { method, path = '', operation }: PlacedOperation,
): ConsoleOperation {
  const { operationId: id, summary, parameters = [], requestBody, responses } = operation
  const examples = Object.entries(requestBody?.content?.['application/json']?.examples ?? {})
  return {
    id,
    summary,
    method,
    path,
    keys: keyHeadersOf(contract, operation),
    parameters: parameters.map(consoleParameter),
    bodies: examples.flatMap(([name, example]) =>
      isObject(example.value) ? [{ name, summary: example.summary, value: example.value }] : [],
    ),
    links: Object.entries(responses).flatMap(([status, { links = {} }]) =>
      Object.values(links).map(({ operationId, parameters: values = {}, requestBody: body = {} }): ConsoleLink => ({
        status,
        operationId,
        summary: summaries.get(operationId) ?? operationId,
        parameters: values,
        body,
      })),
    ),
  }
}

const consoleParameter = ({
  name,
  in: where,
  required,
  description,
  schema,
  example,
}: Parameter): ConsoleParameter => ({
  name,
  in: where,
  required,
  description: plain(description),
  value: LEFT_EMPTY.includes(name) ? '' : String(example),
  ...(schema.enum && { options: schema.enum.map(String) }),
})

/** Without the marks of Markdown: the console shows text. */
const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').replaceAll('`', '')
