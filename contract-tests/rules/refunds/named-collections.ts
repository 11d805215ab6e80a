import { BoundedMap } from '../bounded-map.ts'
import { faultIf, type Judge } from '../observed-exchange.ts'

/** Both references of a refund's collection are those of one collection: a wrong one would leave it without its rules. */
export function collectionsNamed(): Judge {
  const found = new BoundedMap<string, unknown>()
  return ({ record, operation, merchant }) => {
    const {
      internal_reference: reference,
      collection_merchant_reference: of,
      collection_internal_reference: own,
    } = record
    const nameOf = (name: unknown) => `${merchant} ${String(name)}`
    if (operation?.id === 'verifyTransaction' && reference !== undefined)
      found.set(nameOf(record.merchant_reference), reference)
    const collection = operation?.id === 'retrieveRefund' ? found.get(nameOf(of)) : undefined
    return faultIf(
      collection !== undefined && collection !== own,
      'refund collection_internal_reference',
      `collection_internal_reference of refund ${String(record.merchant_reference)} is ${String(own)}, and collection ${String(of)} is ${String(collection)}`,
    )
  }
}
