import { passing } from '../../driver/clock.ts'
import { minorOf } from '../../driver/money.ts'
import { isFinal, payloadOf } from '../../driver/message-fields.ts'
import type { Message } from '../../driver/merchant-server.ts'
import { chargeOf } from './charges.ts'
import { aboutOf, nameOf, type PlayedCase } from './play.ts'
import type { OptionsFixture } from './fixture.ts'

/** Long enough for a simulated operator when the line is run again. */
const PAUSE_SECONDS = 5

/** The replies up to the final verify. */
const storyOf = ({ accepted, password, verifyReply }: PlayedCase) =>
  [[accepted, ...(password ? [password] : []), verifyReply], PAUSE_SECONDS] as const

/** Compares the verify reply of a final payment field by field. @param banks provider code and name */
export function judgeRecord(fixture: OptionsFixture, payment: PlayedCase, banks: ReadonlySet<string>): void {
  const { paymentCase, record, password, verifyReply: requested, reference } = payment
  const story = storyOf(payment)
  for (const [field, wanted] of expectedOf(payment)) {
    const got = record[field]
    const fault =
      got !== wanted && `${field} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}: ${nameOf(paymentCase)}`
    fixture.hold('verifyTransaction', `${field} of ${paymentCase.option.type}`, fault, reference, ...story)
  }
  const requests = paymentCase.option.asksForOtp
  const fault =
    requests !== undefined &&
    requests !== (password !== undefined) &&
    `${paymentCase.option.code} ${requests ? 'needed no one-time password, the docs of the sandbox say that it does' : 'needed a one-time password, the docs of the sandbox do not say so'}`
  fixture.hold(aboutOf(paymentCase), 'one-time password', fault, nameOf(paymentCase), ...story)
  const { institution_name: institution } = record
  if (institution === undefined) return
  const known = typeof institution === 'string' && banks.has(`${paymentCase.option.code} ${institution}`)
  fixture.hold(
    'verifyTransaction',
    'institution_name',
    !known &&
      `institution_name is ${JSON.stringify(institution)}, which is no listed bank of ${paymentCase.option.code}`,
    reference,
    [requested],
  )
}

/** What the docs of the sandbox say. The rules over all traffic compare the record with its request. */
function expectedOf({ paymentCase, record }: PlayedCase): readonly (readonly [field: string, value: unknown])[] {
  const { option, outcome } = paymentCase
  const isDone = outcome.status === 'COMPLETED'
  const wire = (minor: bigint, of: string): number => Number(wireText(minor, of))
  // With an unknown rate, only fields that follow from the converted amount can be checked.
  const amount = paymentCase.transactionMinor ?? minorOf(Number(record['transaction_amount']), option.currency) ?? 0n
  const charge = option.charge && chargeOf(amount, option.charge)
  return [
    ['transaction_currency', option.currency],
    ['transaction_amount', wire(amount, option.currency)],
    ['transaction_status', outcome.status],
    ['status_message', outcome.message],
    ['failure_code', outcome.code],
    ...(charge === undefined ? [] : [['transaction_charge', isDone ? wire(charge, option.currency) : 0] as const]),
  ]
}

/** Compares every digit of an amount, so that binary fractions cannot interfere. */
function wireText(minor: bigint, currency: string): string {
  const decimals = String(minorOf(1, currency) ?? 1n).length - 1
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Each payment had a callback; the rules over all traffic compare it with the verify reply. */
export async function judgeCallbacks(
  fixture: OptionsFixture,
  played: readonly PlayedCase[],
  messages: readonly Message[],
): Promise<void> {
  const received = (): ReadonlySet<string | undefined> =>
    new Set(messages.filter((message) => isFinal(payloadOf(message))).map(({ reference }) => reference))
  await passing(fixture.target.own, () => {
    const references = received()
    return played.every(({ reference }) => references.has(reference))
  })
  const references = received()
  for (const { paymentCase, reference, accepted } of played) {
    const about = paymentCase.option.type === 'PAYOUT' ? 'payoutCallback' : 'collectionCallback'
    const fault = !references.has(reference) && `no callback came about ${nameOf(paymentCase)}`
    fixture.hold(about, 'came', fault, reference, [accepted])
  }
}
