import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../actions/ports/clock.ts'
import type { Pool } from '../storage/pool.ts'
import { borrow, giveBack, lendingOf } from './borrowed-urls.ts'
import { sendJson } from './inbox-reply.ts'
import { isSameOrigin, parameter } from './inbox-request.ts'

/** Who borrows asks again before it ends; who is gone has it for so long at most. */
const LEASE_MAX_SECONDS = 600
/** A clock that differs a little from the timer's has come to the end by then. */
const AFTER_END_MS = 500
const URLS = '/sandbox/callback-urls'

interface Lender {
  readonly clock: Clock
  readonly pool: Pool
  /** Answers in the envelope. */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, status: number, message: string) => FastifyReply
  /** Answers 405 with the exact `Allow` to all other methods of a route. */
  readonly allowOnly: (app: FastifyInstance, url: string, methods: readonly string[]) => void
}

/** Says where the demo merchant's callbacks go, and lends them to the inbox for a while. For `malipo-dev listen`. */
export function serveBorrowedUrls(
  app: FastifyInstance,
  { clock, pool, refuse, allowOnly }: Lender,
  inboxUrlOf: (request: FastifyRequest) => string,
): void {
  const giveBackAfter = givingBack(app, { clock, pool })
  const tell = async () => {
    const { urls, borrowedUntil } = await lendingOf(pool, clock.now())
    return {
      collection_callback_url: urls.collection ?? null,
      payout_callback_url: urls.payout ?? null,
      borrowed_until: borrowedUntil?.toISOString() ?? null,
    }
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: URLS,
    handler: async (request, reply) => sendJson(reply, { ...(await tell()), inbox_url: inboxUrlOf(request) }),
  })

  app.post(`${URLS}/borrow`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'URLs are borrowed by programs, not by pages')
    const seconds = Number(parameter(request, 'seconds') ?? 'NaN')
    if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= LEASE_MAX_SECONDS))
      return refuse(request, reply, 400, `seconds must be a whole number from 1 to ${LEASE_MAX_SECONDS}`)
    await borrow(pool, inboxUrlOf(request), new Date(clock.now().getTime() + seconds * 1000))
    giveBackAfter(seconds)
    return sendJson(reply, await tell())
  })

  app.post(`${URLS}/return`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'URLs are given back by programs, not by pages')
    await giveBack(pool)
    return sendJson(reply, await tell())
  })

  allowOnly(app, URLS, ['GET', 'HEAD'])
  for (const path of ['borrow', 'return']) allowOnly(app, `${URLS}/${path}`, ['POST'])
}

/**
 * Gives back what nobody borrowed for longer, as after a kill of the borrower. Where this process ends too, the next
 * start does it, or the first callback that comes to a lease that has ended.
 */
function givingBack(app: FastifyInstance, { clock, pool }: Pick<Lender, 'clock' | 'pool'>): (seconds: number) => void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => clearTimeout(timer))
  return (seconds) => {
    clearTimeout(timer)
    // Not done while the database is away: see above.
    const end = () => void lendingOf(pool, clock.now()).catch(() => undefined)
    timer = setTimeout(end, seconds * 1000 + AFTER_END_MS).unref()
  }
}
