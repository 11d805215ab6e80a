import type { ErrorObject } from '../../../openapi/reading/validators.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import type { SentOperation, SentOperations, SentParameter } from './contract.ts'

/** Something wrong; `rule` is the same for the same wrong thing, whichever message shows it. */
export interface Fault {
  readonly rule: string
  readonly what: string
}

/** What is wrong with a request that came to the URL of a webhook; empty when the contract declares it so. */
export function webhookFaults(
  { webhooks }: Pick<SentOperations, 'webhooks'>,
  name: string,
  request: WireRequest,
): readonly Fault[] {
  const faults = operationFaults(webhooks.get(name) ?? [], request)
  if (!faults.some(({ rule }) => rule.startsWith('body '))) return faults
  // One wrong thing, not one for each field that is another there.
  const meant = [...webhooks].find(
    ([other, operations]) => other !== name && operationFaults(operations, request).length === 0,
  )
  return meant ? [{ rule: `is ${meant[0]}`, what: `a valid ${meant[0]} came to the URL of ${name}` }] : faults
}

/** What is wrong with a request that one of the operations should declare. */
export function operationFaults(operations: readonly SentOperation[], request: WireRequest): readonly Fault[] {
  const operation = operations.find(({ method }) => method === request.method)
  if (!operation)
    return [
      {
        rule: 'method',
        what: `${request.method} came, the contract declares ${operations.map(({ method }) => method).join(', ')}`,
      },
    ]
  const query = new URLSearchParams(/\?(.*)/s.exec(request.path)?.[1])
  const valuesOf = ({ in: where, name }: SentParameter): readonly string[] =>
    where === 'query' ? query.getAll(name) : (request.headers[name.toLowerCase()] ?? [])
  return [
    ...operation.parameters.flatMap((parameter) => parameterFaults(parameter, valuesOf(parameter))),
    ...bodyFaults(operation, request),
  ]
}

function parameterFaults({ name, in: where, isRequired, faultsIn }: SentParameter, values: readonly string[]): Fault[] {
  const about = where === 'query' ? `query parameter ${name}` : `header ${name}`
  const [value] = values
  if (value === undefined) return isRequired ? [{ rule: about, what: `${about} is missing` }] : []
  if (values.length > 1) return [{ rule: about, what: `${about} came ${values.length} times` }]
  const [error] = faultsIn(value)
  return error ? [{ rule: about, what: `${about} ${error.message}, is ${shown(value)}` }] : []
}

function bodyFaults({ body: declared }: SentOperation, { headers, body }: WireRequest): Fault[] {
  if (!declared)
    return body.length > 0
      ? [{ rule: 'body unexpected', what: `a body of ${body.length} bytes came, the contract declares none` }]
      : []
  if (body.length === 0) return declared.isRequired ? [{ rule: 'body missing', what: 'the body is missing' }] : []
  const types = headers['content-type'] ?? []
  const [type = '', ...others] = types
  const [mediaType = ''] = type.split(';')
  const validate = others.length === 0 ? declared.content.get(mediaType.trim().toLowerCase()) : undefined
  if (!validate)
    return [
      {
        rule: 'media type',
        what: `content-type is ${types.join(' and ') || 'missing'}, the contract declares ${[...declared.content.keys()].join(', ')}`,
      },
    ]
  const parsed = parse(body)
  if ('fault' in parsed) return [{ rule: 'body syntax', what: parsed.fault }]
  // Members of an `allOf` complain about the same field.
  return [
    ...new Map(
      validate(parsed.value)
        .map(bodyFault)
        .map((fault) => [fault.rule, fault]),
    ).values(),
  ]
}

function parse(body: Buffer): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) }
  } catch {
    return { fault: 'the body is not JSON in UTF-8' }
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
