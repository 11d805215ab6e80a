import type { ErrorObject } from '../../../openapi/reading/validators.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import type { Fault } from '../../driver/findings.ts'
import type { SentOperation, SentOperations, SentParameter } from './contract.ts'

/** One fault, or none. */
export const faultIf = (isWrong: boolean, rule: string, what: string): readonly Fault[] =>
  isWrong ? [{ rule, what }] : []

export const timed = (faults: readonly Fault[]): readonly Fault[] => faults.map((fault) => ({ ...fault, timed: true }))

/** Faults of a request to the URL of a webhook; empty when the contract declares it so. */
export function webhookFaults(
  { webhooks }: Pick<SentOperations, 'webhooks'>,
  name: string,
  request: WireRequest,
): readonly Fault[] {
  const faults = operationFaults(webhooks.get(name) ?? [], request)
  if (!faults.some(({ rule }) => rule.startsWith('body '))) return faults
  // One fault, not one for each field that differs.
  const meant = [...webhooks].find(
    ([other, operations]) => other !== name && operationFaults(operations, request).length === 0,
  )
  return meant ? [{ rule: `is ${meant[0]}`, what: `a valid ${meant[0]} came to the URL of ${name}` }] : faults
}

/** Faults of a request that one of the operations should declare. */
export function operationFaults(operations: readonly SentOperation[], request: WireRequest): readonly Fault[] {
  const operation = operations.find(({ method }) => method === request.method)
  const methods = operations.map(({ method }) => method).join(', ')
  if (!operation) return faultIf(true, 'method', `${request.method} came, the contract declares ${methods}`)
  const query = new URLSearchParams(/\?(.*)/s.exec(request.path)?.[1])
  const valuesOf = ({ in: where, name }: SentParameter): readonly string[] =>
    where === 'query' ? query.getAll(name) : (request.headers[name.toLowerCase()] ?? [])
  return [
    ...operation.parameters.flatMap((parameter) => parameterFaults(parameter, valuesOf(parameter))),
    ...bodyFaults(operation, request),
  ]
}

function parameterFaults(
  { name, in: where, isRequired, faultsIn }: SentParameter,
  values: readonly string[],
): readonly Fault[] {
  const about = where === 'query' ? `query parameter ${name}` : `header ${name}`
  const [value] = values
  if (value === undefined) return faultIf(isRequired, about, `${about} is missing`)
  if (values.length > 1) return faultIf(true, about, `${about} came ${values.length} times`)
  const [error] = faultsIn(value)
  return faultIf(error !== undefined, about, `${about} ${error?.message}, is ${shown(value)}`)
}

function bodyFaults({ body: declared }: SentOperation, { headers, body }: WireRequest): readonly Fault[] {
  const unexpected = `a body of ${body.length} bytes came, the contract declares none`
  if (!declared) return faultIf(body.length > 0, 'body unexpected', unexpected)
  if (body.length === 0) return faultIf(declared.isRequired, 'body missing', 'the body is missing')
  const types = headers['content-type'] ?? []
  const [type = '', ...others] = types
  const [mediaType = ''] = type.split(';')
  const validate = others.length === 0 ? declared.content.get(mediaType.trim().toLowerCase()) : undefined
  const given = types.join(' and ') || 'missing'
  const wanted = [...declared.content.keys()].join(', ')
  if (!validate) return faultIf(true, 'media type', `content-type is ${given}, the contract declares ${wanted}`)
  try {
    const faults = validate(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))).map(bodyFault)
    // Members of an `allOf` report the same field.
    return [...new Map(faults.map((fault) => [fault.rule, fault])).values()]
  } catch {
    return faultIf(true, 'body syntax', 'the body is not JSON in UTF-8')
  }
}

function bodyFault({ keyword, instancePath, params, message, data }: ErrorObject): Fault {
  const path = instancePath.slice(1).replaceAll('/', '.')
  const member = (name: unknown): string => [path, String(name)].filter((part) => part !== '').join('.')
  const fault = (field: string, what: string): Fault => ({
    rule: `body ${field} ${keyword}`,
    what: `body: ${field || 'it'} ${what}`,
  })
  switch (keyword) {
    case 'required':
      return fault(member(params.missingProperty), 'is missing')
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return fault(member(params.additionalProperty ?? params.unevaluatedProperty), 'is not declared')
    case 'discriminator':
      return fault(member(params.tag), `is ${shown(params.tagValue)}, which the contract does not declare`)
    case 'enum':
      return fault(path, `must be ${[params.allowedValues].flat().join(' or ')}, is ${shown(data)}`)
    default:
      return fault(path, `${message}, is ${shown(data)}`)
  }
}

const SHOWN_MAX = 60
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
