import { lookup as systemLookup, promises, type LookupAddress, type LookupAllOptions } from 'node:dns'

// The system's own look-up holds one of the four threads that also sign and read files, for as long as a name server
// hangs. Strangers choose the names here, so neither way below lets them have those threads.

type Answered = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
export type Lookup = (hostname: string, options: LookupAllOptions, answered: Answered) => void

/** The whole look-up ends sooner than the 5 s that a handshake may take. */
const DEADLINE_MS = 4_000
/**
 * c-ares looks at its watch once in `timeout`, so a try takes up to twice as long, and listens to no answer of a try
 * that has ended.
 */
const TRY_MS = 1_000
const TRIES_MAX = 3
/** Some name servers answer one family and are silent about the other: what is known is used after this. */
const OTHER_FAMILY_MS = 1_000

export interface DnsLookupOptions {
  /** `address:port`; those of the system (/etc/resolv.conf) otherwise. */
  readonly servers?: readonly string[]
  readonly deadlineMs?: number
}

/**
 * Asks the name servers themselves, over sockets and without a thread; knows no hosts file and no search list.
 * Fails with ENOTFOUND when there is no such name or no address of it, with EAI_AGAIN when nobody could say.
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
 * Each look-up has a resolver of its own (20 µs): it can be cancelled alone, asks from a new port, reads changed
 * settings, and its patience is ours. One that is shared learns from quick answers to wait 250 ms only
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
  const ask = async (family: 4 | 6): Promise<LookupAddress[]> => {
    const addresses = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname))
    if (addresses.length > 0) timers.push(cancelAfter(OTHER_FAMILY_MS))
    return addresses.map((address) => ({ address, family }))
  }
  const answers = await Promise.allSettled([ask(4), ask(6)])
  for (const timer of timers) clearTimeout(timer)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const codes = answers.map((answer) =>
    answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException).code : 'ENODATA',
  )
  // That a name does not exist holds for every family; that it has no address of one family says nothing about the
  // other.
  throw codes.includes('ENOTFOUND') || codes.every((code) => code === 'ENODATA')
    ? failure('ENOTFOUND')
    : failure('EAI_AGAIN')
}

const failure = (code: 'ENOTFOUND' | 'EAI_AGAIN'): NodeJS.ErrnoException =>
  Object.assign(new Error(`look-up failed: ${code}`), { code })

export interface SystemLookupOptions {
  readonly lookup?: Lookup
  /** Names that are looked up at the same time: two of the four threads. */
  readonly runningMax?: number
  /** Callers that may wait for one name. */
  readonly waitingMax?: number
  readonly deadlineMs?: number
}

/**
 * The system's look-up, with its hosts file and the names of a container network, for a few names at a time, each of
 * them once. Who waits for the same name shares the next look-up of it: every answer is newer than its question.
 */
export function boundedSystemLookup({
  lookup = systemLookup,
  runningMax = 2,
  waitingMax = 128,
  deadlineMs = 9_000,
}: SystemLookupOptions = {}): Lookup {
  const waiting = new Map<string, Set<Answered>>()
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
    const leave: Answered = (...answer) => {
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
