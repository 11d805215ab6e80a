import { curlLine } from '../../harness/curl.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import { wireRequest } from '../../harness/proxy.ts'
import type { Fields } from './message-fields.ts'

export interface ApiReply {
  /** 0: there was none. */
  readonly status: number
  readonly data: Fields
}

const TIME_LIMIT_MS = 20_000

type Keys = Pick<Target, 'url' | 'publicKey' | 'secretKey'>

const headersOf = ({ publicKey, secretKey }: Keys, withSecret: boolean, body?: object) => ({
  'public-key': publicKey,
  'x-api-version': '1',
  ...(withSecret && { 'secret-key': secretKey }),
  ...(body && { 'content-type': 'application/json' }),
})

/** The target's API as a merchant's program asks it. Never throws. */
export function createRequests(target: Keys) {
  async function ask(method: string, path: string, body?: object, withSecret = false): Promise<ApiReply> {
    try {
      const response = await fetch(target.url + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
        ...(body && { body: JSON.stringify(body) }),
        headers: headersOf(target, withSecret, body),
      })
      const json: unknown = await response.json()
      return { status: response.status, data: fieldsOf(fieldsOf(json).data) }
    } catch {
      return { status: 0, data: {} }
    }
  }
  return {
    post: (path: string, body: object, withSecret: boolean) => ask('POST', path, body, withSecret),
    async verify(reference: string): Promise<Fields | undefined> {
      const { status, data } = await ask('GET', `/data/transaction/verify/${encodeURIComponent(reference)}`)
      return status === 200 ? data : undefined
    },
  }
}

/** A line for a shell that sends the request again; its reference is made anew, because one can be used only once. */
export const curlOf = (target: Keys, path: string, body: object, withSecret: boolean): string =>
  curlLine(
    target,
    wireRequest('POST', path, headersOf(target, withSecret, body), { ...body, merchant_reference: 'AGAIN' }),
  ).replace('"AGAIN"', `"AGAIN-'$(date +%s)'"`)
