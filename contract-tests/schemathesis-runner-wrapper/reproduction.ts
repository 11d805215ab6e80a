import { curlLine } from './curl.ts'
import type { Interaction, Recorder } from './events.ts'
import type { NamedKey } from './key-ring.ts'
import type { Failure } from './types.ts'

/** How a failure is reproduced, and the reply. */
export type Reproduction = Pick<Failure, 'curl' | 'before' | 'request' | 'response'>

const BODY_LENGTH_MAX = 10_000
const STEPS_MAX = 20

interface SentRequests {
  readonly recorder: Recorder
  /** Only in the stateful phase does one request lead to the next. */
  readonly isSequence: boolean
  readonly baseUrl: string
  readonly keys: readonly NamedKey[]
}

/** For the request with this id, or for an unknown one. */
export function reproductionOf(id: string, { recorder, isSequence, baseUrl, keys }: SentRequests): Reproduction {
  const { interactions = {}, cases = {} } = recorder
  const interaction = interactions[id]
  if (!interaction) return { curl: '', before: [] }
  const before: string[] = []
  for (
    let parent = isSequence ? cases[id]?.parent_id : undefined;
    parent !== undefined && before.length < STEPS_MAX;
    parent = cases[parent]?.parent_id
  ) {
    const earlier = interactions[parent]
    if (earlier) before.unshift(curlLine(earlier.request, baseUrl, keys))
  }
  const { request, response } = interaction
  return {
    curl: curlLine(request, baseUrl, keys),
    before,
    request: {
      method: request.method,
      url: request.uri,
      headers: request.headers,
      ...(request.body && { body: textOf(request.body) }),
    },
    ...(response && { response: responseOf(response) }),
  }
}

const responseOf = ({ status_code, headers = {}, content }: NonNullable<Interaction['response']>) => ({
  status: status_code,
  headers,
  body: content ? textOf(content) : '',
})

function textOf({ $base64 }: { readonly $base64: string }): string {
  const text = Buffer.from($base64, 'base64').toString('utf8')
  return text.length > BODY_LENGTH_MAX ? `${text.slice(0, BODY_LENGTH_MAX)}…` : text
}
