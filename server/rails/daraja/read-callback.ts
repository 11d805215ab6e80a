import { isObject } from '../../../openapi/reading/json.ts'
import type { RailReferences } from '../../actions/ports/rail.ts'
import type { Money } from '../../domain/money.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import type { CallbackReading, RailWorld, ReceivedCallback } from '../rail-kind.ts'
import { TAILS } from './callback-addresses.ts'
import { bodyOf } from './message-body.ts'
import type { DarajaRailAccount } from './rail-account.ts'
import {
  payoutStatus,
  RESULTS_OF_BANK_PAYOUTS,
  RESULTS_OF_PAYOUTS,
  resultOfPayout,
  resultOfPrompt,
  resultOfReversal,
  type ResultReading,
} from './result-codes.ts'
import {
  accountIn,
  amountIn,
  codeIn,
  idIn,
  innerOf,
  namedValues,
  receiptIn,
  reportableCode,
  statusIn,
  UNCLEAR,
  type NamedValues,
  type UnclearValue,
} from './result-fields.ts'
import { isContradicted } from './result-text.ts'

/**
 * Reads a message's claims. Nothing is signed, and every field may have any shape: each is read by itself, and a
 * malformed field that decides nothing does not invalidate the verdict.
 * @returns undefined for a body that is not an M-PESA message, and for an address that takes none
 */
export function readCallback(
  { payouts, failureCodes }: DarajaRailAccount,
  callback: ReceivedCallback,
  onDrift?: RailWorld['onDrift'],
): CallbackReading | undefined {
  const believed = payouts?.failedCodes ?? new Set<string>()
  const read = (name: string): unknown => bodyOf(name, callback, onDrift)
  switch (callback.tail) {
    case undefined:
      return ofPrompt(fieldAt(read('stkPushCallback'), 'Body', 'stkCallback'), failureCodes)
    case TAILS.result:
      return ofPayout(fieldAt(read('payOutResult'), 'Result'), believed, failureCodes)
    case TAILS.bank:
      return ofConversation(
        fieldAt(read('payBusinessResult'), 'Result'),
        'PAYOUT',
        (code) => resultOfPayout(RESULTS_OF_BANK_PAYOUTS, code, believed, failureCodes),
        ['OriginatorConversationID', 'ConversationID'],
      )
    case TAILS.status:
      return ofStatus(fieldAt(read('transactionStatusResult'), 'Result'), payouts?.banks !== undefined)
    case TAILS.reversal:
      return ofConversation(fieldAt(read('reversalResult'), 'Result'), 'REFUND', resultOfReversal, ['ConversationID'])
    case TAILS.timeOut:
      // A queue timeout is not a failure: the payout may still be paid.
      return isObject(read('payOutTimeOut')) ? { mayQuery: false, externalIds: {} } : undefined
    default:
      return undefined
  }
}

/** A prompt's result can be queried by the CheckoutRequestID in the message, so the message is only a hint. */
function ofPrompt(result: unknown, own: DarajaRailAccount['failureCodes']): CallbackReading | undefined {
  if (!isObject(result)) return undefined
  const { MerchantRequestID, CheckoutRequestID, ResultCode, ResultDesc, CallbackMetadata } = result
  const values = namedValues(innerOf(CallbackMetadata, 'Item'), 'Name')
  const amount = amountIn(values('Amount'))
  const account = accountIn(values('PhoneNumber'))
  const claim = readResult((code) => resultOfPrompt(code, own), ResultCode, ResultDesc)
  const isWhole = isFailure(claim) || (amount !== UNCLEAR && account !== UNCLEAR)
  return {
    type: 'COLLECTION',
    ...verdictOf(claim, isWhole, ['MpesaReceiptNumber', values('MpesaReceiptNumber')]),
    mayQuery: true,
    ...optional('amount', clear(amount)),
    ...optional('account', clear(account)),
    externalIds: {
      ...optional('MerchantRequestID', idIn(MerchantRequestID)),
      ...optional('CheckoutRequestID', idIn(CheckoutRequestID)),
    },
  }
}

/**
 * A payout's result cannot be queried synchronously, so the message must agree with the order: its id, and for a
 * success the amount, and the recipient's number where it is unmasked.
 */
function ofPayout(
  result: unknown,
  failedCodes: ReadonlySet<string>,
  own: DarajaRailAccount['failureCodes'],
): CallbackReading | undefined {
  if (!isObject(result)) return undefined
  const { ResultCode, ResultDesc, OriginatorConversationID, ConversationID, TransactionID } = result
  const values = parametersIn(result)
  const amount = amountIn(values('TransactionAmount'))
  const account = accountIn(values('ReceiverPartyPublicName'))
  const orderId = textOf(OriginatorConversationID)?.toLowerCase()
  const claim = readResult((code) => resultOfPayout(RESULTS_OF_PAYOUTS, code, failedCodes, own), ResultCode, ResultDesc)
  const isWhole = orderId !== undefined && (isFailure(claim) || hasAmount(amount, account))
  return {
    type: 'PAYOUT',
    ...verdictOf(claim, isWhole, ['TransactionID', [TransactionID, ...values('TransactionReceipt')]]),
    mayQuery: false,
    ...optional('orderId', orderId),
    ...optional('amount', clear(amount)),
    ...optional('account', clear(account)),
    externalIds: {
      ...optional('OriginatorConversationID', idIn(orderId)),
      ...optional('ConversationID', idIn(ConversationID)),
    },
  }
}

