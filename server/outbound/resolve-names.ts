import { lookup as systemLookup, promises, type LookupAddress, type LookupAllOptions } from 'node:dns'

// The system's own lookup holds one of the four threads that also sign and read files, for as long as a name server
// hangs. Third parties choose the names here, so neither resolver below lets them occupy those threads.

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
export type Lookup = (hostname: string, options: LookupAllOptions, answered: LookupCallback) => void

/** The whole lookup ends sooner than the 5 s that a handshake may take. */
const DEADLINE_MS = 4_000
/**
 * c-ares checks its timers once per `timeout`, so a try takes up to twice as long, and it ignores answers to a try
 * that has ended.
 */
const TRY_MS = 1_000
const TRIES_MAX = 3
/**
 * Some name servers answer for one address family and stay silent about the other: after this time the known addresses
 * are used.
 */
const OTHER_FAMILY_MS = 1_000

interface DnsLookupOptions {
  /** `address:port`; defaults to the system's name servers (/etc/resolv.conf). */
  readonly servers?: readonly string[]
  readonly deadlineMs?: number
}

/**
 * Queries the name servers directly, over sockets and without a thread; uses no hosts file and no search list. Fails
 * with ENOTFOUND when the name or an address for it does not exist, with EAI_AGAIN when no server could answer.
 */
export const dnsLookup =
  (options: DnsLookupOptions = {}): Lookup =>
  (hostname, _options, answered) => {
    resolve(hostname, options).then(
      (addresses) => answered(null, addresses),
      (error: NodeJS.ErrnoException) => answered(error, []),
    )
  }

/**
 * Each lookup has a resolver of its own (20 µs): it can be cancelled alone, uses a new port, reads changed settings,
 * and keeps our timeout. A shared resolver learns from quick answers to wait only 250 ms
 * (https://github.com/nodejs/node/issues/57839).
 */
async function resolve(
  hostname: string,
  { servers, deadlineMs = DEADLINE_MS }: DnsLookupOptions,
): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: TRY_MS, tries: TRIES_MAX })
  if (servers) resolver.setServers(servers)
  const cancelAfter = (ms: number) => setTimeout(() => resolver.cancel(), ms)
  const timers = [cancelAfter(deadlineMs)]
  const request = async (family: 4 | 6): Promise<LookupAddress[]> => {
    const addresses = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname))
    if (addresses.length > 0) timers.push(cancelAfter(OTHER_FAMILY_MS))
    return addresses.map((address) => ({ address, family }))
  }
  const answers = await Promise.allSettled([request(4), request(6)])
  for (const timer of timers) clearTimeout(timer)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const codes = answers.map((answer) =>
    answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException).code : 'ENODATA',
  )
  // "No such name" holds for every family; "no address of this family" says nothing about the other.
  throw codes.includes('ENOTFOUND') || codes.every((code) => code === 'ENODATA')
    ? failure('ENOTFOUND')
    : failure('EAI_AGAIN')
}

const failure = (code: 'ENOTFOUND' | 'EAI_AGAIN'): NodeJS.ErrnoException =>
  Object.assign(new Error(`look-up failed: ${code}`), { code })

interface SystemLookupOptions {
  readonly lookup?: Lookup
  /** Concurrent lookups: two of the four threads. */
  readonly runningMax?: number
  /** Maximum number of callers that wait for one name. */
  readonly waitingMax?: number
  readonly deadlineMs?: number
}

/**
 * The system's lookup, with its hosts file and the names of a container network. It limits concurrent lookups and runs
 * one at a time per name. Callers that wait for the same name share the next lookup: every answer is newer than its
 * request.
 */
export function boundedSystemLookup({
  lookup = systemLookup,
  runningMax = 2,
  waitingMax = 128,
  deadlineMs = 9_000,
}: SystemLookupOptions = {}): Lookup {
  const waiting = new Map<string, Set<LookupCallback>>()
  const running = new Set<string>()

  function runNext(): void {
    for (const [hostname, line] of waiting) {
      if (running.size >= runningMax) return
      if (running.has(hostname)) continue
      waiting.delete(hostname)
      running.add(hostname)
      lookup(hostname, { all: true }, (...answer) => {
        running.delete(hostname)
        runNext()
        for (const answered of line) answered(...answer)
      })
    }
  }

  return (hostname, _options, answered) => {
    const line = waiting.get(hostname) ?? new Set()
    if (line.size >= waitingMax) return void setImmediate(answered, failure('EAI_AGAIN'), [])
    const leave: LookupCallback = (...answer) => {
      clearTimeout(timer)
      line.delete(leave)
      if (line.size === 0 && waiting.get(hostname) === line) waiting.delete(hostname)
      answered(...answer)
    }
    const timer = setTimeout(leave, deadlineMs, failure('EAI_AGAIN'), [])
    waiting.set(hostname, line.add(leave))
    runNext()
  }
}
