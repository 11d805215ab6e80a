import { faultIf, type Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

/**
 * A reply has a `payment_url` where the contract's branch requires one, and nowhere else: bank collections always,
 * mobile money with `mobile_money_hpp` only, with or without an OTP. It ends in the collection's own reference, and
 * all pages have one address.
 */
function paymentUrlJudge(): Judge {
  let base: string | undefined
  return ({ exchange: { reply }, direction, operation, sent, data }) => {
    if (direction === 'received' || reply.status !== 202) return []
    const { payment_url: url, internal_reference: reference } = data
    const { transaction_method: method, mobile_money_hpp: hosted } = sent
    const hasPage = method === 'BANK' || hosted === true
    const isCollection = operation?.id === 'initializeCollection'
    if (typeof url !== 'string')
      return faultIf(
        isCollection && hasPage,
        'payment_url missing',
        `a collection by ${hosted === true ? 'the payment page' : String(method)} was accepted without a payment_url`,
      )
    const own = url.slice(0, -`/pay/collection/${String(reference)}`.length)
    const first = (base ??= own)
    return [
      ...faultIf(
        isCollection && !hasPage,
        'payment_url of plain mobile money',
        'a mobile money collection without mobile_money_hpp carries a payment_url',
      ),
      ...faultIf(operation?.id === 'sendFunds', 'payment_url of a payout', 'a payout carries a payment_url'),
      ...faultIf(
        url !== `${own}/pay/collection/${String(reference)}`,
        'payment_url of another',
        'a payment_url does not end in the internal_reference of its collection',
      ),
      ...faultIf(
        own !== first,
        'payment_url elsewhere',
        `a payment_url leads to ${own}, others to ${first}: it must not follow the request`,
      ),
    ]
  }
}

export const paymentUrlsRule: Rule = {
  name: 'payment pages',
  reason: 'A reply has a `payment_url` where its branch of the contract requires one, and nowhere else.',
  plantedFault: 'page-address-of-another',
  judging: () => ({ each: paymentUrlJudge() }),
}
