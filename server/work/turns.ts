import type { PutOff, Turns } from '../actions/ports/turns.ts'
import type { Shares } from './addressees.ts'
import { systemTimers, type Timers } from './timers.ts'

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
  /**
   * How long it takes to be turned away when the line is full: a backlog for one key is not claimed and put off in a
   * busy loop.
   */
  readonly awayMs: number
}

interface Line extends Share {
  running: number
  readonly waiting: Set<Waiter>
  /**
   * How many may run now: few at first, each prompt answer doubles them up to `runningMax`, each slow one halves them.
   */
  places: number
  /** The last answer was. */
  isSlow: boolean
  /** How long actions took lately, on average. */
  tookMs: number
  /** An answer was prompt before. */
  isKnown: boolean
  /** When everybody who was turned away so far will have had a turn. */
  freeAt: number
}

interface Waiter {
  readonly lines: readonly Line[]
  readonly start: () => void
}

/** Whose line an addressee stood in lately, and until when it was asked to stay away. */
interface Addressee {
  line: Line
  putOffUntil: number
}

export interface HostTurns {
  readonly turns: Turns
  /** What may be claimed for each addressee: about what has a place, and nothing while it was asked to stay away. */
  readonly shares: Shares
}

/** A server that we know nothing about is not met by all of its share at once. */
const PLACES_FIRST = 16
/**
 * So many more than have a place are claimed of who answers promptly. What is in progress also waits for its signature and
 * for the commit of its outcome, half a second on a busy machine: with 64 a single server was told 440 callbacks a second
 * where the processors had enough for 750; more than this brought no more.
 */
const WAITING_READY = 256
/**
 * Many hosts that hang must not hold all of the capacity together, so each keeps this little of its share until it
 * answers again.
 */
const PLACES_MIN = 4
/**
 * How fast they answer is remembered of so many hosts while nothing runs there; of more than this the oldest are
 * forgotten.
 */
const REMEMBERED_MAX = 10_000
/**
 * Who is turned away is asked to come back about when it is their turn: a backlog is neither claimed and put off all
 * the time, nor left waiting for nothing. And not for long: a server that was slow for a moment only must not be left
 * waiting for minutes.
 */
const PUT_OFF_MS = { min: 100, max: 20_000 }
/**
 * Whoever has more waiting is asked again once so many answers of its server could have come: one that was slow for a
 * moment, because we were, had been left alone for 17 s with thousands of callbacks waiting for it.
 */
const PUT_OFF_ANSWERS = 4
const FIRST_GUESS_MS = 100
/** How much the newest time counts. */
const NEWEST = 0.2

const hasPlace = ({ running, places }: Line): boolean => running < places
/** Nobody waits for a host that was slow: who waits holds capacity. */
const takesWaiting = ({ waiting, waitingMax, isSlow }: Line): boolean => waiting.size < waitingMax && !isSlow

/**
 * An action runs when its host and its merchant both have a free place; some more wait for a while, first come first
 * served; what has no turn by then is turned away.
 */
export function createTurns(
  { perHost, perMerchant, waitMs, awayMs }: TurnsOptions,
  timers: Timers = systemTimers,
): HostTurns {
  const hosts = new Map<string, Line>()
  const merchants = new Map<bigint, Line>()
  const addressees = new Map<string, Addressee>()

  function leave(addressee: Addressee): PutOff {
    const away = putOff(addressee.line, timers)
    addressee.putOffUntil =
      timers.elapsedMs() + Math.min(away.afterMs, Math.max(addressee.line.tookMs * PUT_OFF_ANSWERS, PUT_OFF_MS.min))
    return away
  }

  const turns: Turns = async ({ host, merchantId, addressee: name }, prepare) => {
    const hostLine = lineOf(hosts, host, perHost, PLACES_FIRST)
    const addressee = addresseeAt(addressees, name, hostLine)
    const lines = [hostLine, lineOf(merchants, merchantId, perMerchant)]
    const noHope = (): boolean => !lines.every(hasPlace) && !lines.every(takesWaiting)
    // Preparing takes processor time, and no place: a host is not kept waiting for our own work.
    const action = noHope() ? undefined : await prepare()
    if (!action || noHope()) return pause(timers, awayMs).then(() => leave(addressee))
    if (lines.every(hasPlace)) for (const line of lines) line.running += 1
    else if (!(await wait(timers, lines, waitMs))) return leave(addressee)
    const startedAt = timers.elapsedMs()
    try {
      const wasPrompt = await action()
      adapt(hostLine, wasPrompt, timers.elapsedMs() - startedAt)
      if (wasPrompt) addressee.putOffUntil = 0
    } finally {
      for (const line of lines) line.running -= 1
      for (const line of lines) startNext(line)
      forgetOldest(hosts, (line) => line)
      forgetOldest(merchants, (line) => line)
      forgetOldest(addressees, ({ line }) => line)
    }
    return undefined
  }
  return { turns, shares: sharesOf(addressees, timers) }
}

