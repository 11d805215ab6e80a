import { passing } from '../../driver/clock.ts'
import { minorOf, wireOf } from '../../driver/money.ts'
import { isFinal, payloadOf } from '../../driver/message-fields.ts'
import type { Message } from '../../driver/merchant-server.ts'
import { operationOf } from '../../driver/provider-options.ts'
import type { Target } from '../../harness/part.ts'
import { chargeOf } from './charges.ts'
import { nameOf, type PlayedCase } from './play.ts'

/** Compares the verify reply of a final payment field by field. @param banks provider code and name */
export function judgeRecord(payment: PlayedCase, banks: ReadonlySet<string>): void {
  const { driver, paymentCase, record, isAuthorized } = payment
  const { type, code, asksForOtp } = paymentCase.option
  for (const [field, wanted] of expectedOf(payment)) {
    const got = record[field]
    const what = `${field} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}: ${nameOf(paymentCase)}`
    driver.hold('verifyTransaction', got === wanted, `${field} of ${type}`, what)
  }
  const isAsDocumented = asksForOtp === undefined || asksForOtp === isAuthorized
  const otp = `${code} ${asksForOtp ? 'needed no one-time password, the docs of the sandbox say that it does' : 'needed a one-time password, the docs of the sandbox do not say so'}`
  driver.hold(operationOf(paymentCase.option), isAsDocumented, 'one-time password', otp)
  const { institution_name: bank } = record
  const isKnown = bank === undefined || banks.has(`${code} ${JSON.stringify(bank)}`)
  const unknown = `institution_name is ${JSON.stringify(bank)}, which is no listed bank of ${code}`
  driver.hold('verifyTransaction', isKnown, 'institution_name', unknown)
}

/** What the docs of the sandbox say. The rules over all traffic compare the record with its request. */
function expectedOf({ paymentCase, record }: PlayedCase): readonly (readonly [field: string, value: unknown])[] {
  const { option, outcome, transactionMinor } = paymentCase
  const { currency } = option
  // With an unknown rate, only fields that follow from the converted amount can be checked.
  const amount = transactionMinor ?? minorOf(Number(record['transaction_amount']), currency) ?? 0n
  const charge = option.charge && (outcome.status === 'COMPLETED' ? chargeOf(amount, option.charge) : 0n)
  return [
    ['transaction_currency', currency],
    ['transaction_amount', wireOf(amount, currency)],
    ['transaction_status', outcome.status],
    ...(charge === undefined ? [] : [['transaction_charge', wireOf(charge, currency)] as const]),
  ]
}

/** Each payment had a callback; the rules over all traffic compare it with the verify reply. */
export async function judgeCallbacks(
  { own }: Target,
  played: readonly PlayedCase[],
  messages: readonly Message[],
): Promise<void> {
  const received = (): ReadonlySet<string | undefined> =>
    new Set(messages.filter((message) => isFinal(payloadOf(message))).map(({ reference }) => reference))
  await passing(own, () => {
    const references = received()
    return played.every(({ reference }) => references.has(reference))
  })
  const references = received()
  for (const { paymentCase, reference, driver } of played) {
    const about = paymentCase.option.type === 'PAYOUT' ? 'payoutCallback' : 'collectionCallback'
    driver.hold(about, references.has(reference), 'came', `no callback came about ${nameOf(paymentCase)}`)
  }
}
