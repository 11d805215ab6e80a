import { keyVariable } from './settings.ts'
import type { Keys } from './types.ts'

export interface SentRequest {
  readonly method: string
  readonly uri: string
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body?: { readonly $base64: string }
}

/**
 * The line for `sh` that sends a request again. A key is read from the variable of its scheme, and the address from
 * `BASE_URL` when that is set, so the line can be kept and shown.
 */
export function curlLine({ method, uri, headers, body }: SentRequest, baseUrl: string, keys: Keys): string {
  const quote = (text: string): string => {
    const parts = Object.entries(keys).reduce(
      (rest, [name, key]) => rest.replaceAll(key, `'"$${keyVariable(name)}"'`),
      text.replaceAll("'", `'\\''`),
    )
    return `'${parts}'`
  }
  const address = uri.startsWith(baseUrl) ? `"\${BASE_URL:-${baseUrl}}"${quote(uri.slice(baseUrl.length))}` : quote(uri)
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
  )
  const bytes = body && Buffer.from(body.$base64, 'base64')
  const text = bytes?.toString('utf8')
  const isText =
    text === undefined ||
    (Buffer.from(text).equals(bytes!) && !/[\0-\x08\x0e-\x1f]/.test(text) && !text.startsWith('@'))
  const data = bytes === undefined ? [] : [isText ? `--data-binary ${quote(text!)}` : '--data-binary @-']
  const before = isText ? '' : `echo ${body!.$base64} | base64 -d | `
  return `${before}curl -sS -i -g --path-as-is ${method === 'HEAD' ? '-I' : `-X ${method}`} ${[address, ...lines, ...data].join(' ')}`
}
