import { curlLine } from '../../harness/curl.ts'
import type { Target } from '../../harness/part.ts'
import { wireRequest } from '../../harness/proxy.ts'
import type { Draft } from './payment.ts'

/** Keys of the target, or replacements; without a secret key none is sent. */
type Keys = { readonly publicKey?: string; readonly secretKey?: string | undefined }

/** A shell line that repeats a GET. */
export const curlOfPath = (target: Target, path: string, { publicKey = target.publicKey, secretKey }: Keys): string =>
  curlLine(target, wireRequest('GET', path, { 'public-key': publicKey, 'secret-key': secretKey, 'x-api-version': '1' }))

/** A shell line that sends a draft again. */
export function curlOf(target: Target, { type, request, key }: Draft, keys: Keys = {}): string {
  const isPayout = type === 'PAYOUT'
  const { publicKey = target.publicKey, secretKey = isPayout ? target.secretKey : undefined } = keys
  const headers = {
    'public-key': publicKey,
    'secret-key': secretKey,
    'x-api-version': '1',
    'content-type': 'application/json',
    'Idempotency-Key': key,
  }
  const path = isPayout ? '/payout/send-funds' : '/collections/initialize'
  return curlLine(target, wireRequest('POST', path, headers, request))
}
