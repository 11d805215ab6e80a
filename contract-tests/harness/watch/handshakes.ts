import { fieldsOf } from '../json.ts'
import type { Fault, Judge } from './seen.ts'

const REMEMBERED_MAX = 200_000

/** Only payouts are asked about (page "Payouts and the handshake"). What was asked about is compared in the end. */
export function handshakeWatch(): { readonly judge: Judge; readonly end: () => readonly Fault[] } {
  const [collections, payouts, asked] = [new Set<string>(), new Set<string>(), new Set<string>()]
  return {
    judge: ({ exchange: { request, reply }, direction, operation, query, told }) => {
      if (direction === 'received') {
        const reference = request.method === 'GET' ? new URLSearchParams(query).get('reference') : null
        if (reference !== null && asked.size < REMEMBERED_MAX) asked.add(reference)
        return []
      }
      const { merchant_reference: reference } = fieldsOf(fieldsOf(told).data)
      if (typeof reference !== 'string' || reply.status !== 202) return []
      if (operation?.id === 'initializeCollection' && collections.size < REMEMBERED_MAX) collections.add(reference)
      if (operation?.id === 'sendFunds' && payouts.size < REMEMBERED_MAX) payouts.add(reference)
      return []
    },
    end: () =>
      [...asked].some((reference) => collections.has(reference) && !payouts.has(reference))
        ? [{ rule: 'handshake of a collection', what: 'a handshake asks about a collection: only payouts have one' }]
        : [],
  }
}
