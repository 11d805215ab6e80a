import { isJsonType } from '../../../openapi/reading/json.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { faultIf, type Fault } from '../observed-exchange.ts'

/** The body of a message: JSON in UTF-8 that says so, and as long as it says; or none. */
export function bodyFaults(name: string, hasBody: boolean, { headers, body }: WireRequest): readonly Fault[] {
  const [type, length] = ['content-type', 'content-length'].map((header) => headers[header]?.join(', '))
  const lengthFaults = faultIf(
    length !== undefined && length !== String(body.length),
    'sent length',
    `${name} has the content-length ${length}, and a body of ${body.length} bytes`,
  )
  if (!hasBody)
    return [
      ...faultIf(type !== undefined, 'sent media type', `${name} has no body, and the content-type ${type}`),
      ...lengthFaults,
    ]
  const isRight = type !== undefined && isJsonType(type) && /^application\/json(?:; ?charset=utf-8)?$/i.test(type)
  return [
    ...faultIf(
      !isRight,
      'sent media type',
      `${name} has the content-type ${type ?? 'of nothing'}, not application/json in UTF-8`,
    ),
    ...faultIf(
      isRight && (jsonOf(body) === undefined || !Buffer.from(body.toString('utf8')).equals(body)),
      'sent body',
      `${name} says that its body is JSON in UTF-8, and it is not`,
    ),
    ...lengthFaults,
  ]
}
