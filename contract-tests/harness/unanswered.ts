import type { Redact } from './curl.ts'
import { curlLine } from './curl.ts'
import type { Finding } from './part.ts'
import { passOn, TIME_LIMIT_MS, type WireRequest } from './proxy.ts'

/** Requests that got no reply in time. */
export interface Unanswered {
  note(request: WireRequest): void
  /** How long to wait for a request: less, once its operation has been silent several times. */
  limitMs(request: WireRequest): number
  /** One finding for each operation. @param hide replaces secrets */
  findings(hide: Redact): Finding[]
}

/** A part may send hundreds of requests to an operation that never answers. */
const SILENT_TIMES = 3
const SILENT_LIMIT_MS = 1_000
/** So many requests of one operation are sent again, to see whether the server answers them now. */
const AGAIN_MAX = 1

/** @param url of the server itself */
export function createUnanswered(url: string): Unanswered {
  const noted = new Map<string, WireRequest[]>()
  return {
    note(request) {
      const place = placeOf(request)
      noted.set(place, [...(noted.get(place) ?? []), request])
    },
    limitMs: (request) => ((noted.get(placeOf(request))?.length ?? 0) < SILENT_TIMES ? TIME_LIMIT_MS : SILENT_LIMIT_MS),
    findings: (hide) =>
      [...noted].flatMap(([place, requests]) => {
        const [first] = requests
        if (!first) return []
        const count = requests.length === 1 ? '' : ` (${requests.length} times)`
        return {
          about: place,
          what: hide(
            `${first.method} ${first.path} was sent, and no whole reply came within ${TIME_LIMIT_MS / 1000} s${count}; the run went on without it`,
          ),
          cause: `unanswered: ${place}`,
          times: requests.length,
          curl: curlLine({ url, hide }, first),
          recurs: () => staysSilent(url, requests.slice(0, AGAIN_MAX)),
        }
      }),
  }
}

/** Method and path without values: references and numbers are left out. */
const placeOf = ({ method, path }: WireRequest): string =>
  `${method} ${(path.split('?')[0] ?? path).replaceAll(/\/[^/]*\d[^/]*/g, '/…')}`

const staysSilent = async (url: string, requests: readonly WireRequest[]): Promise<boolean> => {
  for (const request of requests)
    if (
      await passOn(new URL(url), request).then(
        () => false,
        () => true,
      )
    )
      return true
  return false
}
