import type { Clock } from '../../actions/ports/clock.ts'
import type { ExchangeReport, ExchangeOutcome, ExchangeRecord } from '../../actions/ports/operator-exchanges.ts'
import type { TraceCall } from '../../actions/ports/tracing.ts'
import {
  checkOutboundUrl,
  guardedAgent,
  type OutboundNetwork,
  type OutboundPolicy,
} from '../../outbound/outbound-guard.ts'
import type { CallOutcome, Circuit, EndCall } from '../circuit.ts'
import type { Drift } from '../drifted-field.ts'
import type { OperatorContract } from '../operator-contract.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld } from '../rail-kind.ts'
import type { Timers } from '../../actions/ports/timers.ts'
import { CALL_LIMITS, createCallLimiter, type CallLimits, type Purpose } from './call-limits.ts'
import { maskMessage, maskPath, secretsIn } from './mask-exchange.ts'
import {
  CALL_TIMES,
  oneCall,
  type CallDispatcher,
  type CallTimes,
  type OutgoingCall,
  type WholeReply,
} from './one-call.ts'

/** The endpoint of a rail account's calls, and the secrets to mask. */
interface ExchangeTarget {
  /** The rail account's name, for the record. */
  readonly name: string
  /** Scheme, host and port of all calls, optionally with a path that prefixes all paths of the contract. */
  readonly baseUrl: string
  /** Values of its secret settings: masked wherever they occur. */
  readonly secrets: readonly string[]
  /** PEM: the authority of the operator's certificate, if it is not a public one. */
  readonly ca?: string
}

export interface ExchangeOptions {
  readonly railAccount: ExchangeTarget
  readonly contract: OperatorContract
  readonly policy: OutboundPolicy
  readonly network?: OutboundNetwork
  /** Replaces guarded connections where there is no network. */
  readonly dispatcher?: CallDispatcher
  readonly limits?: Partial<CallLimits>
  readonly times?: Partial<CallTimes>
  readonly circuit: Circuit
  readonly record: ExchangeRecord
  readonly onExchange: (call: ExchangeReport) => void
  /** Called when a reply differs from the contract. The adapter gets the reply all the same. */
  readonly onDrift?: (operationId: string, drift: readonly Drift[]) => void
  /** Absent: calls are not traced. */
  readonly trace?: TraceCall
  readonly clock: Clock
  readonly timers: Timers
}

/** All calls of one rail account. */
export interface Exchange extends Pick<RailWorld, 'fetchFor'> {
  /** Aborts all pending calls: they went out, and their replies are unknown. */
  close(): Promise<void>
}

/** Diagnostic calls that a person starts: an open circuit breaker does not block them, and they do not change it. */
const BESIDE_THE_CIRCUIT: ReadonlySet<Purpose> = new Set(['check', 'provision'])

export function createExchange(options: ExchangeOptions): Exchange {
  const { railAccount, contract, policy, circuit, record, onExchange: reported, clock, timers } = options
  const limits = { ...CALL_LIMITS, ...options.limits }
  const times = { ...CALL_TIMES, ...options.times }
  const limiter = createCallLimiter(limits, timers)
  const dispatcher =
    options.dispatcher ??
    guardedAgent(policy, options.network, {
      connectTimeoutMs: times.connectMs,
      connectionsPerHost: limits.concurrency,
      ...(railAccount.ca !== undefined && { ca: railAccount.ca }),
    })

  /** @throws NotSent while the circuit breaker is open */
  function enter(purpose: Purpose): EndCall {
    if (BESIDE_THE_CIRCUIT.has(purpose)) return () => {}
    const end = circuit.enter()
    if (!end) throw new CircuitOpen()
    return end
  }

  async function called(about: ExchangeAbout, prepared: PreparedCall, end: EndCall) {
    const at = clock.now()
    const startedMs = timers.elapsedMs()
    const attempt = await traced(options, about, prepared, (call) => oneCall(dispatcher, call, times, timers))
    const durationMs = Math.round(timers.elapsedMs() - startedMs)
    end(circuitOutcome(attempt, about.purpose), attempt.error?.message ?? `HTTP ${attempt.reply?.status}`)
    if (attempt.drift?.length) options.onDrift?.(prepared.operationId, attempt.drift)
    reported({ purpose: about.purpose, outcome: attempt.outcome, durationMs })
    record.add({
      railAccount: railAccount.name,
      ...about,
      at,
      durationMs,
      ...keptOf(prepared.call, attempt, railAccount.secrets),
    })
    if (attempt.error) throw attempt.error
    return responseOf(attempt.reply, attempt.body)
  }

  return {
    fetchFor: (about) => async (request) => {
      const { purpose } = about
      let hasBegun = false
      try {
        if (!BESIDE_THE_CIRCUIT.has(purpose) && circuit.state().state === 'open') throw new CircuitOpen()
        const prepared = await prepare(request, railAccount.baseUrl, policy, contract)
        return await limiter.take(purpose, () => {
          const end = enter(purpose)
          hasBegun = true
          return called(about, prepared, end)
        })
      } catch (error) {
        if (!hasBegun) reported({ purpose, outcome: 'not_sent' })
        throw error
      }
    },
    close: () => dispatcher.destroy(),
  }
}

class CircuitOpen extends NotSent {
  constructor() {
    super('the operator has not answered lately: the circuit is open')
  }
}

interface PreparedCall {
  readonly call: OutgoingCall
  readonly operationId: string
}

