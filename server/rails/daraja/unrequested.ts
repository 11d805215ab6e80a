import type { AccountMessage, PaymentQuestion, PaymentRefusal, UnrequestedPayment } from '../../actions/ports/rail.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import type { RailWorld, ReceivedCallback } from '../rail-kind.ts'
import { bodyOf } from './message-body.ts'
import { timeIn } from './nairobi-time.ts'
import type { DarajaRailAccount } from './rail-account.ts'
import { amountIn, receiptIn, UNCLEAR } from './result-fields.ts'
import { RECEIPT } from './reversal.ts'

/** The addresses of the rail account, by what comes there: Safaricom refuses some words in them. */
export const ACCOUNT_TAILS = {
  confirmation: 'paid',
  validation: 'wanted',
  balance: 'balance',
  pulled: 'pulled',
} as const

/** A payment to the short code that nobody asked for (C2B). Nothing proves that Safaricom sent it. */
export function readConfirmation(
  railAccount: DarajaRailAccount,
  message: ReceivedCallback,
  { onDrift, clock }: Pick<RailWorld, 'onDrift' | 'clock'>,
): AccountMessage | undefined {
  if (message.tail !== ACCOUNT_TAILS.confirmation) return undefined
  const body = bodyOf('c2bConfirmation', message, onDrift)
  const [about, receipt] = [paymentIn(railAccount, body), receiptIn([fieldAt(body, 'TransID')])]
  if (!about || receipt === undefined) return undefined
  // The time only bounds where the payment is looked for: without a readable one it has just come.
  const paidAt = timeIn(textOf(fieldAt(body, 'TransTime')) ?? '') ?? clock.now()
  // To a till nobody types a reference, and the customers of our prompts pay there too.
  const mayBeOrdered = about.reference === undefined && { mayBeOrdered: true as const }
  return { about: 'payment', payment: { ...about, receipt, paidAt }, receiptName: RECEIPT, ...mayBeOrdered }
}

/** Safaricom's question before such a payment. */
export function readValidation(
  railAccount: DarajaRailAccount,
  message: ReceivedCallback,
  onDrift?: RailWorld['onDrift'],
): PaymentQuestion | undefined {
  if (message.tail !== ACCOUNT_TAILS.validation) return undefined
  const payment = paymentIn(railAccount, bodyOf('c2bValidation', message, onDrift))
  return payment && { payment, answer: answerOf }
}

const answerOf = (refusal: PaymentRefusal | undefined): string =>
  JSON.stringify(
    refusal ? { ResultCode: CODES[refusal], ResultDesc: 'Rejected' } : { ResultCode: '0', ResultDesc: 'Accepted' },
  )

const CODES: Readonly<Record<PaymentRefusal, string>> = {
  unknown_account: 'C2B00011',
  unknown_reference: 'C2B00012',
  wrong_amount: 'C2B00013',
  not_now: 'C2B00016',
}

/** To our own number, and of an amount. The payer may be hidden in part, or a digest. */
function paymentIn(
  { shortCode, collections }: DarajaRailAccount,
  body: unknown,
): Omit<UnrequestedPayment, 'receipt' | 'paidAt'> | undefined {
  const paid = textOf(fieldAt(body, 'BusinessShortCode'))
  const amount = amountIn([fieldAt(body, 'TransAmount')])
  if (paid === undefined || ![shortCode, collections?.receiver].includes(paid)) return undefined
  if (amount === undefined || amount === UNCLEAR || amount.amountMinor <= 0n) return undefined
  const [account, reference] = ['MSISDN', 'BillRefNumber'].map((name) => shown(textOf(fieldAt(body, name))))
  return { amount, ...(account && { account }), ...(reference && { reference }) }
}

const TEXT_MAX = 100
const shown = (text: string | undefined): string | undefined => text?.trim().slice(0, TEXT_MAX)
