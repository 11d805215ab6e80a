import { curlLine } from '../../harness/curl.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import { TIME_LIMIT_MS, wireRequest } from '../../harness/proxy.ts'
import type { Fields } from './message-fields.ts'

interface ApiReply {
  /** 0: there was no reply. */
  readonly status: number
  readonly data: Fields
}

type Keys = Pick<Target, 'url' | 'publicKey' | 'secretKey'>

const headersOf = ({ publicKey, secretKey }: Keys, withSecret: boolean, body?: object) => ({
  'public-key': publicKey,
  'x-api-version': '1',
  ...(withSecret && { 'secret-key': secretKey }),
  ...(body && { 'content-type': 'application/json' }),
})

/** The target's API as a merchant's program calls it. Never throws. */
export function createRequests(target: Keys) {
  async function sendRequest(method: string, path: string, body?: object, withSecret = false): Promise<ApiReply> {
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
    post: (path: string, body: object, withSecret: boolean) => sendRequest('POST', path, body, withSecret),
    async verify(reference: string): Promise<Fields | undefined> {
      const { status, data } = await sendRequest('GET', `/data/transaction/verify/${encodeURIComponent(reference)}`)
      return status === 200 ? data : undefined
    },
  }
}

/** Pause before a line verifies its payment; most have ended by then. */
const POLL_S = 3

/** A shell line that makes the payment and verifies it; messages about it go to the URLs of the account. */
export function curlOf(target: Keys, path: string, body: Fields, withSecret: boolean): string {
  const reference = encodeURIComponent(String(body.merchant_reference))
  const lines = [
    wireRequest('POST', path, headersOf(target, withSecret, body), body),
    wireRequest('GET', `/data/transaction/verify/${reference}`, headersOf(target, false)),
  ].map((request) => curlLine(target, request))
  return lines.join(`; sleep ${POLL_S}; `)
}
