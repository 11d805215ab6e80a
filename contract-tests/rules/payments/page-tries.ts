import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'
import { descriptionOf } from '../page-text.ts'
import { pageIn } from '../pages.ts'
import type { Rule } from '../rule.ts'

/** An OTP has five wrong tries (page "Life of a transaction", Times). */
const TRIES = 5
const NUMBER = /(?<![\d.,])\d+(?![\d.,])/g

/** The number in the description of the field for the OTP, in any language. */
function triesFaults(seen: ObservedExchange): readonly Fault[] {
  const page = pageIn(seen)
  const shown = page && descriptionOf(page.html, 'one-time-code')?.match(NUMBER)
  if (!page || shown?.length !== 1) return []
  const tries = Number(shown[0])
  return faultIf(
    tries > TRIES,
    'tries of a page',
    `the payment page of ${page.reference} says beside its field for the one-time password that ${tries} tries are left, and an OTP has ${TRIES} (page "Life of a transaction", Times)`,
    'payment page',
  )
}

export const pageTriesRule: Rule = {
  name: 'tries of pages',
  reason: 'A payment page tells no more tries of a one-time password than there are.',
  plantedFault: 'page-with-a-try-too-many',
  judging: () => ({ each: triesFaults }),
}
