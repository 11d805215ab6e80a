import { BoundedMap } from './bounded-map.ts'
import { faultIf, type Fault, type ObservedExchange } from './observed-exchange.ts'
import { isVisit } from './pages.ts'
import type { Judging, Rule } from './rule.ts'

/** Only payouts have a handshake (page "Payouts and the handshake"). References are compared at the end. */
function handshakeJudging(): Judging {
  const accepted = new BoundedMap<string, Set<string>>()
  /** The statuses that the merchant answered, by reference. */
  const requested = new BoundedMap<string, Set<number>>()
  return {
    each: (seen) => {
      const { exchange, direction, operation, query } = seen
      const { request, reply } = exchange
      if (direction === 'received' && request.method === 'GET' && !isVisit(seen)) {
        const reference = new URLSearchParams(query).get('reference')
        if (reference !== null) requested.of(reference, () => new Set()).add(reply.status)
        return []
      }
      const faults = statusFaults(seen, requested)
      if (direction === 'received' || faults.length > 0) return faults
      const { merchant_reference: reference } = seen.data
      if (typeof reference === 'string' && reply.status === 202 && operation)
        accepted.of(reference, () => new Set()).add(operation.id)
      return []
    },
    end: () =>
      [...requested.keys()].some((reference) => {
        const operations = accepted.get(reference)
        return operations?.has('initializeCollection') === true && !operations.has('sendFunds')
      })
        ? [{ rule: 'handshake of a collection', what: 'a handshake is about a collection: only payouts have one' }]
        : [],
  }
}

/** A record that quotes the status of an answer quotes one that the merchant gave. */
function statusFaults(seen: ObservedExchange, requested: ReadonlyMap<string, ReadonlySet<number>>): readonly Fault[] {
  const { merchant_reference: reference, status_message: message } = seen.record
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
  plantedFault: 'handshake-status-misquoted',
  judging: handshakeJudging,
}
