import { nextStep } from '../domain/callback.ts'
import { fraction } from '../domain/references.ts'
import { callbackUrlOf } from '../domain/merchant.ts'
import type { CallbackSender, CallbackStore, Clock, DueCallback, Random, ReferenceData, WorkItem } from './ports.ts'

export interface DeliverDeps {
  readonly callbacks: CallbackStore
  readonly sender: CallbackSender
  readonly reference: ReferenceData
  readonly clock: Clock
  readonly random: Random
}

/** Delivers each callback on its own: a merchant's slow server holds up nobody else. @returns one promise per item, none rejects for the merchant's server */
export function deliverCallbacks(deps: DeliverDeps, items: readonly WorkItem[]): readonly Promise<void>[] {
  const due = deps.callbacks.load(items.map(({ subjectId }) => subjectId)).then((callbacks) => new Map(callbacks.map((callback) => [callback.id, callback])))
  return items.map(async (item) => {
    const callback = (await due).get(item.subjectId)
    if (callback) await deliver(deps, item, callback)
  })
}

async function deliver({ callbacks, sender, reference, clock, random }: DeliverDeps, item: WorkItem, callback: DueCallback): Promise<void> {
  const at = clock.now()
  // Where the merchant listens now: a URL that was corrected since the first attempt also saves what was waiting.
  const url = callbackUrlOf(reference.merchantById(callback.merchantId), callback.signed.type) ?? callback.url
  const { durationMs, httpStatus, retryAfterMs, error, replyExcerpt } = await sender.send({ ...callback, url })
  const attempt = callback.attempts + 1
  await callbacks.record({
    item,
    callback,
    attempt: {
      callbackId: callback.id, attempt, at, durationMs,
      ...(httpStatus !== undefined && { httpStatus }), ...(error !== undefined && { error }), ...(replyExcerpt !== undefined && { replyExcerpt }),
    },
    next: nextStep({ ...(httpStatus !== undefined && { httpStatus }), ...(retryAfterMs !== undefined && { retryAfterMs }) }, attempt, fraction(random)),
  })
}
