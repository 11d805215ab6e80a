import type { components } from '../../../generated/operators/daraja.d.ts'
import type { RailReferences } from '../../actions/ports/rail.ts'
import type { Money } from '../../domain/money.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { operatorContract } from '../operator-contract.ts'
import type { CallbackReading, ReceivedCallback } from '../rail-kind.ts'
import { TAILS } from './callback-addresses.ts'
import type { Installation } from './installation.ts'
import { isMsisdn } from './order-bounds.ts'
import { outcomeOfPayout, outcomeOfPrompt } from './result-codes.ts'
import { shillingsRead } from './whole-shillings.ts'

type Schemas = components['schemas']

/** Nothing is signed: a reading is a claim. @returns undefined for what breaks the contract, or comes where nothing does */
export function readCallback({ payouts }: Installation, callback: ReceivedCallback): CallbackReading | undefined {
  const read = (name: string): unknown => {
    const found = operatorContract('daraja').readCallback(name, callback)
    return 'fault' in found ? undefined : found.value
  }
  switch (callback.tail) {
    case undefined:
      return ofPrompt(read('stkPushCallback') as Schemas['StkCallback'] | undefined)
    case TAILS.result:
      return ofPayout(read('payOutResult') as Schemas['ResultCallback'] | undefined, payouts?.failedCodes ?? new Set())
    case TAILS.status:
      return ofStatus(read('transactionStatusResult') as Schemas['ResultCallback'] | undefined)
    case TAILS.timeOut:
      return ofTimeOut(read('payOutTimeOut') as Schemas['TimeOutCallback'] | undefined)
    default:
      return undefined
  }
}

/** A prompt's result can be asked for by the CheckoutRequestID that comes along, so what it claims is only a hint. */
function ofPrompt(body: Schemas['StkCallback'] | undefined): CallbackReading | undefined {
  if (!body) return undefined
  const { MerchantRequestID, CheckoutRequestID, ResultCode, CallbackMetadata } = body.Body.stkCallback
  const found = metadata(CallbackMetadata?.Item.map(({ Name, Value }) => [Name, Value]))
  const amount = amountIn(found.get('Amount'))
  if (amount === 'unreadable') return undefined
  const receipt = textIn(found.get('MpesaReceiptNumber'))
  return {
    ...withOutcome(outcomeOfPrompt(String(ResultCode))),
    mayAsk: true,
    ...withAmount(amount),
    ...withAccount(textIn(found.get('PhoneNumber'))),
    theirs: { MerchantRequestID, CheckoutRequestID },
    ...withReceipt('MpesaReceiptNumber', receipt),
  }
}

/**
 * A payout's result cannot be asked for, so what it claims has to agree with the order: its id, and the amount, without
 * which no success is believed.
 */
function ofPayout(
  body: Schemas['ResultCallback'] | undefined,
  failedCodes: ReadonlySet<string>,
): CallbackReading | undefined {
  if (!body) return undefined
  const { ResultCode, OriginatorConversationID, ConversationID, TransactionID, ResultParameters } = body.Result
  const found = parametersIn(ResultParameters)
  const amount = amountIn(found.get('TransactionAmount'))
  if (amount === 'unreadable') return undefined
  const outcome = outcomeOfPayout(String(ResultCode), failedCodes)
  return {
    ...withOutcome(outcome?.status === 'COMPLETED' && !amount ? undefined : outcome),
    ...(outcome?.status === 'COMPLETED' && { claimsPaid: true }),
    mayAsk: false,
    orderId: OriginatorConversationID,
    ...withAmount(amount),
    // "254712345678 - Name", as clients have seen it: what begins otherwise is not compared.
    ...withAccount(/^\d+/.exec(textIn(found.get('ReceiverPartyPublicName')) ?? '')?.[0]),
    theirs: { OriginatorConversationID, ConversationID },
    ...withReceipt('TransactionID', textIn(TransactionID)),
  }
}

/**
 * The answer to a question about a payout. Its code and its conversations are those of the question; only a completion
 * with its amount is a verdict. Nothing found says nothing, and what other states are called nobody we know has checked.
 */
function ofStatus(body: Schemas['ResultCallback'] | undefined): CallbackReading | undefined {
  if (!body) return undefined
  const found = parametersIn(body.Result.ResultParameters)
  const amount = amountIn(found.get('Amount'))
  if (amount === 'unreadable') return undefined
  const claimsPaid = String(body.Result.ResultCode) === '0' && found.get('TransactionStatus') === 'Completed'
  return {
    ...(claimsPaid && { ...(amount && withOutcome({ status: 'COMPLETED' })), claimsPaid }),
    mayAsk: false,
    ...withAmount(amount),
    theirs: {},
    ...withReceipt('TransactionID', textIn(found.get('ReceiptNo'))),
    answersQuestion: body.Result.ConversationID,
  }
}

/** A wait in the queue that was too long is no failure: the payout may still be paid. */
const ofTimeOut = (body: Schemas['TimeOutCallback'] | undefined): CallbackReading | undefined =>
  body && { mayAsk: false, theirs: {} }

type Written = string | number | undefined

/** Read by name: order says nothing, and a name may be there without a value. */
const metadata = (items: readonly (readonly [string, Written])[] = []): ReadonlyMap<string, Written> => new Map(items)

const parametersIn = (parameters: Schemas['ResultCallback']['Result']['ResultParameters']) =>
  metadata(parameters?.ResultParameter.map(({ Key, Value }) => [Key, Value]))

const textIn = (value: Written): string | undefined => (value === undefined || value === '' ? undefined : String(value))

function amountIn(value: Written): Money | undefined | 'unreadable' {
  const written = textIn(value)
  return written === undefined ? undefined : (shillingsRead(written) ?? 'unreadable')
}

const withOutcome = (outcome: RailOutcome | undefined) => (outcome ? { outcome } : {})
const withAmount = (amount: Money | undefined) => (amount ? { amount } : {})
/** A number that is hidden in part, or written otherwise, cannot be compared. */
const withAccount = (account: string | undefined) => (account !== undefined && isMsisdn(account) ? { account } : {})
/** Actions bind it with a success only. */
const withReceipt = (name: string, value: string | undefined): { readonly receipts?: RailReferences } =>
  value === undefined ? {} : { receipts: { [name]: value } }
