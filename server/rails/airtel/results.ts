import type { KnownOutcome, RailOrder } from '../../actions/ports/rail.ts'
import { moneyFromWire } from '../../domain/money.ts'
import { withOwnCode } from '../failure-codes.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import type { RailWorld } from '../rail-kind.ts'
import { codeIn } from './calls.ts'
import { causeOf } from './codes.ts'
import type { Country } from './settings.ts'

/** What a reply says about a transaction. */
export interface SaidTransaction {
  /** Our id, as a UUID where it is one. */
  readonly id: string | undefined
  readonly status: string | undefined
  /** Of the reply, or of the message. */
  readonly code: string | undefined
  /** The receipt of a collection, or of a payout. */
  readonly receipts: { readonly airtel_money_id?: string; readonly reference_id?: string }
  /** The transaction itself. */
  readonly whole: unknown
}

/** Ids go out as the 32 hexadecimal digits of our order id: a hyphen is not safe everywhere. */
export const wireId = (orderId: string): string => orderId.replaceAll('-', '').toLowerCase()

const orderIdIn = (id: string): string =>
  id.toLowerCase().replace(/^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/, '$1-$2-$3-$4-$5')

const RECEIPT_MAX = 100
const receiptAt = (value: unknown): string | undefined => {
  const text = textOf(value)
  return text !== undefined && text.length <= RECEIPT_MAX ? text : undefined
}

/** @returns undefined where it is about no transaction */
export function transactionIn(
  said: unknown,
  at: readonly string[] = ['data', 'transaction'],
): SaidTransaction | undefined {
  const whole = fieldAt(said, ...at)
  const status = textOf(fieldAt(whole, 'status')) ?? textOf(fieldAt(whole, 'status_code'))
  if (status === undefined) return undefined
  const id = textOf(fieldAt(whole, 'id'))
  const [airtelId, referenceId] = [
    receiptAt(fieldAt(whole, 'airtel_money_id')),
    receiptAt(fieldAt(whole, 'reference_id')),
  ]
  return {
    id: id && orderIdIn(id),
    status: status.toUpperCase(),
    code: codeIn(said),
    receipts: {
      ...(airtelId !== undefined && { airtel_money_id: airtelId }),
      ...(referenceId !== undefined && { reference_id: referenceId }),
    },
    whole,
  }
}

/** What decides, whatever the code beside it [documented]. */
const FAILED: ReadonlySet<string> = new Set(['TF', 'TE'])
const OPEN: ReadonlySet<string> = new Set(['TIP', 'TI', 'TA'])
export const isOpen = ({ status = '' }: SaidTransaction): boolean => OPEN.has(status)
/** Whether its state is documented. */
export const isKnown = (said: SaidTransaction): boolean =>
  said.status === 'TS' || FAILED.has(said.status ?? '') || isOpen(said)

/**
 * @returns why it says nothing about this order, in our own words. Its contract has no amount: one that is there has to
 * agree, but a failure may say that 0 has moved
 */
export function differenceTo(
  { orderId, amount }: Pick<RailOrder, 'orderId' | 'amount'>,
  { id, status = '', whole }: SaidTransaction,
) {
  if (id !== orderId.toLowerCase()) return id === undefined ? 'no id' : 'another id than the order'
  const [value, named] = [textOf(fieldAt(whole, 'amount')), textOf(fieldAt(whole, 'currency'))]
  const currency = named?.toUpperCase() ?? amount.currency
  if (currency !== amount.currency) return 'another currency than the order'
  if (value === undefined) return undefined
  try {
    const { amountMinor } = moneyFromWire(value, currency)
    const agrees = amountMinor === amount.amountMinor || (amountMinor === 0n && FAILED.has(status))
    return agrees ? undefined : 'another amount than the order'
  } catch {
    return 'another amount than the order'
  }
}

interface OutcomeOptions {
  readonly country: Country
  readonly failureCodes: RailWorld['failureCodes']
  /** Which of the receipts is that of the order. */
  readonly receipt: keyof SaidTransaction['receipts']
}

/** The final state in a reply or a message, whose it is has to be checked. @returns undefined where it is not final */
export function outcomeIn(
  { status = '', code, receipts }: SaidTransaction,
  { country, failureCodes, receipt }: OutcomeOptions,
): KnownOutcome | undefined {
  if (FAILED.has(status))
    return {
      outcome: { status: 'FAILED', ...withOwnCode(causeOf(code, country, status === 'TE'), code, failureCodes) },
    }
  if (status !== 'TS') return undefined
  const id = receipts[receipt]
  return { outcome: { status: 'COMPLETED' }, ...(id !== undefined && { receipts: { [receipt]: id } }) }
}
