import { listEvents } from '../../actions/list-events.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'
import { PAGE_LIMIT, timeOf } from './list-transactions.ts'

export const listEventsHandler =
  (deps: HandlerDeps): Handler<'listEvents'> =>
  async ({ merchant, query: { after, from, limit = PAGE_LIMIT } }) => {
    const events = await listEvents(deps, merchant, {
      after: after === undefined ? undefined : BigInt(after),
      from: timeOf(from),
      limit,
    })
    const sign = await deps.messageSigner(merchant.id)
    return success('Events retrieved successfully', {
      events: events.map(({ number, webhookId, body }) => {
        const { timestamp, signature } = sign(webhookId, body)
        const signed = { webhook_id: webhookId, webhook_timestamp: timestamp, webhook_signature: signature }
        return { number: Number(number), ...signed, body }
      }),
    })
  }
