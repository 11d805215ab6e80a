import { present } from '../domain/present.ts'
import { DEMO_PUBLIC_KEY } from './operator.ts'

const REPLY_MS_MAX = 10_000
const HEADERS = {
  'public-key': DEMO_PUBLIC_KEY,
  'secret-key': 'sec_sandbox_demo',
  'x-api-version': '1',
  'content-type': 'application/json',
}

export interface Answer {
  readonly status: number
  readonly text: string
  /** It was sent before, to a process that did not answer and may have carried it out. */
  readonly isRepeated: boolean
}

/** What the demo merchant asks. @returns undefined when no reply came from any process */
export type Call = (
  method: 'GET' | 'POST',
  path: string,
  content?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer | undefined>

/**
 * Each call goes to the next API process, as a load balancer would have it; one that is not answered is sent once more
 * to the one after. Without that, a customer whose calls are two in a row meets the process that stands still again and
 * again: of two there is nearly always one.
 */
export function createCall(urls: readonly string[]): Call {
  let calls = 0
  return async (method, path, content, headers = {}) => {
    const first = calls++
    for (let tried = 0; tried < urls.length; tried += 1) {
      const answer = await ask(present(urls[(first + tried) % urls.length], 'an API process') + path, {
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

async function ask(url: string, request: RequestInit): Promise<Pick<Answer, 'status' | 'text'> | undefined> {
  try {
    const reply = await fetch(url, request)
    return { status: reply.status, text: await reply.text() }
  } catch {
    return undefined
  }
}
