import type { Dispatcher } from 'undici'
import type { CallDispatcher } from '../../../rails/exchange/one-call.ts'
import type { Member, Scheduler } from '../scheduler.ts'
import type { ContractRequest } from '../../../../openapi/operators/simulator/contract/backend.ts'
import { readJson } from '../../../../openapi/operators/simulator/json.ts'
import type { OperatorReply } from '../../../../openapi/operators/simulator/operator.ts'
import type { ComesBack, CallFault } from './ways.ts'

/** Replies to calls, possibly with a fault. */
interface CalledOperator {
  wayOf(queried: ContractRequest): CallFault
  answer(queried: ContractRequest): Promise<OperatorReply>
}

/**
 * Replaces the connections of one process. Each call takes one step before it is sent and one before its reply is
 * received. A process that dies in between receives nothing, while the operator continues.
 */
export const callsInSteps = (member: Member, scheduler: Scheduler, operator: CalledOperator): CallDispatcher => ({
  dispatch(options, handler) {
    void callInSteps(queriedBy(options), handler, { member, scheduler, operator })
    return true
  },
  destroy: async () => undefined,
})

interface CallContext {
  readonly member: Member
  readonly scheduler: Scheduler
  readonly operator: CalledOperator
}

async function callInSteps(
  queried: ContractRequest,
  handler: Dispatcher.DispatchHandler,
  { member, scheduler, operator }: CallContext,
): Promise<void> {
  const name = `${queried.method} ${queried.path.replace(/[0-9a-f-]{36}/, '…')}`
  await scheduler.step(member, 'network', `calls ${name}`)
  const way = operator.wayOf(queried)
  if (!way.isSent) return handler.onResponseError?.(CONTROLLER, refusedConnection())
  try {
    handler.onRequestStart?.(CONTROLLER, {})
  } catch {
    // The caller has given up: the call is never sent.
    return
  }
  const comesBack = await travel(queried, way, { scheduler, operator })
  if (comesBack === 'silence') return
  await scheduler.step(member, 'network', `receives that ${name} ${way.what}${statusIn(comesBack)}`)
  if (comesBack === 'reset') return handler.onResponseError?.(CONTROLLER, endedConnection())
  handler.onResponseStart?.(CONTROLLER, comesBack.status, { ...comesBack.headers })
  if (comesBack.body.length > 0) handler.onResponseData?.(CONTROLLER, comesBack.body)
  if (comesBack.breaksOff) handler.onResponseError?.(CONTROLLER, endedConnection())
  else handler.onResponseEnd?.(CONTROLLER, {})
}

async function travel(
  queried: ContractRequest,
  way: CallFault,
  { scheduler, operator }: Omit<CallContext, 'member'>,
): Promise<ComesBack> {
  if (way.travelsMs === undefined) return way.comesBack(undefined)
  if (way.travelsMs > 0) await scheduler.sleep(way.travelsMs)
  return way.comesBack(await operator.answer(queried))
}

const statusIn = (back: ComesBack): string => (typeof back === 'string' ? '' : ` (${back.status})`)

function queriedBy({ method, path, headers, body }: Dispatcher.DispatchOptions): ContractRequest {
  const [pathname = '/', search = ''] = path.split('?')
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : ''
  return {
    method,
    path: pathname,
    query: Object.fromEntries(new URLSearchParams(search)),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([header, value]) => [header.toLowerCase(), String(value)]),
    ),
    body: readJson(text),
    text,
  }
}

/** A caller that has given up has no effect: there is nothing to abort. */
const CONTROLLER: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
}

const withCode = (code: string): Error => Object.assign(new Error(`${code} (simulated)`), { code })
const refusedConnection = (): Error => withCode('ECONNREFUSED')
const endedConnection = (): Error => withCode('ECONNRESET')
