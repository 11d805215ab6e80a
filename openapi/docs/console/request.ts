import type { ConsoleLink, ConsoleModel, ConsoleOperation, FilledForm } from './model.ts'

/** One request, as it is sent and as curl would send it. */
export interface ConsoleRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Builds the request from a filled form. Empty fields are not sent. */
export function requestOf(operation: ConsoleOperation, filled: FilledForm, origin: string): ConsoleRequest {
  const given = operation.parameters.map(({ name, in: where }) => ({
    name,
    in: where,
    value: filled.parameters[name]?.trim() ?? '',
  }))
  const path = given
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), operation.path)
  const query = given
    .filter(({ in: where, value }) => where === 'query' && value !== '')
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const hasBody = operation.bodies.length > 0
  const headers = [
    ...operation.keys.map((name) => [name, filled.keys[name]?.trim() ?? '']),
    ...given.filter((parameter) => parameter.in === 'header').map(({ name, value }) => [name, value]),
    ...(hasBody ? [['Content-Type', 'application/json']] : []),
  ].filter(([, value]) => value !== '')
  return {
    method: operation.method,
    url: `${origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: Object.fromEntries(headers),
    body: hasBody ? filled.body : undefined,
  }
}

/** The same request for a shell: every text in single quotes, so that the shell interprets nothing in it. */
export function curlOf({ method, url, headers, body }: ConsoleRequest): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl -i${method === 'GET' || body !== undefined ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ')
}

/** A fresh reference: the time in milliseconds and a random part (8 to 36 characters are allowed). */
export const freshReference = (nowMs: number, chance: number): string =>
  `TRY-${nowMs.toString(36).toUpperCase()}-${Math.floor(chance * 36 ** 4)
    .toString(36)
    .toUpperCase()
    .padStart(4, '0')}`

/** An example with a fresh reference, because a reference is accepted once; `auto` stays. */
export function withFreshReference(
  example: Readonly<Record<string, unknown>>,
  reference: string,
): Readonly<Record<string, unknown>> {
  const given = example.merchant_reference
  return typeof given === 'string' && given !== 'auto' ? { ...example, merchant_reference: reference } : example
}

/** A link of the contract, filled from a reply; undefined when the reply lacks a value that it needs. */
export function followLink(
  { parameters, body }: ConsoleLink,
  reply: unknown,
):
  | { readonly parameters: Readonly<Record<string, string>>; readonly body: Readonly<Record<string, unknown>> }
  | undefined {
  const fill = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([name, value]): [string, unknown] => [
      name,
      typeof value === 'string' ? valueOf(value, reply) : value,
    ])
  const filledParameters = fill(parameters)
  const filledBody = fill(body)
  if ([...filledParameters, ...filledBody].some(([, value]) => value === undefined)) return undefined
  return {
    parameters: Object.fromEntries(filledParameters.map(([name, value]) => [name, String(value)])),
    body: Object.fromEntries(filledBody),
  }
}

/** The merchant reference in a reply, if there is one. */
export function referenceIn(reply: unknown): string | undefined {
  const found = valueOf('$response.body#/data/merchant_reference', reply)
  return typeof found === 'string' ? found : undefined
}

const BODY_EXPRESSION = '$response.body#/'

/** https://spec.openapis.org/oas/v3.1.0#runtime-expressions, the subset that the contract uses. */
function valueOf(expression: string, reply: unknown): unknown {
  if (!expression.startsWith(BODY_EXPRESSION)) return expression
  return expression
    .slice(BODY_EXPRESSION.length)
    .split('/')
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), reply)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The operation that a link such as `#try/sendFunds` names. */
export const operationNamed = ({ operations }: ConsoleModel, hash: string): ConsoleOperation | undefined =>
  operations.find(({ id }) => hash === `#try/${id}`)
