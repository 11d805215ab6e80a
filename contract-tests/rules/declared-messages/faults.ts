import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import type { Compile } from '../../../openapi/reading/validators.ts'
import { valueOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf } from '../../harness/json.ts'
import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'

/** Parameters that are missing or do not fit. A missing signature is that of another rule. */
export function parameterFaults(
  { flat, faultIn }: Contract,
  { id, parameters }: Operation,
  query: URLSearchParams,
  headers: ObservedExchange['exchange']['request']['headers'],
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

/** A body that is missing, unexpected or does not fit; a body that is no JSON is that of another rule. */
export function bodyFaults(
  compile: Compile,
  { id, body }: Operation,
  { exchange, requestBody: sent }: ObservedExchange,
) {
  const { length } = exchange.request.body
  if (!body)
    return faultIf(length > 0, 'sent body', `${id} has a body of ${length} bytes, the contract declares none`, id)
  if (length === 0) return faultIf(body.required, 'sent body', `${id} has no body`, id)
  const validate = compile(body.schema)
  if (sent === undefined || validate(sent)) return []
  const [error] = validate.errors ?? []
  const { instancePath = '', message = '' } = error ?? {}
  const { unevaluatedProperty, additionalProperty, allowedValues } = fieldsOf(error?.params)
  const name = [unevaluatedProperty, additionalProperty, allowedValues].join('')
  return faultIf(true, `sent body ${instancePath}`, `the body of ${id}${instancePath} ${message} ${name}`.trim(), id)
}
