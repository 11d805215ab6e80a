import type { PutOff, Turns } from '../actions/ports.ts'

export interface Share {
  /** Actions of one key that run at the same time. */
  readonly runningMax: number
  /** Actions of one key that may wait for their turn. */
  readonly waitingMax: number
}

export interface TurnsOptions {
  readonly perHost: Share
  /** Whatever the number of its host names. */
  readonly perMerchant: Share
  /** How long one may wait: far less than a lease, or the same work would be taken up twice. */
  readonly waitMs: number
  /** How long it takes to be turned away when the line is full: a backlog for one key is not claimed and put off in a busy loop. */
  readonly awayMs: number
}

interface Line extends Share {
  running: number
  readonly waiting: Set<Waiter>
  /** Places that the last answers have left: each slow one halves them, each prompt one doubles them again up to `runningMax`. */
  places: number
  /** Since the last prompt answer. */
  turnedAway: number
}

interface Waiter {
  readonly lines: readonly Line[]
  readonly start: () => void
}

/** Many hosts that hang must not hold all of the capacity together, so each keeps this little of its share until it answers again. */
export const PLACES_MIN = 4
/** Hosts that were slow are remembered while nothing runs there; the oldest of more than this many are forgotten. */
const REMEMBERED_MAX = 10_000
const PUT_OFF_MS = 5_000
/** The longer the backlog, the later it is asked for again: a host that hangs is not claimed and put off all the time. */
const PUT_OFF_STEP_MS = 50
const PUT_OFF_MS_MAX = 300_000

const hasPlace = ({ running, places }: Line): boolean => running < places
/** Nobody waits for a host that was slow: who waits holds capacity. */
const takesWaiting = ({ waiting, waitingMax, places, runningMax }: Line): boolean => waiting.size < waitingMax && places === runningMax

/** An action runs when its host and its merchant both have a free place; some more wait for a while, first come first served; what has no turn by then is turned away. */
export function createTurns({ perHost, perMerchant, waitMs, awayMs }: TurnsOptions): Turns {
  const hosts = new Map<string, Line>()
  const merchants = new Map<bigint, Line>()

  return async ({ host, merchantId }, action) => {
    const hostLine = lineOf(hosts, host, perHost)
    const lines = [hostLine, lineOf(merchants, merchantId, perMerchant)]
    if (lines.every(hasPlace)) for (const line of lines) line.running += 1
    else if (!lines.every(takesWaiting)) return pause(awayMs).then(() => putOff(hostLine))
    else if (!(await wait(lines, waitMs))) return putOff(hostLine)
    try {
      adapt(hostLine, await action())
    } finally {
      for (const line of lines) line.running -= 1
      for (const line of lines) startNext(line)
      forgetIdle(hosts, host)
      forgetIdle(merchants, merchantId)
    }
    return undefined
  }
}

function lineOf<Key>(lines: Map<Key, Line>, key: Key, share: Share): Line {
  const line = lines.get(key) ?? { ...share, running: 0, waiting: new Set(), places: share.runningMax, turnedAway: 0 }
  lines.set(key, line)
  return line
}

function adapt(line: Line, wasPrompt: boolean): void {
  line.places = wasPrompt ? Math.min(line.places * 2, line.runningMax) : Math.max(Math.floor(line.places / 2), Math.min(PLACES_MIN, line.runningMax))
  if (wasPrompt) line.turnedAway = 0
}

function putOff(line: Line): PutOff {
  line.turnedAway += 1
  return { afterMs: Math.min(PUT_OFF_MS + (line.turnedAway - 1) * PUT_OFF_STEP_MS, PUT_OFF_MS_MAX) }
}

const isIdle = ({ running, waiting }: Line): boolean => running === 0 && waiting.size === 0

function forgetIdle<Key>(lines: Map<Key, Line>, key: Key): void {
  const line = lines.get(key)
  if (line && isIdle(line) && line.places === line.runningMax) lines.delete(key)
  if (lines.size <= REMEMBERED_MAX) return
  const [oldest] = lines
  if (oldest && isIdle(oldest[1])) lines.delete(oldest[0])
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves true with a place in every line, or false when the time is up. */
const wait = (lines: readonly Line[], waitMs: number): Promise<boolean> => new Promise((resolve) => {
  const leave = () => {
    clearTimeout(timer)
    for (const line of lines) line.waiting.delete(waiter)
  }
  const waiter: Waiter = {
    lines,
    start() {
      leave()
      for (const line of lines) line.running += 1
      resolve(true)
    },
  }
  const timer = setTimeout(() => {
    leave()
    resolve(false)
  }, waitMs)
  for (const line of lines) line.waiting.add(waiter)
})

/** Those whose other line is full are passed over: they must not keep a place from those who can use it. */
function startNext(line: Line): void {
  for (const { lines, start } of line.waiting) {
    if (!hasPlace(line)) return
    if (lines.every(hasPlace)) start()
  }
}
