import type { Target } from '../../harness/part.ts'
import { isObject } from '../../../openapi/reading/json.ts'
import type { Fields } from './message-fields.ts'

export interface ApiReply {
  /** 0: there was none. */
  readonly status: number
  readonly data: Fields
}

const TIME_LIMIT_MS = 20_000

/** The target's API as a merchant's program asks it. Never throws. */
export function createRequests({ url, publicKey, secretKey }: Pick<Target, 'url' | 'publicKey' | 'secretKey'>) {
  async function ask(method: string, path: string, body?: object, withSecret = false): Promise<ApiReply> {
    try {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
        ...(body && { body: JSON.stringify(body) }),
        headers: {
          'public-key': publicKey,
          'x-api-version': '1',
          ...(withSecret && { 'secret-key': secretKey }),
          ...(body && { 'content-type': 'application/json' }),
        },
      })
      const json: unknown = await response.json()
      return { status: response.status, data: isObject(json) && isObject(json.data) ? json.data : {} }
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
export function curlOf(url: string, path: string, body: object, withSecret: boolean): string {
  const data = JSON.stringify({ ...body, merchant_reference: 'AGAIN' })
    .replaceAll("'", "'\\''")
    .replace('AGAIN', `AGAIN-'$(date +%s)'`)
  return [
    `curl -sS ${url}${path} -H "public-key: $PUBLIC_KEY"`,
    ...(withSecret ? ['-H "secret-key: $SECRET_KEY"'] : []),
    `-H 'x-api-version: 1' -H 'content-type: application/json' -d '${data}'`,
  ].join(' ')
}
