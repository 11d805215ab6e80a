import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parameter, sendJson } from './inbox-http.ts'

const DELAY_MAX_MS = 20_000

/** How the simulated merchant's server behaves. */
interface ReplyOverride {
  readonly fault?: undefined
  readonly answer: number
  readonly delayMs: number
}

/**
 * `?answer=500` and `?delay=3000` show a developer how the gateway handles a failing or slow merchant's
 * server.
 */
export function readRehearsal(request: FastifyRequest): ReplyOverride | { readonly fault: string } {
  const { answer: status = '200', delay = '0' } = {
    answer: parameter(request, 'answer'),
    delay: parameter(request, 'delay'),
  }
  if (!/^[2-5]\d\d$/.test(status)) return { fault: 'answer must be an HTTP status from 200 to 599' }
  if (!/^\d{1,5}$/.test(delay) || Number(delay) > DELAY_MAX_MS)
    return { fault: `delay must be a number of milliseconds from 0 to ${DELAY_MAX_MS}` }
  return { answer: Number(status), delayMs: Number(delay) }
}

const WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** Replies as requested by the rehearsal, after its delay. */
export async function answer(
  reply: FastifyReply,
  rehearsal: ReplyOverride,
  pause: (ms: number) => Promise<void>,
): Promise<FastifyReply> {
  if (rehearsal.delayMs > 0) await pause(rehearsal.delayMs)
  reply.code(rehearsal.answer)
  return WITHOUT_BODY.includes(rehearsal.answer) ? reply.send() : sendJson(reply, { received: true })
}

/** Sends delayed replies at once when the server shuts down: it does not wait for a rehearsal. */
export function pauses(app: FastifyInstance): (ms: number) => Promise<void> {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  app.addHook('preClose', async () => closing.abort())
  return (ms) => sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined)
}
