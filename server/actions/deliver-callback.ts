import { nextStep } from '../domain/callback.ts'
import { callbackUrlOf } from '../domain/merchant.ts'
import { fraction } from '../domain/references.ts'
import type { CallbackSender, CallbackStore, Clock, DueCallback, Random, ReferenceData, Turns, WorkItem } from './ports.ts'

export interface DeliverDeps {
  readonly callbacks: CallbackStore
  readonly sender: CallbackSender
  readonly reference: ReferenceData
  readonly clock: Clock
  readonly random: Random
  /** Per host of a merchant. */
  readonly turns: Turns
}

/** What has no turn at its host is put off this long, without an attempt. */
export const PUT_OFF_MS = 5_000

/** Delivers callbacks, each on its own: a host that is slow or dead takes a bounded share and holds up nobody else. */
export function createDelivery(deps: DeliverDeps): (items: readonly WorkItem[]) => readonly Promise<void>[] {
  async function deliver(item: WorkItem, callback: DueCallback): Promise<void> {
    const taken = await deps.turns(URL.parse(callback.url)?.host ?? '', () => attempt(deps, item, callback))
    if (!taken) await deps.callbacks.postpone(item, new Date(deps.clock.now().getTime() + PUT_OFF_MS))
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
const currentUrl = (reference: ReferenceData, { merchantId, signed, url }: DueCallback): string =>
  callbackUrlOf(reference.merchantById(merchantId), signed.type) ?? url

async function attempt({ callbacks, sender, clock, random }: DeliverDeps, item: WorkItem, callback: DueCallback): Promise<void> {
  const at = clock.now()
  const { durationMs, httpStatus, retryAfterMs, error, replyExcerpt } = await sender.send(callback)
  const result = { ...(httpStatus !== undefined && { httpStatus }), ...(retryAfterMs !== undefined && { retryAfterMs }) }
  await callbacks.record({
    item,
    callback,
    attempt: { at, durationMs, ...(httpStatus !== undefined && { httpStatus }), ...(error !== undefined && { error }), ...(replyExcerpt !== undefined && { replyExcerpt }) },
    next: nextStep(result, callback.attempts + 1, fraction(random)),
  })
}
