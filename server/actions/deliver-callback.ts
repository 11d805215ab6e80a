import { nextStep } from '../domain/callback.ts'
import { callbackUrlOf } from '../domain/merchant.ts'
import { fraction } from '../domain/references.ts'
import type { CallbackSender, CallbackStore, Clock, Delivery, DueCallback, Random, ReferenceData, Turns, WorkItem } from './ports.ts'

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

export const wasPrompt = ({ httpStatus, durationMs }: Delivery): boolean => httpStatus !== undefined && durationMs <= PROMPT_MS

/** Delivers callbacks, each on its own: a host that is slow or dead, and a merchant with many of them, takes a bounded share and holds up nobody else. */
export function createDelivery(deps: DeliverDeps): (items: readonly WorkItem[]) => readonly Promise<void>[] {
  async function deliver(item: WorkItem, callback: DueCallback): Promise<void> {
    const putOff = await deps.turns({ host: URL.parse(callback.url)?.host ?? '', merchantId: callback.merchantId }, () => attempt(deps, item, callback))
    if (putOff) await deps.callbacks.postpone(item, new Date(deps.clock.now().getTime() + putOff.afterMs))
  }

  return (items) => {
    const due = deps.callbacks.load(items.map(({ subjectId }) => subjectId)).then((callbacks) => new Map(callbacks.map((callback) => [callback.id, callback])))
    return items.map(async (item) => {
      const callback = (await due).get(item.subjectId)
      if (callback) await deliver(item, { ...callback, url: currentUrl(deps.reference, callback) })
    })
  }
}

/** Where the merchant listens now: a URL that was corrected since the first attempt also saves what was waiting. */
const currentUrl = (reference: DeliverDeps['reference'], { merchantId, signed, url }: DueCallback): string =>
  callbackUrlOf(reference.merchantById(merchantId), signed.type) ?? url

/** @returns whether the merchant's server answered promptly */
async function attempt({ callbacks, sender, clock, random }: DeliverDeps, item: WorkItem, callback: DueCallback): Promise<boolean> {
  const at = clock.now()
  const delivery = await sender.send(callback)
  const { durationMs, httpStatus, retryAfterMs, error, replyExcerpt } = delivery
  const result = { ...(httpStatus !== undefined && { httpStatus }), ...(retryAfterMs !== undefined && { retryAfterMs }) }
  await callbacks.record({
    item,
    callback,
    attempt: { at, durationMs, ...(httpStatus !== undefined && { httpStatus }), ...(error !== undefined && { error }), ...(replyExcerpt !== undefined && { replyExcerpt }) },
    next: nextStep(result, callback.attempts + 1, fraction(random)),
  })
  return wasPrompt(delivery)
}
