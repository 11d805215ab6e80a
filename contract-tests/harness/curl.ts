import { printing } from './lines/bytes.ts'
import type { WireRequest } from './proxy.ts'

/** The values that must never be shown, by the variable that stands for them. */
export interface Secrets {
  readonly publicKey: string
  readonly secretKey: string
  /** Those of a second merchant. */
  readonly other?: Pick<Secrets, 'publicKey' | 'secretKey'>
}

/** Replaces what must never be shown by the variable that stands for it. @param asVariable how a variable is written */
export type Redact = (text: string, asVariable?: (name: string) => string) => string

/** Replaces the keys by the names of their variables. */
export const withoutKeys = (
  text: string,
  { publicKey, secretKey, other }: Secrets,
  asVariable: (name: string) => string = (name) => `$${name}`,
): string => {
  const named: readonly (readonly [key: string, name: string])[] = [
    [secretKey, 'SECRET_KEY'],
    [publicKey, 'PUBLIC_KEY'],
    ...(other ? [[other.secretKey, 'OTHER_SECRET_KEY'] as const, [other.publicKey, 'OTHER_PUBLIC_KEY'] as const] : []),
  ]
  // One may begin with another: the rest of it must not stay.
  return named
    .toSorted(([one], [another]) => another.length - one.length)
    .reduce((shown, [key, name]) => shown.replaceAll(key, () => asVariable(name)), text)
}

/** Larger bodies and headers are made by the line itself. */
const BODY_SHOWN_MAX = 4_000

/** Where a request went, and what must not be seen in its line: keys, or whatever `hide` takes away. */
export type CurlSource = { readonly url: string } & (Secrets | { readonly hide: Redact })

/** A line for `sh` that sends a request again, keys taken from `$PUBLIC_KEY` and `$SECRET_KEY`, or as `hide` says. */
export function curlLine(requested: CurlSource, { method, path, headers, body }: WireRequest): string {
  const { url } = requested
  const hide: Redact =
    'hide' in requested ? requested.hide : (text, asVariable) => withoutKeys(text, requested, asVariable)
  const quote = (text: string): string => `'${hide(text.replaceAll("'", `'\\''`), (name) => `'"$${name}"'`)}'`
  const lines = Object.entries(headers)
    .filter(([name]) => !['host', 'content-length', 'connection'].includes(name))
    .flatMap(([name, values = []]) =>
      values.map((value) => `-H ${quote(value === '' ? `${name};` : `${name}: ${shortened(value)}`)}`),
    )
  // curl would name a media type of its own.
  if (body.length > 0 && headers['content-type'] === undefined) lines.push(`-H 'content-type:'`)
  const text = body.toString('utf8')
  const plain = Buffer.from(text).equals(body) && !/[\0-\x08\x0e-\x1f]/.test(text)
  const hiddenIn = (escaped: string): string => hide(escaped, (name) => `'"$${name}"'`)
  const before = plain && body.length <= BODY_SHOWN_MAX ? '' : `${printing([body], undefined, hiddenIn)} | `
  const data = body.length === 0 ? [] : [before === '' ? `--data-binary ${quote(text)}` : '--data-binary @-']
  return `${before}curl -sS -i -g --path-as-is ${method === 'HEAD' ? '-I' : `-X ${method}`} ${[...lines, ...data, quote(url + path)].join(' ')}`

  function shortened(value: string): string {
    // A very long header is one character over and over.
    return value.length > BODY_SHOWN_MAX ? `'"$(head -c ${value.length} /dev/zero | tr '\\0' ${value[0]})"'` : value
  }
}
