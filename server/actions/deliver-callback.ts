import { addresseeOf } from '../domain/addressee.ts'
import { nextStep } from '../domain/callback.ts'
import { maskUrl } from '../domain/mask-url.ts'
import { callbackUrlOf } from '../domain/merchant.ts'
import { fraction, type Random } from '../domain/references.ts'
import type { CallbackStore, DeliveryRecord, DueCallback } from './ports/callbacks.ts'
import type { Clock } from './ports/clock.ts'
import type { CallbackSender, Delivery } from './ports/delivery.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import type { Turns } from './ports/turns.ts'
import type { WorkItem } from './ports/work.ts'

export interface DeliverDeps {
  readonly callbacks: CallbackStore
  readonly sender: CallbackSender
  readonly reference: Pick<ReferenceData, 'merchantById'>
  readonly clock: Clock
  readonly random: Random
  readonly turns: Turns
}

/** A server that takes longer holds up others: it gets fewer places until it is faster. */
const PROMPT_MS = 3_000

/** Whether a merchant's server answered quickly: it is given more turns then. */
export const wasPrompt = ({ httpStatus, durationMs }: Delivery): boolean =>
  httpStatus !== undefined && durationMs <= PROMPT_MS

/**
 * Delivers callbacks, each on its own: a host that is slow or dead, and a merchant with many of them, takes a bounded
 * share and holds up nobody else.
 */
export function createDelivery(deps: DeliverDeps): (items: readonly WorkItem[]) => readonly Promise<void>[] {
  const { callbacks, sender, turns, reference, clock, random } = deps

  async function deliver(item: WorkItem, callback: DueCallback): Promise<void> {
    let sent: Sent | undefined
    const { url, merchantId, signed } = callback
    const addressee = addresseeOf(merchantId, signed.type)
    const putOff = await turns({ host: URL.parse(url)?.host ?? '', merchantId, addressee }, async () => {
      const send = await sender.prepare(callback)
      return async () => {
        sent = { at: clock.now(), delivery: await send() }
        return wasPrompt(sent.delivery)
      }
    })
    // Stored when its turn is over: the next callback to this host need not wait for our database.
    if (sent) await callbacks.record(recordOf(item, callback, sent, fraction(random)))
    else if (putOff) await callbacks.postpone({ ...item, addressee }, new Date(clock.now().getTime() + putOff.afterMs))
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
 * Where the merchant listens now: a URL that was corrected since the first attempt also saves what was waiting. Empty
 * when there never was one.
 */
const currentUrl = async (
  reference: DeliverDeps['reference'],
  { merchantId, signed, url }: DueCallback,
): Promise<string> => callbackUrlOf(await reference.merchantById(merchantId), signed.type) ?? url

interface Sent {
  readonly at: Date
  readonly delivery: Delivery
}

function recordOf(
  item: WorkItem,
  callback: DueCallback,
  { at, delivery: { durationMs, httpStatus, retryAfterMs, error, replyExcerpt } }: Sent,
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
