import { fieldsOf } from '../harness/json.ts'
import { recordIn } from './record-in.ts'
import { faultIf, type Fault, type ObservedExchange } from './observed-exchange.ts'
import { isVisit } from './redirects/visits.ts'
import type { Judging, Rule } from './rule.ts'

const REMEMBERED_MAX = 200_000

/** Only payouts have a handshake (page "Payouts and the handshake"). References are compared at the end. */
function handshakeJudging(): Judging {
  const [collections, payouts] = [new Set<string>(), new Set<string>()]
  /** The statuses that the merchant answered, by reference. */
  const requested = new Map<string, ReadonlySet<number>>()
  return {
    each: (seen) => {
      const { exchange, direction, operation, query, replyBody: reported } = seen
      const { request, reply } = exchange
      if (direction === 'received' && request.method === 'GET' && !isVisit(seen)) {
        const reference = new URLSearchParams(query).get('reference')
        if (reference !== null && requested.size < REMEMBERED_MAX)
          requested.set(reference, new Set([...(requested.get(reference) ?? []), reply.status]))
        return []
      }
      const faults = statusFaults(seen, requested)
      if (direction === 'received' || faults.length > 0) return faults
      const { merchant_reference: reference } = fieldsOf(fieldsOf(reported).data)
      if (typeof reference !== 'string' || reply.status !== 202) return []
      if (operation?.id === 'initializeCollection' && collections.size < REMEMBERED_MAX) collections.add(reference)
      if (operation?.id === 'sendFunds' && payouts.size < REMEMBERED_MAX) payouts.add(reference)
      return []
    },
    end: () =>
      [...requested.keys()].some((reference) => collections.has(reference) && !payouts.has(reference))
        ? [{ rule: 'handshake of a collection', what: 'a handshake is about a collection: only payouts have one' }]
        : [],
  }
}

/** A record that quotes the status of an answer quotes one that the merchant gave. */
function statusFaults(seen: ObservedExchange, requested: ReadonlyMap<string, ReadonlySet<number>>): readonly Fault[] {
  const { merchant_reference: reference, status_message: message } = recordIn(seen)
  const [, status] = /verification URL.* \(HTTP (\d{3})\)$/.exec(String(message)) ?? []
  const answered = requested.get(String(reference))
  return faultIf(
    status !== undefined && answered !== undefined && !answered.has(Number(status)),
    'handshake status',
    `status_message of a payout is ${JSON.stringify(message)}, and the merchant answered ${[...(answered ?? [])].join(', ')}`,
  )
}

export const handshakesRule: Rule = {
  name: 'handshakes',
  reason: 'Only payouts have a handshake, and a record quotes the status that the merchant gave.',
  plantedFault: 'handshake-for-collections',
  judging: handshakeJudging,
}
