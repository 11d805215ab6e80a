import { destinationOf } from '../domain/destination.ts'
import { nextStep } from '../domain/callback.ts'
import { maskUrl } from '../domain/mask-url.ts'
import { callbackUrlOf } from '../domain/merchant.ts'
import { fraction, type Random } from '../domain/references.ts'
import type { CallbackStore, DeliveryRecord, DueCallback } from './ports/callbacks.ts'
import type { Clock } from './ports/clock.ts'
import type { CallbackSender, Delivery } from './ports/delivery.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import type { ConcurrencyLimiter } from './ports/concurrency-limiter.ts'
import type { Job } from './ports/jobs.ts'

export interface DeliverDeps {
  readonly callbacks: CallbackStore
  readonly sender: CallbackSender
  readonly reference: Pick<ReferenceData, 'merchantById'>
  readonly clock: Clock
  readonly random: Random
  readonly limiter: ConcurrencyLimiter
}

/** Replies slower than this lower the concurrency limit of the host until it is faster: a slow server delays others. */
const PROMPT_MS = 3_000

/** Whether a merchant's server replied promptly: then its concurrency limit rises. */
export const wasPrompt = ({ httpStatus, durationMs }: Delivery): boolean =>
  httpStatus !== undefined && durationMs <= PROMPT_MS

/**
 * Delivers callbacks independently of each other. A slow or unresponsive host has a bounded share of the capacity, and
 * so has a merchant with many of them: neither delays anybody else.
 */
export function createDelivery(deps: DeliverDeps): (items: readonly Job[]) => readonly Promise<void>[] {
  const { callbacks, sender, limiter, reference, clock, random } = deps

  async function deliver(item: Job, callback: DueCallback): Promise<void> {
    let sent: DeliveryAttempt | undefined
    const { url, merchantId, signed } = callback
    const destination = destinationOf(merchantId, signed.type)
    const rescheduled = await limiter({ host: URL.parse(url)?.host ?? '', merchantId, destination }, async () => {
      const send = await sender.prepare(callback)
      return async () => {
        sent = { at: clock.now(), delivery: await send() }
        return wasPrompt(sent.delivery)
      }
    })
    // Stored after the slot is free again: the next callback to this host does not wait for our database.
    if (sent) await callbacks.record(recordOf(item, callback, sent, fraction(random)))
    else if (rescheduled)
      await callbacks.reschedule({ ...item, destination }, new Date(clock.now().getTime() + rescheduled.afterMs))
  }

  return (items) => {
    const due = callbacks.load(items).then((loaded) => new Map(loaded.map((callback) => [callback.id, callback])))
    return items.map(async (item) => {
      const callback = (await due).get(item.subjectId)
      if (!callback) return
      const url = await currentUrl(reference, callback)
      if (url === '') await callbacks.withhold(item, callback, clock.now())
      else await deliver(item, { ...callback, url })
    })
  }
}

/**
 * The merchant's current URL: a URL that was corrected since the first attempt also delivers the callbacks that
 * waited. Empty when there never was one.
 */
const currentUrl = async (
  reference: DeliverDeps['reference'],
  { merchantId, signed, url }: DueCallback,
): Promise<string> => callbackUrlOf(await reference.merchantById(merchantId), signed.type) ?? url

interface DeliveryAttempt {
  readonly at: Date
  readonly delivery: Delivery
}

function recordOf(
  item: Job,
  callback: DueCallback,
  { at, delivery: { durationMs, httpStatus, retryAfterMs, error, replyExcerpt } }: DeliveryAttempt,
  chance: number,
): DeliveryRecord {
  const result = {
    ...(httpStatus !== undefined && { httpStatus }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
  return {
    item,
    callback,
    attempt: {
      at,
      url: maskUrl(callback.url),
      durationMs,
      ...(httpStatus !== undefined && { httpStatus }),
      ...(error !== undefined && { error }),
      ...(replyExcerpt !== undefined && { replyExcerpt }),
    },
    next: nextStep(result, callback.attempts - callback.attemptsBefore + 1, chance),
  }
}
