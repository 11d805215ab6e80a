import type { FastifyInstance, FastifyRequest } from 'fastify'
import { borrow, giveBack, lendingOf } from './borrowed-urls.ts'
import { isSameOrigin, parameter, sendJson, type RouteDeps } from './inbox-http.ts'

/** A live borrower renews the lease before it ends; the lease of a dead one lasts at most this long. */
const LEASE_MAX_SECONDS = 600
/** Margin for a small difference between the clock and the timer. */
const AFTER_END_MS = 500
const URLS = '/sandbox/callback-urls'

/** Reports where the demo merchant's callbacks go, and lends them to the inbox for a while. For `malipo-dev listen`. */
export function serveBorrowedUrls(
  app: FastifyInstance,
  { realClock: clock, pool, refuse, allowOnly }: RouteDeps,
  inboxUrlOf: (request: FastifyRequest) => string,
): void {
  const giveBackAfter = givingBack(app, { clock, pool })
  const report = async () => {
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
    handler: async (request, reply) => sendJson(reply, { ...(await report()), inbox_url: inboxUrlOf(request) }),
  })

  app.post(`${URLS}/borrow`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'URLs are borrowed by programs, not by pages')
    const seconds = Number(parameter(request, 'seconds') ?? 'NaN')
    if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= LEASE_MAX_SECONDS))
      return refuse(request, reply, 400, `seconds must be a whole number from 1 to ${LEASE_MAX_SECONDS}`)
    await borrow(pool, inboxUrlOf(request), new Date(clock.now().getTime() + seconds * 1000))
    giveBackAfter(seconds)
    return sendJson(reply, await report())
  })

  app.post(`${URLS}/return`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'URLs are given back by programs, not by pages')
    await giveBack(pool)
    return sendJson(reply, await report())
  })

  allowOnly(app, URLS, ['GET', 'HEAD'])
  for (const path of ['borrow', 'return']) allowOnly(app, `${URLS}/${path}`, ['POST'])
}

/**
 * Restores the URLs when nobody renews the lease, as after a kill of the borrower. If this process ends too, the next
 * start restores them, or the first callback that arrives after the end of the lease.
 */
function givingBack(
  app: FastifyInstance,
  { clock, pool }: Pick<RouteDeps, 'clock' | 'pool'>,
): (seconds: number) => void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => clearTimeout(timer))
  return (seconds) => {
    clearTimeout(timer)
    // Skipped while the database is unavailable: see above.
    const end = () => void lendingOf(pool, clock.now()).catch(() => undefined)
    timer = setTimeout(end, seconds * 1000 + AFTER_END_MS).unref()
  }
}
