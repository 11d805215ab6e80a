import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { isJsonType } from '../../../openapi/reading/json.ts'
import type { Compile } from '../../../openapi/reading/validators.ts'
import { valueOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { WireHeaders } from '../../harness/proxy.ts'
import { OF_REQUESTS } from '../http-headers.ts'
import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'

/** Parameters that are missing or do not fit. A missing signature is that of another rule. */
export function parameterFaults(
  { flat, faultIn }: Contract,
  { id, parameters }: Operation,
  query: URLSearchParams,
  headers: WireHeaders,
): readonly Fault[] {
  return parameters.flatMap(({ name, in: place, required, schema }) => {
    const text = place === 'query' ? query.get(name) : headers[name.toLowerCase()]?.join(', ')
    const isSigned = /[-_]signature$/.test(name)
    const isMissing = (text ?? undefined) === undefined
    const fault = isMissing || !schema ? undefined : faultIn(schema, valueOf(flat(schema).type, text ?? ''))
    const what = fault === undefined ? `has no ${name}` : `has a ${name} whose ${fault.replace(/^body/, 'value')}`
    return faultIf(
      (isMissing && required === true && !isSigned) || fault !== undefined,
      `sent ${name}`,
      `${id} ${what}`,
      id,
    )
  })
}

/** Headers and query parameters that neither the message declares nor HTTP has, and headers that come twice. */
export function undeclaredFaults(
  { id, parameters }: Operation,
  query: URLSearchParams,
  headers: WireHeaders,
): readonly Fault[] {
  const isDeclared = (place: string, name: string): boolean =>
    parameters.some((each) => each.in === place && (place === 'header' ? each.name.toLowerCase() : each.name) === name)
  const why = 'which the contract does not declare for it'
  return [
    ...Object.entries(headers).flatMap(([header, values = []]) => [
      ...faultIf(
        !isDeclared('header', header) && !(header in OF_REQUESTS),
        `sent header ${header}`,
        `${id} has a header ${header}, ${why}`,
        id,
      ),
      ...faultIf(values.length > 1, `sent header ${header} twice`, `${id} has ${values.length} headers ${header}`, id),
    ]),
    ...[...new Set(query.keys())].flatMap((name) =>
      faultIf(!isDeclared('query', name), `sent query ${name}`, `${id} has a query parameter ${name}, ${why}`, id),
    ),
  ]
}

/** A body that is missing, unexpected or does not fit, and a media type or a length that is not its own. */
export function bodyFaults(
  compile: Compile,
  { id, body }: Operation,
  { exchange, requestBody: sent }: ObservedExchange,
): readonly Fault[] {
  const { headers, body: bytes } = exchange.request
  const [type, length] = ['content-type', 'content-length'].map((name) => headers[name]?.join(', '))
  const fault = (isWrong: boolean, rule: string, what: string) => faultIf(isWrong, rule, `${id} has ${what}`, id)
  const isRight = type !== undefined && isJsonType(type) && /^application\/json(?:; ?charset=utf-8)?$/i.test(type)
  const isText = sent !== undefined && Buffer.from(bytes.toString('utf8')).equals(bytes)
  return [
    ...fault(
      length !== undefined && length !== String(bytes.length),
      'sent length',
      `the content-length ${length}, and a body of ${bytes.length} bytes`,
    ),
    ...fault(!body && type !== undefined, 'sent media type', `no body, and the content-type ${type}`),
    ...fault(!body && bytes.length > 0, 'sent body', `a body of ${bytes.length} bytes, the contract declares none`),
    ...fault(
      body !== undefined && !isRight,
      'sent media type',
      `the content-type ${type ?? 'of nothing'}, not application/json in UTF-8`,
    ),
    ...fault(body?.required === true && bytes.length === 0, 'sent body', 'no body'),
    ...fault(isRight && bytes.length > 0 && !isText, 'sent body', 'a body that is not JSON in UTF-8, as it says'),
    ...(body && sent !== undefined ? schemaFaults(compile(body.schema), id, sent) : []),
  ]
}

function schemaFaults(validate: ReturnType<Compile>, id: string, sent: unknown): readonly Fault[] {
  if (validate(sent)) return []
  const [error] = validate.errors ?? []
  const { instancePath = '', message = '' } = error ?? {}
  const { unevaluatedProperty, additionalProperty, allowedValues } = fieldsOf(error?.params)
  const name = [unevaluatedProperty, additionalProperty, allowedValues].join('')
  return faultIf(true, `sent body ${instancePath}`, `the body of ${id}${instancePath} ${message} ${name}`.trim(), id)
}