/** @throws NotSent for a request that is not a call of the contract to this rail account */
async function prepare(
  request: Request,
  baseUrl: string,
  policy: OutboundPolicy,
  contract: OperatorContract,
): Promise<PreparedCall> {
  try {
    const base = new URL(baseUrl)
    const url = checkOutboundUrl(request.url, policy)
    const basePath = base.pathname.replace(/\/$/, '')
    if (url.origin !== base.origin || !url.pathname.startsWith(`${basePath}/`))
      throw new NotSent('the call does not go to the address of the rail account')
    const operationId = contract.operationFor(request.method, url.pathname.slice(basePath.length))
    if (operationId === undefined) throw new NotSent('the operator’s contract has no such call')
    const body = new Uint8Array(await request.arrayBuffer())
    const headers = { accept: 'application/json', 'user-agent': 'Malipo/1.0', ...Object.fromEntries(request.headers) }
    const { origin, pathname, search } = url
    const call = { origin, method: request.method, path: `${pathname}${search}`, headers }
    return { operationId, call: body.length > 0 ? { ...call, body } : call }
  } catch (error) {
    if (error instanceof NotSent) throw error
    throw new NotSent(error instanceof Error ? error.message : 'the call cannot be made', { cause: error })
  }
}

/**
 * Sends the call with a span of its own if the job of its order is traced. The record for support does not include the
 * trace header.
 */
async function traced(
  { trace, contract }: Pick<ExchangeOptions, 'trace' | 'contract'>,
  about: ExchangeAbout,
  prepared: PreparedCall,
  send: (call: OutgoingCall) => Promise<WholeReply>,
): Promise<Attempt> {
  const { call, operationId } = prepared
  const span = trace?.({ ...about, ...call, pathTemplate: contract.pathTemplateOf(operationId) })
  if (!span) return attempted(() => send(call), contract, prepared)
  const headers = { ...call.headers, traceparent: span.traceparent }
  const attempt = await attempted(() => send({ ...call, headers }), contract, prepared)
  const { outcome, reply, error } = attempt
  span.end({ ...(reply && { status: reply.status }), ...(error && { error: outcome }) })
  return attempt
}

type Attempt =
  | {
      readonly outcome: ExchangeOutcome
      readonly reply: WholeReply
      /** What the adapter reads. */
      readonly body: Uint8Array
      readonly drift: readonly Drift[]
      /** The reply to a query says that the order has no result yet. */
      readonly isNoResultYet: boolean
      readonly error?: undefined
    }
  | {
      readonly outcome: ExchangeOutcome
      readonly reply?: WholeReply
      readonly drift?: undefined
      readonly isNoResultYet?: undefined
      readonly error: NotSent | NoAnswer
    }

async function attempted(
  call: () => Promise<WholeReply>,
  contract: OperatorContract,
  { operationId }: PreparedCall,
): Promise<Attempt> {
  try {
    const reply = await call()
    const read = contract.readReply(operationId, reply)
    if ('fault' in read) {
      // The API gateway's own error page, or its rate limit error, says nothing about the API.
      const outcome = reply.status >= 500 || reply.status === TOO_MANY ? outcomeOf(reply.status) : 'broke_contract'
      const error = new NoAnswer(`the answer breaks the contract: ${read.fault}`, { status: reply.status })
      return { outcome, reply, error }
    }
    const { value, body, drift } = read
    return { outcome: outcomeOf(reply.status), reply, body, drift, isNoResultYet: contract.isNoResultYet(value) }
  } catch (error) {
    if (error instanceof NotSent) return { outcome: 'not_sent', error }
    if (error instanceof NoAnswer) return { outcome: 'no_answer', error }
    return { outcome: 'no_answer', error: new NoAnswer('the answer could not be read', { cause: error }) }
  }
}

function outcomeOf(status: number): ExchangeOutcome {
  if (status < 300) return 'ok'
  return status < 500 ? 'refused' : 'server_error'
}

/** Statuses of an API gateway whose backend is down. Operators return other 5xx statuses for single orders too. */
const NOBODY_BEHIND: ReadonlySet<number> = new Set([502, 503, 504])

const TOO_MANY = 429

function circuitOutcome({ outcome, reply, error, isNoResultYet }: Attempt, purpose: Purpose): CallOutcome {
  if (!reply || NOBODY_BEHIND.has(reply.status)) return 'failed'
  // A server replied, but perhaps not the operator's current API: its API gateway, or a new version.
  if (error) return reply.status >= 500 ? 'failed' : 'doubtful'
  // In reply to an order, the same code may have a cause that affects all orders.
  const isHealthy = outcome !== 'server_error' || (isNoResultYet === true && purpose === 'ask')
  return isHealthy ? 'ok' : 'doubtful'
}

function keptOf({ method, path, headers, body }: OutgoingCall, { reply, error }: Attempt, secrets: readonly string[]) {
  const request = { headers: Object.entries(headers), body: body ?? new Uint8Array() }
  const hidden = [...secrets, ...secretsIn(request)]
  return {
    method,
    path: maskPath(path, hidden),
    request: maskMessage(request, hidden),
    ...(reply && { status: reply.status, reply: maskMessage(reply, hidden) }),
    ...(error && { error: error.message }),
  }
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** Sets the true content length: openapi-fetch uses it to distinguish an empty body from JSON. */
function responseOf({ status, headers }: WholeReply, body: Uint8Array): Response {
  const reported = new Headers(headers)
  reported.delete('transfer-encoding')
  reported.set('content-length', String(body.length))
  return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(body), { status, headers: reported })
}
