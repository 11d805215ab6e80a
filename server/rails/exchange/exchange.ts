import type { Clock } from '../../actions/ports/clock.ts'
import type { CallTold, ExchangeOutcome, ExchangeRecord } from '../../actions/ports/operator-exchanges.ts'
import type { TraceCall } from '../../actions/ports/tracing.ts'
import {
  checkOutboundUrl,
  guardedAgent,
  type OutboundNetwork,
  type OutboundPolicy,
} from '../../outbound/outbound-guard.ts'
import type { CallOutcome, Circuit } from '../circuit.ts'
import type { Drift } from '../drift.ts'
import type { OperatorContract } from '../operator-contract.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld } from '../rail-kind.ts'
import type { Timers } from '../timers.ts'
import { CALL_LIMITS, createCallTurns, type CallLimits, type Purpose } from './call-limits.ts'
import { maskMessage, maskPath, secretsIn } from './mask-exchange.ts'
import {
  CALL_TIMES,
  oneCall,
  type CallDispatcher,
  type CallTimes,
  type OutgoingCall,
  type WholeReply,
} from './one-call.ts'

/** Where an installation's calls go, and what must never be seen of them. */
export interface ExchangeTarget {
  /** The installation's name, in the record. */
  readonly name: string
  /** Scheme, host and port that all calls go to, perhaps with a path that all paths of the contract follow. */
  readonly baseUrl: string
  /** Values of its secret settings: masked wherever they stand. */
  readonly secrets: readonly string[]
  /** PEM: the authority of the operator's certificate, where that is not a public one. */
  readonly ca?: string
}

export interface ExchangeOptions {
  readonly installation: ExchangeTarget
  readonly contract: OperatorContract
  readonly policy: OutboundPolicy
  readonly network?: OutboundNetwork
  /** In the place of guarded connections, where there is no network. */
  readonly dispatcher?: CallDispatcher
  readonly limits?: Partial<CallLimits>
  readonly times?: Partial<CallTimes>
  readonly circuit: Circuit
  readonly record: ExchangeRecord
  readonly told: (call: CallTold) => void
  /** Hears where an answer differs from the contract. It is an answer all the same. */
  readonly onDrift?: (operationId: string, drift: readonly Drift[]) => void
  /** Absent: no call belongs to a trace. */
  readonly trace?: TraceCall
  readonly clock: Clock
  readonly timers: Timers
}

/** All calls of one installation. */
export interface Exchange extends Pick<RailWorld, 'fetchFor'> {
  /** Ends what still hangs: it went out, and nobody knows the answer. */
  close(): Promise<void>
}

/** Calls that a person makes, to find out what is wrong: an open circuit does not stop them, nor do they change it. */
const BESIDE_THE_CIRCUIT: ReadonlySet<Purpose> = new Set(['check', 'provision'])

export function createExchange(options: ExchangeOptions): Exchange {
  const { installation, contract, policy, circuit, record, told, clock, timers } = options
  const limits = { ...CALL_LIMITS, ...options.limits }
  const times = { ...CALL_TIMES, ...options.times }
  const turns = createCallTurns(limits, timers)
  const dispatcher =
    options.dispatcher ??
    guardedAgent(policy, options.network, {
      connectTimeoutMs: times.connectMs,
      connectionsPerHost: limits.concurrency,
      ...(installation.ca !== undefined && { ca: installation.ca }),
    })

  /** @throws NotSent while the operator counts as dead */
  function enter(purpose: Purpose): (outcome: CallOutcome) => void {
    if (BESIDE_THE_CIRCUIT.has(purpose)) return () => {}
    const end = circuit.enter()
    if (!end) throw new CircuitOpen()
    return end
  }

  async function called(about: ExchangeAbout, prepared: PreparedCall, end: (outcome: CallOutcome) => void) {
    const at = clock.now()
    const startedMs = timers.elapsedMs()
    const attempt = await traced(options, about, prepared, (call) => oneCall(dispatcher, call, times, timers))
    const durationMs = Math.round(timers.elapsedMs() - startedMs)
    end(circuitOutcome(attempt, about.purpose))
    if (attempt.drift?.length) options.onDrift?.(prepared.operationId, attempt.drift)
    told({ purpose: about.purpose, outcome: attempt.outcome, durationMs })
    record.add({
      installation: installation.name,
      ...about,
      at,
      durationMs,
      ...keptOf(prepared.call, attempt, installation.secrets),
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
        const prepared = await prepare(request, installation.baseUrl, policy, contract)
        return await turns.take(purpose, () => {
          const end = enter(purpose)
          hasBegun = true
          return called(about, prepared, end)
        })
      } catch (error) {
        if (!hasBegun) told({ purpose, outcome: 'not_sent' })
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

/** @throws NotSent for what is no call of the contract to this installation */
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
      throw new NotSent('the call does not go to the address of the installation')
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

/** Sent with a span of its own, where the work of its order is traced. What is kept for support is without it. */
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
      /** In answer to a query it says that the order has no result yet. */
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
      // A front's own page, or that it is too busy, says nothing about the API.
      const outcome = reply.status >= 500 || reply.status === TOO_MANY ? outcomeOf(reply.status) : 'broke_contract'
      return { outcome, reply, error: new NoAnswer(`the answer breaks the contract: ${read.fault}`) }
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

/** What a front says when nothing is behind it. Other 500s, operators give to single orders too. */
const NOBODY_BEHIND: ReadonlySet<number> = new Set([502, 503, 504])

const TOO_MANY = 429

function circuitOutcome({ outcome, reply, error, isNoResultYet }: Attempt, purpose: Purpose): CallOutcome {
  if (!reply || NOBODY_BEHIND.has(reply.status)) return 'failed'
  // Something answered, but perhaps not the operator: its front, or a new version of its API.
  if (error) return reply.status >= 500 ? 'failed' : 'doubtful'
  // In answer to an order the same code may have a reason that all orders have.
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

/** With its true length: openapi-fetch goes by it to tell an empty body from one that is JSON. */
function responseOf({ status, headers }: WholeReply, body: Uint8Array): Response {
  const told = new Headers(headers)
  told.delete('transfer-encoding')
  told.set('content-length', String(body.length))
  return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(body), { status, headers: told })
}
