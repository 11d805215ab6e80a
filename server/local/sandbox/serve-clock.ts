import type { FastifyInstance } from 'fastify'
import { readCapped } from '../../http/body.ts'
import { DURATION, durationMs } from './duration.ts'
import { isJson, isSameOrigin, sendJson, type RouteDeps } from './inbox-http.ts'

/** What the clock of the sandbox shows. */
interface ClockShown {
  readonly now: Date
  readonly realNow: Date
  readonly aheadMs: number
}

/** Where an advance has led. */
export interface AdvancedClock extends ClockShown {
  /** False: the time-out came first, and the clock stands at the last due time. */
  readonly finished: boolean
  /** How many jobs of each kind are due or run, where it did not finish. */
  readonly due: Readonly<Record<string, number>>
}

/** `busy`: it is being advanced already. */
export type ClockAdvance = AdvancedClock | 'busy'

/** The clock of the sandbox, for those who advance it. */
export interface ClockDesk {
  show(): ClockShown
  /** Runs everything that is due until then, each at its time. */
  advance(to: Date, timeoutMs: number): Promise<ClockAdvance>
}

const CLOCK = '/sandbox/clock'
const BODY_MAX_BYTES = 1_024
const YEAR_MS = 366 * 24 * 3_600_000
const TIMEOUT_SECONDS = 60
const TIMEOUT_SECONDS_MAX = 240
/** From a time-out to the reply. */
const SETTLING_MS = 30_000

interface AdvanceRequest {
  readonly to: Date
  readonly timeoutMs: number
}

/** Serves `GET /sandbox/clock` and `POST /sandbox/clock/advance`. */
export function serveClock(
  app: FastifyInstance,
  { desk, refuse, allowOnly }: Pick<RouteDeps, 'refuse' | 'allowOnly'> & { readonly desk: () => ClockDesk | undefined },
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: CLOCK,
    handler: async (request, reply) => {
      const clock = desk()
      return clock ? sendJson(reply, toWire(clock.show())) : refuse(request, reply, 503, STARTING)
    },
  })

  app.post(`${CLOCK}/advance`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'The clock is advanced by programs, not by pages')
    if (!isJson(request.headers['content-type']))
      return refuse(request, reply, 415, 'Content-Type must be application/json')
    const clock = desk()
    if (!clock) return refuse(request, reply, 503, STARTING)
    const body = await readCapped(request.raw, BODY_MAX_BYTES)
    const requested = typeof body === 'string' ? SHAPE : readAdvance(body.toString('utf8'), clock.show().now)
    if (typeof requested === 'string') return refuse(request, reply, 400, requested)
    // Longer than a silent connection may live otherwise; the next request has the usual limit again.
    request.raw.socket.setTimeout(requested.timeoutMs + SETTLING_MS)
    const advanced = await clock.advance(requested.to, requested.timeoutMs)
    if (advanced === 'busy') return refuse(request, reply, 409, 'The clock is being advanced already')
    return sendJson(reply, { ...toWire(advanced), finished: advanced.finished, due: advanced.due })
  })

  allowOnly(app, CLOCK, ['GET', 'HEAD'])
  allowOnly(app, `${CLOCK}/advance`, ['POST'])
}

const STARTING = 'The sandbox is still starting'
const SHAPE = 'The body must be a JSON object with by, such as "24h", or to, a time'

const toWire = ({ now, realNow, aheadMs }: ClockShown) => ({
  now: now.toISOString(),
  real_now: realNow.toISOString(),
  ahead_ms: aheadMs,
})

/** @returns what is wrong, in words */
function readAdvance(text: string, now: Date): AdvanceRequest | string {
  const fields = parsed(text)
  if (!fields) return SHAPE
  const { by, to, timeout_seconds: seconds = TIMEOUT_SECONDS, ...others } = fields
  const [other] = Object.keys(others)
  if (other !== undefined) return `${other} is not allowed`
  if ((by === undefined) === (to === undefined)) return 'Either by or to is required'
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX))
    return `timeout_seconds must be a number up to ${TIMEOUT_SECONDS_MAX}`
  const at = by === undefined ? timeOf(to) : laterBy(now, by)
  if (at === undefined) return by === undefined ? `to must be a time such as ${now.toISOString()}` : `by ${DURATION}`
  if (at.getTime() - now.getTime() > YEAR_MS) return 'The clock is advanced by a year at most'
  return { to: at, timeoutMs: seconds * 1_000 }
}

function laterBy(now: Date, by: unknown): Date | undefined {
  const ms = durationMs(by)
  return ms === undefined ? undefined : new Date(now.getTime() + ms)
}

function timeOf(to: unknown): Date | undefined {
  const isTime = typeof to === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(to)
  const at = isTime ? new Date(to) : undefined
  return at && !Number.isNaN(at.getTime()) ? at : undefined
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
