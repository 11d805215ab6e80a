// Not the harness's function: this package runs without the tree around it, and its keys are those of any contract.
import { longestFirst, type NamedKey } from './key-ring.ts'
import { keyVariable } from './settings.ts'

export interface SentRequest {
  readonly method: string
  readonly uri: string
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body?: { readonly $base64: string }
}

/** A line for `sh` that repeats a request without keys: the variables of their schemes replace them. */
export function curlLine(
  { method, uri, headers, body }: SentRequest,
  baseUrl: string,
  keys: readonly NamedKey[],
): string {
  const quote = (text: string): string => {
    const parts = longestFirst(keys).reduce(
      (rest, [name, key]) => rest.replaceAll(key, `'"$${keyVariable(name)}"'`),
      text.replaceAll("'", `'\\''`),
    )
    return `'${parts}'`
  }
  const address = uri.startsWith(baseUrl) ? `"\${BASE_URL:-${baseUrl}}"${quote(uri.slice(baseUrl.length))}` : quote(uri)
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => {
      const [user] = keys.find(([, key]) => value === basicOf(key)) ?? []
      if (user !== undefined) return `-u "$${keyVariable(user)}"`
      return `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`
    }),
  )
  const dataOf = (base64: string): { readonly before: string; readonly data: readonly string[] } => {
    const bytes = Buffer.from(base64, 'base64')
    const text = bytes.toString('utf8')
    const isText = Buffer.from(text).equals(bytes) && !/[\0-\x08\x0e-\x1f]/.test(text) && !text.startsWith('@')
    return isText
      ? { before: '', data: [`--data-binary ${quote(text)}`] }
      : { before: `echo ${base64} | base64 -d | `, data: ['--data-binary @-'] }
  }
  const { before, data } = body ? dataOf(body.$base64) : { before: '', data: [] }
  return `${before}curl -sS -i -g --path-as-is ${method === 'HEAD' ? '-I' : `-X ${method}`} ${[address, ...lines, ...data].join(' ')}`
}

const basicOf = (key: string): string => `Basic ${Buffer.from(key).toString('base64')}`
