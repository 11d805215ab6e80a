import { BoundedMap } from '../bounded-map.ts'
import { faultIf, type Judge, type ObservedExchange } from '../observed-exchange.ts'
import { PAYMENT_PAGE } from '../pages.ts'
import type { Rule } from '../rule.ts'
import { claimsIn, nameOf, valueIn } from './claims.ts'

/** A form that is taken leads on; a refused one is shown again. */
const TAKEN = 303
const NOT_A_DIGIT = /\D/g

/** The bank account in a form of the payment page that was taken. */
function typedIn({ direction, path, exchange: { request, reply } }: ObservedExchange) {
  const [, reference] = PAYMENT_PAGE.exec(path) ?? []
  if (direction !== 'asked' || request.method !== 'POST' || reference === undefined || reply.status !== TAKEN)
    return undefined
  const account = new URLSearchParams(request.body.toString()).get('account_number')?.replaceAll(NOT_A_DIGIT, '')
  return account === undefined ? undefined : { reference, account }
}

function typedAccountJudge(): Judge {
  /** By internal reference: the one account that was typed, or several, of which nobody can tell which was taken. */
  const typed = new BoundedMap<string, Set<string>>()
  return (seen) => {
    const form = typedIn(seen)
    if (form) typed.of(form.reference, () => new Set()).add(form.account)
    return claimsIn(seen)
      .filter(({ fields }) => fields.transaction_status === 'COMPLETED' && 'transaction_account' in fields)
      .flatMap((claim) => {
        const accounts = typed.get(claim.internalReference)
        const [account] = accounts ?? []
        return faultIf(
          accounts?.size === 1 && claim.fields.transaction_account !== account,
          'the account that was typed',
          `transaction_account of ${nameOf(claim)} is ${valueIn(claim, 'transaction_account')} in ${claim.source}, and its customer typed ${account} on the payment page`,
          claim.about,
        )
      })
  }
}

export const typedAccountsRule: Rule = {
  name: 'typed accounts',
  reason: 'A collection takes its money from the bank account that its customer typed, with every digit of it.',
  plantedFault: 'typed-zeros-lost',
  judging: () => ({ each: typedAccountJudge() }),
}