function sharesOf(addressees: ReadonlyMap<string, Addressee>, timers: Timers): Shares {
  const lineOfAddressee = (name: string): Line | undefined => addressees.get(name)?.line
  return {
    first: PLACES_FIRST,
    of(name) {
      const line = lineOfAddressee(name)
      return (line?.places ?? PLACES_FIRST) + (line?.isKnown && !line.isSlow ? WAITING_READY : 0)
    },
    isSlow: (name) => lineOfAddressee(name)?.isSlow ?? false,
    isPutOff: (name) => (addressees.get(name)?.putOffUntil ?? 0) > timers.elapsedMs(),
  }
}

function lineOf<Key>(lines: Map<Key, Line>, key: Key, share: Share, placesFirst = share.runningMax): Line {
  const line = lines.get(key) ?? {
    ...share,
    running: 0,
    waiting: new Set(),
    places: Math.min(placesFirst, share.runningMax),
    isSlow: false,
    isKnown: false,
    tookMs: FIRST_GUESS_MS,
    freeAt: 0,
  }
  lines.set(key, line)
  return line
}

function adapt(line: Line, wasPrompt: boolean, tookMs: number): void {
  // A host that is back: what it did while it was slow says nothing any more.
  const isBack = wasPrompt && line.isSlow
  if (isBack) line.freeAt = 0
  line.isSlow = !wasPrompt
  line.isKnown ||= wasPrompt
  line.tookMs = isBack ? tookMs : line.tookMs + (tookMs - line.tookMs) * NEWEST
  line.places = wasPrompt
    ? Math.min(line.places * 2, line.runningMax)
    : Math.max(Math.floor(line.places / 2), Math.min(PLACES_MIN, line.runningMax))
}

function putOff(line: Line, timers: Timers): PutOff {
  const now = timers.elapsedMs()
  const stepMs = line.tookMs / line.places
  line.freeAt = Math.min(Math.max(line.freeAt, now + line.waiting.size * stepMs) + stepMs, now + PUT_OFF_MS.max)
  return { afterMs: Math.round(Math.max(line.freeAt - now, PUT_OFF_MS.min)) }
}

function addresseeAt(addressees: Map<string, Addressee>, name: string, line: Line): Addressee {
  const addressee = addressees.get(name) ?? { line, putOffUntil: 0 }
  addressee.line = line
  addressees.set(name, addressee)
  return addressee
}

const isIdle = ({ running, waiting }: Line): boolean => running === 0 && waiting.size === 0

function forgetOldest<Key, Known>(known: Map<Key, Known>, lineOfOne: (one: Known) => Line): void {
  if (known.size <= REMEMBERED_MAX) return
  const [oldest] = known
  if (oldest && isIdle(lineOfOne(oldest[1]))) known.delete(oldest[0])
}

const pause = (timers: Timers, ms: number): Promise<void> => new Promise((resolve) => void timers.after(ms, resolve))

/** Resolves true with a place in every line, or false when the time is up. */
const wait = (timers: Timers, lines: readonly Line[], waitMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const leave = () => {
      cancelTimer()
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
    const cancelTimer = timers.after(waitMs, () => {
      leave()
      resolve(false)
    })
    for (const line of lines) line.waiting.add(waiter)
  })

/** Those whose other line is full are passed over: they must not keep a place from those who can use it. */
function startNext(line: Line): void {
  for (const { lines, start } of line.waiting) {
    if (!hasPlace(line)) return
    if (lines.every(hasPlace)) start()
  }
}
