import { isObject } from '../../../../openapi/reading/json.ts'
import type { AccountMessage, KnownOutcome, PaymentQuestion, PaymentRefusal } from '../../../actions/ports/rail.ts'
import { moneyFromWire, type Money } from '../../../domain/money.ts'
import { withOwnCode } from '../../failure-codes.ts'
import { fieldAt, listOf, textOf } from '../../foreign-fields.ts'
import type { CallbackReading, RailWorld, ReceivedCallback } from '../../rail-kind.ts'
import { MODEL_CONTRACT } from './model-contract.ts'

export const REASONS = {
  NO_MONEY: { reason: 'The customer does not have enough money', code: 'insufficient_funds' },
  DECLINED: { reason: 'The customer declined', code: 'declined' },
  NO_ACCOUNT: { reason: 'There is no such account', code: 'account_not_found' },
} as const
const NOT_COMPLETED = { reason: 'The payment was not completed' }

export const isReason = (code: string | undefined): code is keyof typeof REASONS =>
  code !== undefined && Object.hasOwn(REASONS, code)

export const causeOf = (code: string | undefined, { failureCodes }: Pick<RailWorld, 'failureCodes'>) =>
  withOwnCode(isReason(code) ? REASONS[code] : NOT_COMPLETED, code, failureCodes)

/** The final result in a reply or a message; whose it is has to be checked. */
export function verdictIn(said: unknown, world: Pick<RailWorld, 'failureCodes'>): KnownOutcome | undefined {
  const status = fieldAt(said, 'status')
  if (status === 'FAILED') return { outcome: { status, ...causeOf(textOf(fieldAt(said, 'code')), world) } }
  if (status !== 'DONE') return undefined
  const receipt = textOf(fieldAt(said, 'receipt'))
  return { outcome: { status: 'COMPLETED' }, ...(receipt !== undefined && { receipts: { receipt } }) }
}

/** Its verdicts have no amount: one that is there all the same has to agree. @returns undefined: there is none */
export function amountIn(said: unknown): Money | 'unclear' | undefined {
  const [amount, currency] = [textOf(fieldAt(said, 'amount')), textOf(fieldAt(said, 'currency'))]
  if (amount === undefined && currency === undefined) return undefined
  try {
    return moneyFromWire(amount ?? '', currency ?? '')
  } catch {
    return 'unclear'
  }
}

/** What came to one of its addresses, as the contract has it. */
export function saidIn(tail: 'message' | 'question', { method, body, tail: at }: ReceivedCallback): unknown {
  const found = at === tail ? MODEL_CONTRACT.readCallback('message', { method, body }) : undefined
  return found && 'value' in found && isObject(found.value) ? found.value : undefined
}

/** A message names its order by our id: a hint to query it. */
export function readingOf(said: unknown, world: Pick<RailWorld, 'failureCodes'>): CallbackReading | undefined {
  const orderId = textOf(fieldAt(said, 'id'))?.toLowerCase()
  if (orderId === undefined) return undefined
  const amount = amountIn(said)
  // An amount that cannot be read agrees with no order.
  const known = amount === 'unclear' ? undefined : verdictIn(said, world)
  return { ...known, mayQuery: true, orderId, externalIds: {}, ...(amount && amount !== 'unclear' && { amount }) }
}

export function messageIn(said: unknown, world: Pick<RailWorld, 'failureCodes'>): AccountMessage | undefined {
  if (fieldAt(said, 'type') === 'payment') return paymentIn(said)
  if (fieldAt(said, 'type') === 'balances') return balancesIn(said)
  const reading = readingOf(said, world)
  return reading && { about: 'order', reading }
}

const payerIn = (said: unknown) => {
  const [account, reference] = [textOf(fieldAt(said, 'payer')), textOf(fieldAt(said, 'reference'))]
  return { ...(account !== undefined && { account }), ...(reference !== undefined && { reference }) }
}

function paymentIn(said: unknown): AccountMessage | undefined {
  const [receipt, amount] = [textOf(fieldAt(said, 'receipt')), amountIn(said)]
  const paidAt = new Date(textOf(fieldAt(said, 'at')) ?? '')
  if (receipt === undefined || !amount || amount === 'unclear' || amount.amountMinor <= 0n) return undefined
  if (Number.isNaN(paidAt.getTime())) return undefined
  return { about: 'payment', payment: { receipt, amount, paidAt, ...payerIn(said) } }
}

function balancesIn(said: unknown): AccountMessage | undefined {
  const answersQuestion = textOf(fieldAt(said, 'question'))
  if (answersQuestion === undefined) return undefined
  const balances = listOf(fieldAt(said, 'balances')).flatMap((each) => {
    const [account, available] = [textOf(fieldAt(each, 'account')), amountIn(each)]
    return account !== undefined && available && available !== 'unclear' ? [{ account, available }] : []
  })
  return { about: 'balances', answersQuestion, balances }
}

export function questionIn(said: unknown): PaymentQuestion | undefined {
  const amount = amountIn(said)
  if (!amount || amount === 'unclear') return undefined
  return {
    payment: { amount, ...payerIn(said) },
    answer: (refusal) => JSON.stringify(refusal ? { accept: false, because: WORDS[refusal] } : { accept: true }),
  }
}

const WORDS: Readonly<Record<PaymentRefusal, string>> = {
  unknown_reference: 'REFERENCE',
  wrong_amount: 'AMOUNT',
  unknown_account: 'ACCOUNT',
  not_now: 'LATER',
}
