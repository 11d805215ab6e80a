import type { WireRequest } from '../../harness/proxy.ts'
import { passing } from '../apart/steps.ts'
import type { FreshValues } from '../apart/story.ts'
import { minorOf } from '../model/money.ts'
import { isFinal, payloadOf } from '../receiver/message-fields.ts'
import type { Message } from '../receiver/server.ts'
import { chargeOf } from './charges.ts'
import { aboutOf, nameOf, type PlayedCase } from './play.ts'
import type { OptionsFixture } from './till.ts'

/** Long enough for a simulated operator, for who runs the line again. */
const PAUSE_SECONDS = 5

/** What was sent until verify told of it, and what of that a shell makes anew. */
function storyOf({
  accepted,
  password,
  asked: requested,
  reference,
}: PlayedCase): readonly [readonly WireRequest[], FreshValues] {
  const requests = [accepted, ...(password ? [password] : []), requested].map(({ request }) => request)
  const id = accepted.data['internal_reference']
  const internalReferences = password && typeof id === 'string' ? [id] : []
  return [requests, { names: [reference], internalReferences, pauseSeconds: PAUSE_SECONDS }]
}

/** What verify tells of a payment that is final, field by field. @param banks provider code and name */
export function judgeRecord(till: OptionsFixture, payment: PlayedCase, banks: ReadonlySet<string>): void {
  const { life, record, password, asked: requested, reference } = payment
  const story = storyOf(payment)
  for (const [field, wanted] of expectedOf(payment)) {
    const got = record[field]
    if (got !== wanted) {
      payment.wrong.add(field)
      till.spoiled.add(life.option.currency)
    }
    const fault = got !== wanted && `${field} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}: ${nameOf(life)}`
    till.hold('verifyTransaction', `${field} of ${life.option.type}`, fault, reference, ...story)
  }
  const requests = life.option.asksForOtp
  const fault =
    requests !== undefined &&
    requests !== (password !== undefined) &&
    `${life.option.code} ${requests ? 'asked for no one-time password, the docs of the sandbox say that it does' : 'asked for a one-time password, the docs of the sandbox do not say so'}`
  till.hold(aboutOf(life), 'one-time password', fault, nameOf(life), ...story)
  const { institution_name: institution } = record
  if (institution === undefined) return
  const known = typeof institution === 'string' && banks.has(`${life.option.code} ${institution}`)
  till.hold(
    'verifyTransaction',
    'institution_name',
    !known && `institution_name is ${JSON.stringify(institution)}, which is no listed bank of ${life.option.code}`,
    reference,
    [requested.request],
  )
}

function expectedOf({
  life,
  reference,
  account,
  accepted,
  record,
}: PlayedCase): readonly (readonly [field: string, value: unknown])[] {
  const { option, currency, amountMinor, outcome, chargeCustomer } = life
  const isDone = outcome.status === 'COMPLETED'
  const wire = (minor: bigint, of: string): number => Number(wireText(minor, of))
  // Of a rate that nobody told only what follows from the converted amount can be held against the rest.
  const amount = life.transactionMinor ?? minorOf(Number(record['transaction_amount']), option.currency) ?? 0n
  const charge = option.charge && chargeOf(amount, option.charge)
  const totalOf = (chargeMinor: bigint): bigint => {
    if (option.type === 'PAYOUT') return amount + chargeMinor
    if (chargeCustomer) return amount
    return chargeMinor > amount ? 0n : amount - chargeMinor
  }
  const total = option.type === 'PAYOUT' ? 'total_debit' : 'total_credit'
  return [
    ['merchant_reference', reference],
    ['internal_reference', accepted.data['internal_reference']],
    ['transaction_type', option.type],
    ['provider_code', option.code],
    ['request_currency', currency],
    ['request_amount', wire(amountMinor, currency)],
    ['transaction_currency', option.currency],
    ['transaction_amount', wire(amount, option.currency)],
    ['transaction_account', account],
    ['charge_customer', chargeCustomer],
    ['customer_name', 'Amina Nakato'],
    ['transaction_status', outcome.status],
    ['status_message', outcome.message],
    ['failure_code', outcome.code],
    ...(charge === undefined
      ? []
      : [
          ['transaction_charge', isDone ? wire(charge, option.currency) : 0] as const,
          [total, isDone ? wire(totalOf(charge), option.currency) : 0] as const,
        ]),
  ]
}

/** Every digit of an amount, so that no binary fraction comes between. */
function wireText(minor: bigint, currency: string): string {
  const decimals = String(minorOf(1, currency) ?? 1n).length - 1
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Of each payment a callback came that says what verify says. */
export async function judgeCallbacks(
  till: OptionsFixture,
  played: readonly PlayedCase[],
  messages: readonly Message[],
): Promise<void> {
  const received = (): ReadonlySet<string | undefined> =>
    new Set(messages.filter((message) => isFinal(payloadOf(message))).map(({ reference }) => reference))
  await passing(till.target.own, () => {
    const references = received()
    return played.every(({ reference }) => references.has(reference))
  })
  const byReference = Map.groupBy(
    messages.filter((message) => isFinal(payloadOf(message))),
    ({ reference }) => reference,
  )
  for (const { life, reference, record, accepted, wrong } of played) {
    const about = life.option.type === 'PAYOUT' ? 'payoutCallback' : 'collectionCallback'
    const [first] = byReference.get(reference) ?? []
    const name = nameOf(life)
    till.hold(about, 'came', !first && `no callback came about ${name}`, reference, [accepted.request], {
      names: [reference],
    })
    if (!first) continue
    const payload = payloadOf(first)
    const differing = [...new Set([...Object.keys(payload), ...Object.keys(record)])].filter(
      // What verify says wrongly was told.
      (field) => !wrong.has(field) && JSON.stringify(payload[field]) !== JSON.stringify(record[field]),
    )
    for (const field of differing)
      till.hold(
        about,
        `${field} as verify says`,
        `${field} of the callback about ${name} is ${JSON.stringify(payload[field])}, verify says ${JSON.stringify(record[field])}`,
        reference,
        [accepted.request],
        { names: [reference] },
      )
    if (differing.length === 0) till.hold(about, 'as verify says', false, reference)
  }
}