/**
 * The result of an order without an id of ours: a reversal, or a payment to a bank. M-PESA cannot be queried about a
 * reversal, and a message about a payment may bring the first that we see of its ids: it must come to the order's
 * address, agree in the id of the conversation where that is known, and for a success in the amount.
 * @param ids that name the order
 */
function ofConversation(
  result: unknown,
  type: 'REFUND' | 'PAYOUT',
  meaningOf: (code: string) => ResultReading,
  ids: readonly string[],
): CallbackReading | undefined {
  if (!isObject(result)) return undefined
  const { ResultCode, ResultDesc, ConversationID, TransactionID } = result
  const amount = amountIn(parametersIn(result)('Amount'))
  const claim = readResult(meaningOf, ResultCode, ResultDesc)
  const isWhole = idIn(ConversationID) !== undefined && (isFailure(claim) || hasAmount(amount, undefined))
  return {
    type,
    ...verdictOf(claim, isWhole, ['TransactionID', [TransactionID]]),
    mayQuery: false,
    ...optional('amount', clear(amount)),
    externalIds: Object.assign({}, ...ids.map((name) => optional(name, idIn(result[name])))) as RailReferences,
  }
}

/**
 * The answer to a payout's status query. Its code and its conversation ids are those of the query, which
 * `answersQuestion` identifies: without it there is no verdict, because anybody can send such a message. A failure
 * must also name the order, and a completion its amount. A payment to a bank has M-PESA's id instead of ours, and its
 * parties are no phones.
 */
function ofStatus(result: unknown, isToBank: boolean): CallbackReading | undefined {
  if (!isObject(result)) return undefined
  const values = parametersIn(result)
  const answersQuestion = idIn(result['ConversationID'])
  const orderIds = new Set(
    values('OriginatorConversationID').flatMap(
      (value) => (isToBank ? textOf(value) : textOf(value)?.toLowerCase()) ?? [],
    ),
  )
  const [orderId] = orderIds
  const amount = amountIn(values('Amount'))
  // The documentation lists DebitPartyName twice, the second for the recipient. None of our short codes is a phone
  // number.
  const account = isToBank ? undefined : accountIn([...values('CreditPartyName'), ...values('DebitPartyName')])
  const status = codeIn(result['ResultCode']) === '0' ? statusIn(values('TransactionStatus')) : undefined
  const claim = readResult(payoutStatus, status, undefined)
  const isWhole = isFailure(claim) ? orderId !== undefined : hasAmount(amount, account)
  return {
    type: 'PAYOUT',
    ...verdictOf(claim, isWhole && answersQuestion !== undefined && orderIds.size <= 1, [
      'TransactionID',
      values('ReceiptNo'),
    ]),
    mayQuery: false,
    ...(isToBank ? {} : optional('orderId', orderId)),
    ...optional('amount', clear(amount)),
    ...optional('account', clear(account)),
    externalIds: isToBank ? optional('OriginatorConversationID', idIn(orderId)) : {},
    ...optional('answersQuestion', answersQuestion),
  }
}

/** `ResultParameters: { ResultParameter: […] }`; also a list without that intermediate level. */
const parametersIn = (result: Readonly<Record<string, unknown>>): NamedValues =>
  namedValues(innerOf(result['ResultParameters'], 'ResultParameter'), 'Key')

/** The meaning of a result code alone. */
interface Claim {
  readonly outcome?: RailOutcome
  /** The text beside the code contradicts it. */
  readonly isContradicted?: boolean
  readonly unmappedCode?: string
}

function readResult(meaningOf: (code: string) => ResultReading, resultCode: unknown, resultDesc: unknown): Claim {
  const code = codeIn(resultCode)
  if (code === undefined) return {}
  const { outcome, isKnown } = meaningOf(code)
  if (!isKnown) return { unmappedCode: reportableCode(code) }
  return outcome ? { outcome, isContradicted: isContradicted(outcome, resultDesc) } : {}
}

const isFailure = ({ outcome }: Claim): boolean => outcome?.status === 'FAILED'

const hasAmount = (amount: Money | undefined | UnclearValue, account: string | undefined | UnclearValue): boolean =>
  amount !== undefined && amount !== UNCLEAR && account !== UNCLEAR

/**
 * @param isWhole whether all required fields are present and consistent
 * @param receipts the receipt number, of a success only: failures carry placeholders that many share
 */
function verdictOf(
  { outcome, isContradicted: isDenied = false, unmappedCode }: Claim,
  isWhole: boolean,
  receipts: readonly [name: string, values: readonly unknown[]],
): Pick<CallbackReading, 'outcome' | 'claimsPaid' | 'receipts' | 'unmappedCode'> {
  if (!outcome) return optional('unmappedCode', unmappedCode)
  const isPaid = outcome.status === 'COMPLETED'
  if (!isWhole || isDenied) return isPaid ? { claimsPaid: true } : {}
  const [name, values] = receipts
  const receipt = isPaid ? receiptIn(values) : undefined
  return { outcome, ...(receipt !== undefined && { receipts: { [name]: receipt } }) }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value })
}

/** Conflicting or unreadable values are not passed on. */
const clear = <Value>(value: Value | undefined | UnclearValue): Value | undefined =>
  value === UNCLEAR ? undefined : value
