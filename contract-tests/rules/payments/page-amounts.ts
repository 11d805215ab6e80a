import { BoundedMap } from '../bounded-map.ts'
import type { Fault, Judge } from '../observed-exchange.ts'
import { textsOf } from '../page-text.ts'
import { pageIn } from '../pages.ts'
import type { Rule } from '../rule.ts'
import { claimsIn, type Claim } from './claims.ts'
import { amountFaults, hasCharge } from './taken-amounts.ts'

/** Each has texts of its pages. */
const COLLECTIONS_MAX = 20_000
const TEXTS_MAX = 20

/** A collection, of which the page or the record may come first. */
interface ShownCollection {
  /** A record that tells the charge. */
  record?: Claim
  /** What its pages showed before that. */
  readonly texts: Set<string>
}

/** A payment page shows what is taken: the amount, with the charge where the customer bears it, and nothing else. */
function pageAmountJudge(): Judge {
  const known = new BoundedMap<string, ShownCollection>(COLLECTIONS_MAX)
  /** Their pages show what goes back, too. */
  const refunded = new BoundedMap<unknown, true>()
  const judged = (reference: string, shown: readonly string[], record: Claim | undefined): readonly Fault[] => {
    const collection = known.of(reference, () => ({ texts: new Set() }))
    if (record && hasCharge(record)) collection.record ??= record
    for (const text of shown) if (collection.texts.size < TEXTS_MAX) collection.texts.add(text)
    const { record: charged } = collection
    if (!charged || refunded.has(reference) || refunded.has(charged.fields.merchant_reference)) return []
    const texts = [...collection.texts]
    collection.texts.clear()
    return texts.flatMap((text) => amountFaults(text, charged))
  }
  return (seen) => {
    if (seen.operation?.id === 'refundCollection') refunded.set(seen.sent.collection_reference, true)
    const page = pageIn(seen)
    if (page) return judged(page.reference, textsOf(page.html).filter(mayBeAmount), undefined)
    return claimsIn(seen)
      .filter(({ isWhole, fields }) => isWhole && fields.transaction_type === 'COLLECTION')
      .flatMap((claim) => judged(claim.internalReference, [], claim))
  }
}

const mayBeAmount = (text: string): boolean => /[A-Z]{3}/.test(text) && /\d/.test(text)

export const pageAmountsRule: Rule = {
  name: 'amounts of pages',
  reason: 'A payment page shows the amount that is taken, with the charge where the customer bears it.',
  plantedFault: 'page-without-charge',
  judging: () => ({ each: pageAmountJudge() }),
}
