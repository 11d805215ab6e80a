import { present } from '../../domain/present.ts'
import { DEMO_PUBLIC_KEY } from './staff.ts'

const REPLY_MS_MAX = 10_000
const HEADERS = {
  'public-key': DEMO_PUBLIC_KEY,
  'secret-key': 'sec_sandbox_demo',
  'x-api-version': '1',
  'content-type': 'application/json',
}

export interface CallReply {
  readonly status: number
  readonly text: string
  /** The request was sent before, to a process that did not reply and may have carried it out. */
  readonly isRepeated: boolean
}

/**
 * Sends a request of the demo merchant.
 * @returns undefined when no process replied
 */
export type Call = (
  method: 'GET' | 'POST',
  path: string,
  content?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<CallReply | undefined>

/**
 * Sends each call to the next API process, as a load balancer would; an unanswered call is retried once at the process
 * after that. Without the retry, a customer whose calls come in pairs would hit the paused process again and again: of
 * two processes nearly always one is paused.
 */
export function createCall(urls: readonly string[]): Call {
  let calls = 0
  return async (method, path, content, headers = {}) => {
    const first = calls++
    for (let tried = 0; tried < urls.length; tried += 1) {
      const answer = await sendRequest(present(urls[(first + tried) % urls.length], 'an API process') + path, {
        method,
        headers: { ...HEADERS, ...headers },
        ...(content !== undefined && { body: JSON.stringify(content) }),
        signal: AbortSignal.timeout(REPLY_MS_MAX),
      })
      if (answer) return { ...answer, isRepeated: tried > 0 }
    }
    return undefined
  }
}

async function sendRequest(url: string, request: RequestInit): Promise<Pick<CallReply, 'status' | 'text'> | undefined> {
  try {
    const reply = await fetch(url, request)
    return { status: reply.status, text: await reply.text() }
  } catch {
    return undefined
  }
}
