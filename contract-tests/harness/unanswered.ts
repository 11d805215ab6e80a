import { curlLine, type Redact } from './curl.ts'
import type { Finding } from './part.ts'
import { passOn, TIME_LIMIT_MS, type WireRequest } from './proxy.ts'

export type Unanswered = ReturnType<typeof createUnanswered>

/** A part may send hundreds of requests to an operation that never answers. */
const SILENT_TIMES = 3
const SILENT_LIMIT_MS = 1_000
/** Requests that got no reply in time. @param url of the server itself */
export function createUnanswered(url: string) {
  const noted = new Map<string, WireRequest[]>()
  return {
    note(request: WireRequest): void {
      const place = placeOf(request)
      noted.set(place, [...(noted.get(place) ?? []), request])
    },
    /** How long to wait for a request: less, once its operation has been silent several times. */
    limitMs: (request: WireRequest): number =>
      (noted.get(placeOf(request))?.length ?? 0) < SILENT_TIMES ? TIME_LIMIT_MS : SILENT_LIMIT_MS,
    /** One finding for each operation. @param hide replaces secrets */
    findings: (hide: Redact): Finding[] =>
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
          recurs: () => staysSilent(url, first),
        }
      }),
  }
}

/** Method and path without values: references and numbers are left out. */
const placeOf = ({ method, path }: WireRequest): string =>
  `${method} ${(path.split('?')[0] ?? path).replaceAll(/\/[^/]*\d[^/]*/g, '/…')}`

const staysSilent = (url: string, request: WireRequest): Promise<boolean> =>
  passOn(new URL(url), request).then(
    () => false,
    () => true,
  )
