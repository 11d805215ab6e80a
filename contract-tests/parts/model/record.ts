import type { Transaction } from '../../../client/index.ts'
import { failureCodeFault } from '../receiver/failure-codes.ts'
import { minorOf } from './money.ts'
import { optionName } from './options.ts'
import { isFinal, prospectOf, UNCOVERED, type Payment } from './payment.ts'
import type { SystemUnderTest } from './world.ts'

/** Checks a verify reply against the request, earlier replies and the expected outcome. @throws Violation */
export function checkRecord(payment: Payment, record: Transaction, real: SystemUnderTest): void {
  checkEcho(payment, record, real)
  checkStatus(payment, record, real)
  checkMoney(payment, record, real)
  const codeFault = failureCodeFault({ ...record })
  real.rules.hold(
    'a failure has its code, and nothing else has one',
    codeFault === undefined,
    `verify of ${payment.reference}: ${codeFault}`,
  )
}

function checkEcho(payment: Payment, record: Transaction, { rules }: SystemUnderTest): void {
  const { draft, record: reported } = payment
  const expected = {
    merchant_reference: payment.reference,
    internal_reference: payment.internalReference,
    id: reported.id,
    transaction_type: payment.type,
    request_currency: draft.way.currency,
    request_amount: draft.request.amount,
    transaction_currency: draft.way.currency,
    transaction_amount: draft.request.amount,
    transaction_account: payment.account,
    provider_code: draft.way.providerCode,
    charge_customer: draft.type === 'COLLECTION' && draft.request.charge_customer === true,
  }
  for (const [name, value] of Object.entries(expected)) {
    const got: unknown = Object.entries(record).find(([field]) => field === name)?.[1]
    rules.hold(
      'verify equals the request',
      got === value,
      `verify of ${payment.reference} has ${name} ${JSON.stringify(got)}, not ${JSON.stringify(value)}`,
    )
  }
}

function checkStatus(
  payment: Payment,
  { transaction_status: status, status_message: message }: Transaction,
  { rules }: SystemUnderTest,
): void {
  const { stage, record: reported } = payment
  const before = reported.transaction_status
  const { ends, mayTurn } = prospectOf(payment)
  const mayComplete = before === 'FAILED' && status === 'COMPLETED' && mayTurn
  rules.hold(
    'a final state stays',
    !isFinal(before) || status === before || mayComplete,
    `${payment.reference} was ${before} and is ${status}`,
  )
  rules.hold(
    'states follow the lifecycle',
    !(before === 'PROCESSING' && (status === 'PENDING' || status === 'CANCELLED')),
    `${payment.reference} was ${before} and is ${status}`,
  )
  if (stage.at === 'confirmation' || stage.at === 'otp') {
    return rules.hold(
      'nothing happens before the customer agrees',
      status === 'PENDING',
      `${payment.reference} waits for its customer (${stage.at}) and is ${status}`,
    )
  }
  if (stage.at === 'ended')
    rules.hold(
      'what ended stays ended',
      status === stage.status,
      `${payment.reference} ended ${stage.status} (${stage.message}) and is ${status}`,
    )
  if (!isFinal(status) || isUncovered(payment, message)) return
  const fits = ends.some((outcome) => outcome.status === status && (outcome.message ?? message) === message)
  rules.hold(
    'a payment ends as its test number says',
    fits,
    `${payment.reference} is ${status} (${message}); expected ${ends.map((outcome) => `${outcome.status}${outcome.message === undefined ? '' : ` (${outcome.message})`}`).join(' or ') || 'no end'}`,
  )
}

export const isUncovered = ({ type }: Payment, message: string): boolean => type === 'PAYOUT' && message === UNCOVERED

/** Charges are not announced, but totals follow from them: decisions, section "Money". */
function checkMoney(payment: Payment, record: Transaction, { rules, charges }: SystemUnderTest): void {
  const { draft, record: earlier } = payment
  const { currency } = draft.way
  const chargeMinor = minorOf(record.transaction_charge, currency)
  const totalMinor = minorOf(record.transaction_type === 'PAYOUT' ? record.total_debit : record.total_credit, currency)
  const words = `verify of ${payment.reference} (${record.transaction_status}, ${record.request_amount} ${currency}) has a charge of ${record.transaction_charge} and a total of ${record.transaction_type === 'PAYOUT' ? record.total_debit : record.total_credit}`
  if (chargeMinor === undefined || totalMinor === undefined)
    return rules.hold('amounts are whole minor units', false, words)
  if (record.transaction_status === 'FAILED' || record.transaction_status === 'CANCELLED') {
    return rules.hold('what moved nothing costs nothing', chargeMinor === 0n && totalMinor === 0n, words)
  }
  rules.hold(
    'charges follow one rule: a percentage, rounded half up, plus a flat amount',
    charges.explains(optionName(draft.way.providerCode, payment.type), draft.amountMinor, chargeMinor),
    words,
  )
  rules.hold(
    'total_credit and total_debit follow from amount and charge',
    totalMinor === expectedTotal(payment, chargeMinor),
    words,
  )
  const costNothing = earlier.transaction_status === 'FAILED'
  rules.hold(
    'a charge stays what it was',
    costNothing || earlier.transaction_charge === record.transaction_charge,
    `${words}; before it was ${earlier.transaction_charge}`,
  )
}

function expectedTotal({ draft }: Payment, chargeMinor: bigint): bigint {
  if (draft.type === 'PAYOUT') return draft.amountMinor + chargeMinor
  if (draft.request.charge_customer === true) return draft.amountMinor
  return chargeMinor > draft.amountMinor ? 0n : draft.amountMinor - chargeMinor
}
