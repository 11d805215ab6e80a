import { present } from '../../harness/part.ts'
import type { Keys } from '../../schemathesis-runner-wrapper/index.ts'

/** Calls the gateway and returns the `data` of its reply. */
export type ApiCall = <Data>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Data>

/** A caller with both keys. @throws Error for every reply that is not a success */
export const apiCaller =
  (baseUrl: string, keys: Keys): ApiCall =>
  async <Data>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Data> => {
    const headers = {
      'public-key': present(keys.publicKey, 'public key'),
      'secret-key': present(keys.secretKey, 'secret key'),
      'x-api-version': '1',
      'content-type': 'application/json',
    }
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const reply = JSON.parse(await response.text()) as { readonly message: string; readonly data: Data }
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${reply.message}`)
    return reply.data
  }
