import { collectionChargeOf, creditOf } from './charge.ts'
import type { Money } from './money.ts'
import type { Random } from './references.ts'
import { completed, type Transaction, type RailOutcome } from './transaction.ts'

/** A payment that a customer starts, under a reference that the customer types. */
export interface ExpectedPayment {
  /** The rail account whose messages report it, or the name of a simulated operator. */
  readonly paidTo: string
  /** The rail account in the books; absent: none, as in the sandbox. */
  readonly railAccount?: string
  /** The name of its receipt among the operator's ids. */
  readonly receiptName: string
  /** As `typedReference` reads it. */
  readonly reference: string
  readonly minMinor: bigint
  readonly maxMinor: bigint
  readonly expiresAt: Date
  /** Our charge, as it was agreed at acceptance. */
  readonly chargeBps: number
  readonly chargeFlatMinor: bigint
}

/** A payment as the operator, or its statement, has it. */
export interface ReceivedPayment {
  readonly receipt: string
  readonly amount: Money
  readonly account?: string
  readonly paidAt: Date
}

/** Letters and digits that are not mistaken for others, and spell no words. */
const ALPHABET = '23456789CFGHJMPQRVWX'
const DRAWN = 7

/**
 * The check symbol (Luhn mod 20): no single typo gives another reference, nor do two neighbours that change places,
 * unless they are the first and the last symbol of the alphabet.
 */
function checkOf(text: string): string {
  let sum = 0
  for (const [place, symbol] of [...text].toReversed().entries()) {
    const value = ALPHABET.indexOf(symbol) * (place % 2 === 0 ? 2 : 1)
    sum += Math.floor(value / ALPHABET.length) + (value % ALPHABET.length)
  }
  return ALPHABET[(ALPHABET.length - (sum % ALPHABET.length)) % ALPHABET.length] ?? ''
}

/** A reference to be typed: eight symbols, the last of which checks the others. */
export function newTypedReference(random: Random): string {
  let text = ''
  while (text.length < DRAWN)
    // 240 is the largest multiple of 20 in a byte: the rest is drawn again, so that no symbol is more frequent.
    for (const byte of random.bytes(DRAWN - text.length)) if (byte < 240) text += ALPHABET[byte % ALPHABET.length]
  return text + checkOf(text)
}

/**
 * What a customer has typed, as it is compared: without case, blanks and hyphens.
 * @returns undefined for what is no reference
 */
export function typedReference(text: string): string | undefined {
  const reference = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return /^[\dA-Z]{3,20}$/.test(reference) ? reference : undefined
}

/** Nobody paid it in time. */
export const UNPAID = {
  status: 'FAILED',
  reason: 'Nobody paid it in time',
  code: 'expired',
} as const satisfies RailOutcome

/** Whether a payment is what is expected. */
export const isExpected = (
  { minMinor, maxMinor, expiresAt }: Pick<ExpectedPayment, 'minMinor' | 'maxMinor' | 'expiresAt'>,
  { amountMinor }: Money,
  { status }: Pick<Transaction, 'status'>,
  now: Date,
): boolean => status === 'PENDING' && now < expiresAt && amountMinor >= minMinor && amountMinor <= maxMinor

/**
 * Why a payment under a reference is surely wrong, before it is made: what was expected was another amount, or is paid
 * or over. A reference that nobody expects may be anything.
 */
export function refusalBefore(
  expected: (Pick<ExpectedPayment, 'minMinor' | 'maxMinor' | 'expiresAt'> & { readonly isOpen: boolean }) | undefined,
  { amountMinor }: Money,
  now: Date,
): 'unknown_reference' | 'wrong_amount' | undefined {
  if (!expected) return undefined
  if (!expected.isOpen || now >= expected.expiresAt) return 'unknown_reference'
  return amountMinor < expected.minMinor || amountMinor > expected.maxMinor ? 'wrong_amount' : undefined
}

/**
 * The collection with what its customer has paid, and the charge for that. A payer whom the operator shows in part, or
 * not at all, is left out: `account` is a number.
 */
export function withPaid(
  collection: Transaction,
  expected: Pick<ExpectedPayment, 'chargeBps' | 'chargeFlatMinor' | 'railAccount'>,
  { amount, account = '' }: Pick<ReceivedPayment, 'amount' | 'account'>,
): Transaction {
  const chargeMinor = collectionChargeOf(amount.amountMinor, expected, false)
  return {
    ...collection,
    account: /^\d{5,20}$/.test(account) ? account : '',
    request: amount,
    amount,
    chargeMinor,
    totalMinor: creditOf(amount.amountMinor, chargeMinor, false),
    ...(expected.railAccount !== undefined && { railAccount: expected.railAccount }),
  }
}

/** What its customer has paid completes it: no rail ever had its order. */
export function paidByCustomer(collection: Transaction, orderId: string, now: Date): Transaction {
  if (collection.status !== 'PENDING') throw new Error(`${collection.internalReference} expects no payment`)
  return completed({ ...collection, railOrderId: orderId }, now)
}
