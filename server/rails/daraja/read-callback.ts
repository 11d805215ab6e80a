import { isObject } from '../../../openapi/reading/json.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { operatorContract } from '../operator-contract.ts'
import type { CallbackReading, ReceivedCallback } from '../rail-kind.ts'
import { TAILS } from './callback-addresses.ts'
import type { Installation } from './installation.ts'
import { payoutStatus, resultOfPayout, resultOfPrompt, type ResultReading } from './result-codes.ts'
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
} from './result-fields.ts'
import { isContradicted } from './result-text.ts'

/**
 * What a message claims. Nothing is signed, and every field may have any shape: each is read by itself, and a field that
 * decides nothing costs no verdict.
 * @returns undefined for what is no message of M-PESA at all, or comes where nothing does
 */
export function readCallback({ payouts }: Installation, callback: ReceivedCallback): CallbackReading | undefined {
  const read = (name: string): unknown => {
    const found = operatorContract('daraja').readCallback(name, callback)
    return 'fault' in found ? undefined : found.value
  }
  switch (callback.tail) {
    case undefined:
      return ofPrompt(fieldAt(read('stkPushCallback'), 'Body', 'stkCallback'))
    case TAILS.result:
      return ofPayout(fieldAt(read('payOutResult'), 'Result'), payouts?.failedCodes ?? new Set())
    case TAILS.status:
      return ofStatus(fieldAt(read('transactionStatusResult'), 'Result'))
    case TAILS.timeOut:
      // A wait in the queue that was too long is no failure: the payout may still be paid.
      return isObject(read('payOutTimeOut')) ? { mayAsk: false, theirs: {} } : undefined
    default:
      return undefined
  }
}

/** A prompt's result can be asked for by the CheckoutRequestID that comes along, so what it claims is only a hint. */
function ofPrompt(result: unknown): CallbackReading | undefined {
  if (!isObject(result)) return undefined
  const { MerchantRequestID, CheckoutRequestID, ResultCode, ResultDesc, CallbackMetadata } = result
  const values = namedValues(innerOf(CallbackMetadata, 'Item'), 'Name')
  const amount = amountIn(values('Amount'))
  const account = accountIn(values('PhoneNumber'))
  const { outcome, unmappedCode } = readResult(resultOfPrompt, ResultCode, ResultDesc)
  const isBelieved = outcome?.status === 'FAILED' || (amount !== UNCLEAR && account !== UNCLEAR)
  return {
    ...(isBelieved && optional('outcome', outcome)),
    mayAsk: true,
    ...optional('amount', clear(amount)),
    ...optional('account', clear(account)),
    theirs: {
      ...optional('MerchantRequestID', idIn(MerchantRequestID)),
      ...optional('CheckoutRequestID', idIn(CheckoutRequestID)),
    },
    ...(isBelieved && receipts(outcome, 'MpesaReceiptNumber', values('MpesaReceiptNumber'))),
    ...optional('unmappedCode', unmappedCode),
  }
}

/**
 * A payout's result cannot be asked for at once, so what it claims has to agree with the order: its id, and for a success
 * the amount, and the recipient's number where it is there in full.
 */
function ofPayout(result: unknown, failedCodes: ReadonlySet<string>): CallbackReading | undefined {
  if (!isObject(result)) return undefined
  const { ResultCode, ResultDesc, OriginatorConversationID, ConversationID, TransactionID } = result
  const values = parametersIn(result)
  const amount = amountIn(values('TransactionAmount'))
  const account = accountIn(values('ReceiverPartyPublicName'))
  const orderId = textOf(OriginatorConversationID)
  const { outcome, unmappedCode } = readResult((code) => resultOfPayout(code, failedCodes), ResultCode, ResultDesc)
  const isWhole = typeof amount === 'object' && account !== UNCLEAR
  const believed = orderId !== undefined && (outcome?.status === 'FAILED' || isWhole) ? outcome : undefined
  return {
    ...optional('outcome', believed),
    mayAsk: false,
    ...optional('orderId', orderId),
    ...optional('amount', clear(amount)),
    ...optional('account', clear(account)),
    theirs: {
      ...optional('OriginatorConversationID', idIn(OriginatorConversationID)),
      ...optional('ConversationID', idIn(ConversationID)),
    },
    ...receipts(believed, 'TransactionID', [TransactionID, ...values('TransactionReceipt')]),
    ...optional('unmappedCode', unmappedCode),
  }
}

/**
 * The answer to a question about a payout. Its code and its conversations are those of the question, which
 * `answersQuestion` names: without it there is no verdict, because anybody can send such a message. A failure also has to
 * name the order, and a completion its amount.
 */
function ofStatus(result: unknown): CallbackReading | undefined {
  if (!isObject(result)) return undefined
  const values = parametersIn(result)
  const answersQuestion = idIn(result['ConversationID'])
  const orderIds = new Set(values('OriginatorConversationID').flatMap((value) => textOf(value) ?? []))
  const [orderId] = orderIds
  const amount = amountIn(values('Amount'))
  // The documentation lists DebitPartyName twice, the second for the recipient. No number of ours is a phone number.
  const account = accountIn([...values('CreditPartyName'), ...values('DebitPartyName')])
  const status = codeIn(result['ResultCode']) === '0' ? statusIn(values('TransactionStatus')) : undefined
  const { outcome, isKnown = false } = status === undefined ? {} : payoutStatus(status)
  const isWhole =
    outcome?.status === 'FAILED'
      ? orderId !== undefined
      : amount !== undefined && amount !== UNCLEAR && account !== UNCLEAR
  const isBelieved = answersQuestion !== undefined && orderIds.size <= 1 && isWhole
  const believed = isBelieved ? outcome : undefined
  return {
    ...optional('outcome', believed),
    mayAsk: false,
    ...optional('orderId', orderId),
    ...optional('amount', clear(amount)),
    ...optional('account', clear(account)),
    theirs: {},
    ...receipts(believed, 'TransactionID', values('ReceiptNo')),
    ...optional('answersQuestion', answersQuestion),
    ...(status !== undefined && !isKnown && { unmappedCode: reportableCode(status) }),
  }
}

/** `ResultParameters: { ResultParameter: […] }`; also a list without that level between. */
const parametersIn = (result: Readonly<Record<string, unknown>>): NamedValues =>
  namedValues(innerOf(result['ResultParameters'], 'ResultParameter'), 'Key')

/** What a result code says, where the text beside it does not say the opposite. */
function readResult(
  meaningOf: (code: string) => ResultReading,
  resultCode: unknown,
  resultDesc: unknown,
): { readonly outcome?: RailOutcome; readonly unmappedCode?: string } {
  const code = codeIn(resultCode)
  if (code === undefined) return {}
  const { outcome, isKnown } = meaningOf(code)
  if (!isKnown) return { unmappedCode: reportableCode(code) }
  return outcome && !isContradicted(outcome, resultDesc) ? { outcome } : {}
}

/** The number of the movement of money, of a success only: failures carry placeholders that many of them share. */
function receipts(outcome: RailOutcome | undefined, name: string, values: readonly unknown[]) {
  const receipt = outcome?.status === 'COMPLETED' ? receiptIn(values) : undefined
  return receipt === undefined ? {} : { receipts: { [name]: receipt } }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value })
}

/** What differs, or cannot be read, is not passed on. */
const clear = <Value>(value: Value | undefined | typeof UNCLEAR): Value | undefined =>
  value === UNCLEAR ? undefined : value
