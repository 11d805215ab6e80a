import { createHash } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { onlyHeader } from './observed-exchange.ts'
import type { Judging, Rule } from './rule.ts'
import { deliveryFaults, subjectOf, type Delivery } from './webhook-ids/deliveries.ts'

/** A retry is the same message: it has the id and the bytes of the first attempt, and no other message has that id. */
function webhookIdJudging(): Judging {
  const byId = new BoundedMap<string, Delivery>()
  const idOf = new BoundedMap<string, string>()
  return {
    each: (seen) => {
      const id = onlyHeader(seen.exchange.request.headers, 'webhook-id')
      const subject = subjectOf(seen)
      if (seen.direction !== 'received' || id === undefined || subject === undefined) return []
      const digest = createHash('sha256').update(seen.exchange.request.body).digest('base64')
      const known = byId.of(id, () => ({ subject, digest }))
      return deliveryFaults(
        known,
        { subject, digest },
        id,
        idOf.of(subject, () => id),
      )
    },
  }
}

export const webhookIdsRule: Rule = {
  name: 'webhook ids',
  reason: 'A merchant handles each `webhook-id` once: it is the same over the retries of a message, and of no other.',
  plantedFault: 'webhook-id-per-attempt',
  judging: webhookIdJudging,
}
