import { curlLine, type Redact } from '../curl.ts'
import type { WireRequest } from '../proxy.ts'
import type { SentRequest, History } from './history.ts'

/** Where a line contains values that a server accepts only once. JSON may have a space after the colon. */
const NAMES: readonly { readonly kind: 'once' | 'made'; readonly pattern: RegExp }[] = [
  { kind: 'once', pattern: /"merchant_reference"\s*:\s*"([^"'$\\]+)"/g },
  { kind: 'once', pattern: /\bidempotency-key: ?([^'"$]+)'/gi },
  { kind: 'once', pattern: /\/verify\/([^'"?/$\s]+)/g },
  { kind: 'made', pattern: /"internal_reference"\s*:\s*"([^"'$\\]+)"/g },
]
/**
 * Number of characters of a name that are replaced: seven random ones and one that distinguishes it from other names
 * of the line. The last letters and digits are used; where there are too few, any character allowed in a reference.
 * Invalid characters stay.
 */
const REPLACED = /[A-Za-z0-9]{8}(?!.*[A-Za-z0-9]{8})|(?<=^[\w.~-]*)[\w.~-]{8}$/
/** Assigns random digits to a shell variable: a line that runs twice in one second must not repeat itself. */
export const freshDigits = (variable: string, count: number): string =>
  `${variable}=$(od -An -N8 -tu8 /dev/urandom | tr -d ' \\n' | tail -c ${count})`
const FRESH = freshDigits('fresh', 7)
/** Requests before the last one, at most: five wrong passwords and their payment. */
const BEFORE_MAX = 6
/** Seconds to wait: the OTP is sent after the payment was accepted. */
const READY_S = 2

/**
 * Makes a line repeatable: with new references and keys, preceded by the requests that the last one needs, such as the
 * first of two duplicates or the payment of an OTP. Names that it cannot place stay unchanged.
 */
export function freshLine(
  line: string,
  history: History,
  requested: { readonly url: string; readonly hide: Redact },
): string {
  if (!/\bcurl -sS /.test(line)) return line
  const before = neededBefore(line, history)
  const again = (request: WireRequest): string =>
    curlLine(requested, { ...request, headers: withoutNoise(request.headers) })
  const lines = [...before.map(({ request }) => again(request)), line]
  const made = [...namesOf('made', lines), ...byServer(namesOf('once', lines), history)].flatMap((name, index) => {
    const maker = history.makerOf(name)
    return maker ? [{ name, maker, variable: `made${index || ''}` }] : []
  })
  const makers = made.map(
    ({ maker: { request, field }, variable }) =>
      `${variable}=$(${again(request)} | sed -n 's/.*"${field}":"\\([^"]*\\)".*/\\1/p'); sleep ${READY_S}`,
  )
  const all = [...makers, ...lines.flatMap((each, index) => (index === 0 ? [each] : ['echo', each]))].join('; ')
  const withMade = made.reduce((text, { name, variable }) => text.replaceAll(name, `'"$${variable}"'`), all)
  const names = namesOf('once', [withMade]).filter((name) => name.toLowerCase() !== 'auto')
  const fresh = withFresh(withMade, names)
  return fresh === withMade ? fresh : `${FRESH}; ${fresh}`
}

/** The server generates a merchant's reference that was "auto": a replacement would name nothing. */
const byServer = (names: readonly string[], { makerOf }: History): readonly string[] =>
  names.filter((name) => makerOf(name)?.field === 'merchant_reference')

const namesOf = (wanted: 'once' | 'made', lines: readonly string[]): string[] => [
  ...new Set(
    NAMES.filter(({ kind }) => kind === wanted).flatMap(({ pattern }) =>
      lines.flatMap((line) => [...line.matchAll(pattern)].map(([, name = '']) => name)),
    ),
  ),
]

/** Headers that HTTP libraries add; a compressed reply would be unreadable. */
const NOISE = ['accept-encoding', 'accept-language', 'sec-fetch-mode', 'user-agent', 'accept']
const withoutNoise = (headers: WireRequest['headers']): WireRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !NOISE.includes(name)))

/** Names that differ only in case keep that difference. */
function withFresh(text: string, names: readonly string[]): string {
  const order = [...new Set(names.map((name) => name.toUpperCase()))]
  return names
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, name) => {
      const renewed = name.replace(REPLACED, `'"$fresh"'${order.indexOf(name.toUpperCase()) % 10}`)
      return renewed === name ? rest : rest.replaceAll(named(name), (found) => found.replace(name, () => renewed))
    }, text)
}

/** Matches a name that is not part of a longer one. */
const named = (name: string): RegExp =>
  new RegExp(`(?<![\\w.~-])${name.replaceAll(/[^A-Za-z0-9]/g, '\\$&')}(?![\\w.~-])`, 'g')

/** Earlier requests with the same name, before the one that the line repeats. */
function neededBefore(line: string, history: History): SentRequest[] {
  const about = namesOf('once', [line])
    .concat(namesOf('made', [line]))
    .flatMap(history.about)
  const last = about.filter(({ request }) => isIn(line, request)).reduce((at, each) => Math.max(at, each.at), -1)
  // A line of several requests is complete already.
  const isWhole = [...line.matchAll(/\bcurl -sS /g)].length > 1
  const before = new Map(
    about
      .filter(({ at, request }) => at < last && request.method !== 'GET' && !(isWhole && isIn(line, request)))
      .map((each) => [each.at, each]),
  )
  return [...before.values()].toSorted((one, other) => one.at - other.at).slice(-BEFORE_MAX)
}

function isIn(line: string, { method, path, headers, body }: WireRequest): boolean {
  const key = headers['idempotency-key']?.[0] ?? ''
  return (
    line.includes(`-X ${method} `) &&
    line.includes(`${path}'`) &&
    line.includes(body.toString('utf8').replaceAll("'", `'\\''`)) &&
    line.includes(key)
  )
}
