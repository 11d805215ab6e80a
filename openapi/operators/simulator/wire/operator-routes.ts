import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ContractRequest } from '../contract/backend.ts'
import type { CompiledContract } from '../contract/compiled.ts'
import { readJson } from '../json.ts'
import { masker, type Masker } from '../mask.ts'
import type { Operator, OperatorReply } from '../operator.ts'
import type { Parts } from '../parts.ts'
import type { WireEffect } from '../scenarios/effects.ts'
import { isReportedFirst } from '../world/lifecycle.ts'
import { applied, momentOf, plainly, type WriteResult } from './write.ts'

type OperatorRoutesDeps = Parts & CompiledContract

interface Outcome {
  readonly written: WriteResult
  readonly note: string | undefined
  /** No scenario has requested a reply outside the contract. */
  readonly isOwn: boolean
}

/** Every path that is not the simulator's own: the operator's API. */
export function operatorRoutes(app: FastifyInstance, deps: OperatorRoutesDeps): void {
  const masked = masker(deps.operator.secrets)
  app.all('/*', async (request, reply) => {
    // From here on the reply is bytes: scenarios break it in ways that no framework writes.
    reply.hijack()
    const requested = requestedBy(request)
    const operation = deps.backend.operationOf(requested)
    const outcome = await outcomeOf(deps, request, requested, operation).catch(ownFault)
    log(deps, masked, requested, operation?.id, outcome)
    // The journal stores an order before the reply: no client gets an acceptance that the operator could forget.
    const isKept = await deps.world.journal.kept().then(
      () => true,
      () => false,
    )
    if (!isKept) return void reply.raw.destroy()
    await outcome.written.write(reply.raw)
  })
}

/** A fault of the simulator itself must not look like the operator's, and must not leave the client waiting. */
const ownFault = (error: unknown): Outcome => {
  const text = `A fault of the simulator: ${error instanceof Error ? error.message : String(error)}`
  return own({ status: 500, body: text, contentType: 'text/plain' }, text)
}

async function outcomeOf(
  deps: OperatorRoutesDeps,
  request: FastifyRequest,
  requested: ContractRequest,
  operation: { readonly id: string; readonly params: Readonly<Record<string, string>> } | undefined,
): Promise<Outcome> {
  const { operator, open, backend, faults, scenarios, lifecycle, callbacks } = deps
  if (operation !== undefined && faults.declares(operation.id, 411) && lacksLength(request))
    return own(operator.problem({ problem: 'length_required' }), 'no Content-Length')

  const msisdn = operation && open.msisdnOf({ operation: operation.id, params: operation.params, body: requested.body })
  const call = { operation: operation?.id ?? '', msisdn }
  const effect = operation && scenarios.takeWire(call)
  if (effect && momentOf(effect) === 'before') return played(effect, refusalOf(operator, effect, call.operation))

  let isFirstReported = false
  const { reply, refused } = await backend.answer(requested, {
    operator,
    open,
    msisdn,
    ...(requested.text !== undefined && { text: requested.text }),
    quirk: (name) => scenarios.takeQuirk(call, name),
    accept(taken) {
      const order = lifecycle.accept(taken, scenarios.takeOrder({ ...call, msisdn: taken.msisdn }))
      callbacks.forge(order)
      isFirstReported ||= isReportedFirst(order.effects)
      return order
    },
  })
  if (isFirstReported) await callbacks.idle()
  return effect ? played(effect, reply) : own(reply, refused)
}

const own = (reply: OperatorReply, note: string | undefined): Outcome => ({
  written: plainly(reply),
  note,
  isOwn: true,
})
const played = (effect: WireEffect, reply: OperatorReply): Outcome => ({
  written: applied(effect, reply),
  note: `scenario: ${effect.do}`,
  isOwn: false,
})

function refusalOf(operator: Operator, effect: WireEffect, operation: string): OperatorReply {
  if (effect.do === 'refuse') return operator.refusal(effect.code, effect.status, effect.message)
  return operator.problem({ problem: 'unauthorized', operation, scheme: '' })
}

/** A POST without a length, or one announced in chunks without any. */
function lacksLength({ method, headers, body }: FastifyRequest): boolean {
  if (method !== 'POST' || (body instanceof Uint8Array && body.length > 0)) return false
  return headers['content-length'] === undefined
}

function requestedBy({ method, url, headers, query, body }: FastifyRequest): ContractRequest {
  const [path = '/'] = url.split('?', 1)
  return {
    method,
    path,
    query: query as Record<string, string | string[]>,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(body instanceof Uint8Array ? bodyOf(Buffer.from(body).toString('utf8')) : { body: undefined }),
  }
}

const bodyOf = (text: string) => ({ body: readJson(text), text })

function log(
  { world, faults }: OperatorRoutesDeps,
  masked: Masker,
  requested: ContractRequest,
  operation: string | undefined,
  { written: { reply }, note, isOwn }: Outcome,
): void {
  world.exchanges.add({
    at: world.clock.now(),
    direction: 'in',
    operation,
    method: requested.method,
    url: requested.path,
    requestHeaders: masked.headers(requested.headers),
    requestBody: masked.body(requested.body),
    status: reply?.status,
    responseBody: masked.body(reply?.body),
    note,
    faults: isOwn && operation !== undefined && reply !== undefined ? faults.ofReply(operation, reply) : [],
  })
}
