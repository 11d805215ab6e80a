import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from './inbox-reply.ts'
import { parameter } from './inbox-request.ts'

const DELAY_MAX_MS = 20_000

/** How a merchant's server is to behave. */
export interface Rehearsal {
  readonly fault?: undefined
  readonly answer: number
  readonly delayMs: number
}

/**
 * `?answer=500` and `?delay=3000` let a developer see what the gateway does when a merchant's server fails or is slow.
 */
export function readRehearsal(request: FastifyRequest): Rehearsal | { readonly fault: string } {
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

/** Answers as the rehearsal says, after its wait. */
export async function answer(
  reply: FastifyReply,
  rehearsal: Rehearsal,
  pause: (ms: number) => Promise<void>,
): Promise<FastifyReply> {
  if (rehearsal.delayMs > 0) await pause(rehearsal.delayMs)
  reply.code(rehearsal.answer)
  return WITHOUT_BODY.includes(rehearsal.answer) ? reply.send() : sendJson(reply, { received: true })
}

/** Late answers come at once when the server is told to stop: it need not wait for a rehearsal. */
export function pauses(app: FastifyInstance): (ms: number) => Promise<void> {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  app.addHook('preClose', async () => closing.abort())
  return (ms) => sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined)
}
