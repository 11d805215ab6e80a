import { faultIf, onlyHeader, type Judge } from '../observed-exchange.ts'
import { recordIn } from '../record-in.ts'
import { REMEMBERED_MAX } from './followed-refunds.ts'

/** Both references of a refund's collection are those of one collection: a wrong one would leave it without its rules. */
export function collectionsNamed(): Judge {
  const found = new Map<string, unknown>()
  return (seen) => {
    const record = recordIn(seen)
    const {
      internal_reference: reference,
      collection_merchant_reference: of,
      collection_internal_reference: own,
    } = record
    const nameOf = (name: unknown) => `${onlyHeader(seen.exchange.request.headers, 'public-key')} ${String(name)}`
    if (seen.operation?.id === 'verifyTransaction' && reference !== undefined && found.size < REMEMBERED_MAX)
      found.set(nameOf(record.merchant_reference), reference)
    const collection = seen.operation?.id === 'retrieveRefund' ? found.get(nameOf(of)) : undefined
    return faultIf(
      collection !== undefined && collection !== own,
      'refund collection_internal_reference',
      `collection_internal_reference of refund ${String(record.merchant_reference)} is ${String(own)}, and collection ${String(of)} is ${String(collection)}`,
    )
  }
}
