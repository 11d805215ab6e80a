import { nextStep } from '../domain/callback.ts'
import { callbackUrlOf } from '../domain/merchant.ts'
import { fraction } from '../domain/references.ts'
import type { CallbackSender, CallbackStore, Clock, DueCallback, Random, ReferenceData, WorkItem } from './ports.ts'

export interface DeliverDeps {
  readonly callbacks: CallbackStore
  readonly sender: CallbackSender
  readonly reference: ReferenceData
  readonly clock: Clock
  readonly random: Random
}

/** Callbacks on their way to one host at the same time, and how many more may wait here for their turn. The rest is put off, without an attempt. */
const SENDING_MAX = 16
const WAITING_MAX = 256
const PUT_OFF_MS = 1_000

/** Delivers callbacks, each on its own: a host that is slow or dead takes a bounded share and holds up nobody else. */
export function createDelivery(deps: DeliverDeps): (items: readonly WorkItem[]) => readonly Promise<void>[] {
  const turns = createTurns(SENDING_MAX, WAITING_MAX)

  async function deliver(item: WorkItem, callback: DueCallback): Promise<void> {
    const taken = await turns(URL.parse(callback.url)?.host ?? '', () => attempt(deps, item, callback))
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

/**
 * Lets so many run at a time per key; so many more wait, first come first served.
 * @returns runs `action` when its turn comes; false, without running it, when too many wait already
 */
export function createTurns(runningMax: number, waitingMax: number): (key: string, action: () => Promise<void>) => Promise<boolean> {
  const lanes = new Map<string, { running: number; readonly waiting: (() => void)[] }>()
  return async (key, action) => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] }
    lanes.set(key, lane)
    if (lane.running < runningMax) lane.running += 1
    else if (lane.waiting.length < waitingMax) await new Promise<void>((resolve) => lane.waiting.push(resolve)) // takes over the place of who ends
    else return false
    try {
      await action()
    } finally {
      const next = lane.waiting.shift()
      if (next) next()
      else if (--lane.running === 0) lanes.delete(key)
    }
    return true
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
