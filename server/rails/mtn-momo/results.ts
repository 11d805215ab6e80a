import type { RailKnowledge, RailReferences } from '../../actions/ports/rail.ts'
import type { Money } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { amountRead } from './amount.ts'
import { withOwnCode } from '../failure-codes.ts'
import type { RailWorld } from '../rail-kind.ts'
import { causeOf } from './codes.ts'

/** The member of a result that holds the account; a refund's result has none. */
export type PartyField = 'payer' | 'payee' | undefined

/** The fields of a result that decide, each undefined where it is missing or cannot be read. */
interface ResultFields {
  readonly status: string | undefined
  /** The reason of a failure. A bare string was observed, an object is documented. */
  readonly code: string | undefined
  /** Our own id. */
  readonly externalId: string | undefined
  /** A decimal number in major units. */
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** Digits only. */
  readonly account: string | undefined
  /** The transaction id in MTN's reports, present once it has settled. A value longer than any id is ignored. */
  readonly financialTransactionId: string | undefined
}

/** @param result the body of a status query or a callback, of any shape */
export function fieldsOf(result: unknown, party: PartyField): ResultFields {
  const reason = fieldAt(result, 'reason')
  return {
    status: textOf(fieldAt(result, 'status')),
    code: textOf(reason) ?? textOf(fieldAt(reason, 'code')),
    externalId: textOf(fieldAt(result, 'externalId'))?.toLowerCase(),
    amount: matching(/^-?\d+(\.\d+)?$/, textOf(fieldAt(result, 'amount'))),
    currency: textOf(fieldAt(result, 'currency'))?.toUpperCase(),
    account: party && digitsOf(textOf(fieldAt(result, party, 'partyId'))),
    financialTransactionId: matching(/^.{1,100}$/s, textOf(fieldAt(result, 'financialTransactionId'))),
  }
}

const matching = (pattern: RegExp, text = ''): string | undefined => (pattern.test(text) ? text : undefined)

/** A masked number, or one that is not a phone number, cannot be compared. */
const digitsOf = (text = ''): string | undefined => matching(/^\d+$/, text.replaceAll(' ', '').replace(/^(\+|00)/, ''))

/** With the code of its country. */
export const isInternational = (digits: string): boolean => /^[1-9]\d{10,}$/.test(digits)

/** A number without the code of its country is compared by what follows that. */
function isSameNumber(digits: string, account: string): boolean {
  if (isInternational(digits)) return digits === digitsOf(account)
  const national = digits.replace(/^0+/, '')
  return national.length >= NATIONAL_DIGITS_MIN && account.endsWith(national)
}
const NATIONAL_DIGITS_MIN = 7

/** The expected values, to compare with the reply. */
interface ExpectedOrder {
  readonly orderId: string
  readonly amount: Money
  readonly type: TransactionType
  readonly party: PartyField
  readonly account: string
  readonly failureCodes: RailWorld['failureCodes']
}

/**
 * Reads the reply to a status query, which was sent with our own id. A reply that contradicts the order says nothing
 * about it; a success must have all that MTN's contract requires of one.
 */
export function readResult(result: unknown, expected: ExpectedOrder): RailKnowledge {
  const fields = fieldsOf(result, expected.party)
  const wrong = differenceTo(expected, fields)
  if (wrong !== undefined) return contradicting(wrong)
  const outcome = outcomeIn(fields, expected.type, expected.failureCodes)
  if (outcome?.status === 'FAILED') return { knows: 'outcome', outcome }
  if (outcome) {
    const { account } = fields
    if (account !== undefined && !isSameNumber(account, expected.account)) return contradicting('account')
    const missing = (['amount', 'currency'] as const).find((name) => fields[name] === undefined)
    return missing === undefined
      ? { knows: 'outcome', outcome, ...receiptsIn(fields) }
      : { knows: 'unreachable', error: `MTN answered a success without a readable ${missing}` }
  }
  return isInProgress(fields.status)
    ? { knows: 'in_progress' }
    : { knows: 'unreachable', error: 'MTN answered a status that it does not document' }
}

const contradicting = (what: string): RailKnowledge => ({
  knows: 'unreachable',
  error: `MTN's answer has another ${what} than the order`,
})

/** Fields that are present must agree with the order, whatever the verdict; of a failure, 0 may have moved. */
function differenceTo(
  { orderId, amount: ordered }: ExpectedOrder,
  { status, externalId, currency, amount }: ResultFields,
): string | undefined {
  if (externalId !== undefined && externalId !== orderId.toLowerCase()) return 'external id'
  if (currency !== undefined && currency !== ordered.currency) return 'currency'
  const said = amount === undefined ? undefined : amountRead(amount, ordered.currency)
  if (amount === undefined || (said?.amountMinor === 0n && status === 'FAILED')) return undefined
  return said?.amountMinor === ordered.amountMinor ? undefined : 'amount'
}

/** MTN documents only SUCCESSFUL and FAILED as final; a final status overrides any reason. */
export function outcomeIn(
  { status, code }: ResultFields,
  type: TransactionType,
  own: RailWorld['failureCodes'],
): RailOutcome | undefined {
  if (status === 'SUCCESSFUL') return { status: 'COMPLETED' }
  if (status === 'FAILED') return { status: 'FAILED', ...withOwnCode(causeOf(code, type), code, own) }
  return undefined
}

// CREATED and ONGOING are undocumented. They only cause another status query.
const IN_PROGRESS: ReadonlySet<string> = new Set(['PENDING', 'CREATED', 'ONGOING'])
const isInProgress = (status = ''): boolean => IN_PROGRESS.has(status)

/** The external ids that are stored only with a success. */
export const receiptsIn = ({ financialTransactionId }: ResultFields): { readonly receipts?: RailReferences } =>
  financialTransactionId === undefined ? {} : { receipts: { financialTransactionId } }
