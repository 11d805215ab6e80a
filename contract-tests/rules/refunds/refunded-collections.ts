import { faultIf, type Fault } from '../observed-exchange.ts'
import type { Judging, Rule } from '../rule.ts'
import { followRefunds } from './followed-refunds.ts'
import { collectionsNamed } from './named-collections.ts'

/** What a refund takes over from its collection, under the names of both records. */
const TAKEN: Readonly<Record<string, string>> = {
  transaction_account: 'transaction_account',
  provider_code: 'provider_code',
  request_currency: 'request_currency',
  transaction_currency: 'transaction_currency',
  collection_merchant_reference: 'merchant_reference',
}

/** A refund goes back where its collection came from. @param sandbox its providers give no charge back */
function refundedCollectionsJudging(sandbox: boolean): Judging {
  const { note, collections } = followRefunds()
  const named = collectionsNamed()
  return {
    each: (seen) => [...note(seen), ...named(seen)],
    end: () =>
      collections().flatMap(({ collection, refunds }) =>
        refunds.flatMap((refund): readonly Fault[] => {
          const name = `refund ${String(refund.merchant_reference)} of collection ${String(collection.merchant_reference)}`
          const { charge_refunded: share, refund_method: method } = refund
          const most = sandbox ? 0 : Number(collection.transaction_charge)
          return [
            ...Object.entries(TAKEN).flatMap(([own, of]) =>
              faultIf(
                refund[own] !== collection[of],
                `refund ${own}`,
                `${own} of ${name} is ${JSON.stringify(refund[own])}, and ${of} of the collection ${JSON.stringify(collection[of])}`,
                'retrieveRefund',
              ),
            ),
            ...faultIf(
              Number(share) > most,
              'refunded charge',
              `charge_refunded of ${name} (${String(method)}) is ${String(share)}; at most ${most} goes back: ${sandbox ? 'no provider of the sandbox has a rule that gives the charge back' : 'the charge of the collection'}`,
              'retrieveRefund',
            ),
          ]
        }),
      ),
  }
}

export const refundedCollectionsRule: Rule = {
  name: 'refunded collections',
  reason: 'A refund goes to the account that paid its collection, by its provider and in its currencies.',
  plantedFault: 'refund-to-other-account',
  judging: ({ sandbox }) => refundedCollectionsJudging(sandbox),
}
