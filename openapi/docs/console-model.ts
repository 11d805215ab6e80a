import type { OpenApiDocument, Parameter } from '../reading/document.ts'
import { isObject } from '../reading/json.ts'
import { operationsOf, type Operation } from '../reading/operations.ts'
import { follow } from '../reading/references.ts'
import type { ConsoleLink, ConsoleModel, ConsoleOperation, ConsoleParameter } from './console/model.ts'

/** The demo merchant's keys, which only a sandbox accepts; a test compares them with the server's. */
export const DEMO_KEYS: Readonly<Record<string, string>> = {
  'public-key': 'pub_sandbox_demo',
  'secret-key': 'sec_sandbox_demo',
}
/** Said wherever a browser could see keys: in the docs, their console, and the contract. */
export const KEYS_IN_BROWSERS =
  'Only the keys of a sandbox may ever be in a browser: real ones never, the public key included.'
/** Optional fields that a first try does not need. */
const LEFT_EMPTY: readonly string[] = ['Idempotency-Key', 'Accept-Language', 'traceparent']

/** What the console needs from the contract, and nothing else. */
export function consoleModel(document: OpenApiDocument): ConsoleModel {
  const operations = operationsOf(document).filter(({ kind }) => kind === 'operation')
  const summaries = new Map(operations.map(({ id, summary }) => [id, summary]))
  const linksOf = ({ responses }: Operation): ConsoleLink[] =>
    responses.flatMap(({ status, links }) =>
      links.map(({ link: { operationId = '', parameters = {}, requestBody = {} } }) => ({
        status,
        operationId,
        summary: summaries.get(operationId) ?? operationId,
        parameters,
        body: requestBody,
      })),
    )
  return {
    keys: DEMO_KEYS,
    operations: operations.map((operation): ConsoleOperation => {
      const { id, summary, method, path, keys, parameters, body } = operation
      return {
        id,
        summary,
        method,
        path,
        keys: keys.map(({ header }) => header),
        parameters: parameters.map((parameter) => consoleParameter(document, parameter)),
        bodies: (body?.examples ?? []).flatMap(({ name, summary: title = name, value }) =>
          isObject(value) ? [{ name, summary: title, value }] : [],
        ),
        links: linksOf(operation),
      }
    }),
  }
}

function consoleParameter(document: OpenApiDocument, parameter: Parameter): ConsoleParameter {
  const { name, in: where, required = false, description = '', schema, example } = parameter
  const { enum: values } = follow(document, schema)
  return {
    name,
    in: where,
    required,
    description: plain(description),
    value: LEFT_EMPTY.includes(name) ? '' : String(example),
    ...(values && { options: values.map(String) }),
  }
}

/** Without Markdown syntax: the console shows plain text. */
const plain = (text: string): string =>
  text
    .trim()
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', '')
