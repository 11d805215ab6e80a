import { isDeepStrictEqual } from 'node:util'
import { listOf, type Fields } from '../../harness/json.ts'
import { callbackKind } from '../callback-kind.ts'
import { onlyHeader, type ObservedExchange } from '../observed-exchange.ts'
import { PAYMENT_PAGE, queryOf } from '../pages.ts'

/** What one message says of one transaction, under the names of the transaction's record. */
export interface Claim {
  /** The message, in words. */
  readonly source:
    'the request' | 'its acceptance' | 'verify' | 'its look-up' | 'its batch' | 'a callback' | 'a redirect'
  /** What a finding names as broken. */
  readonly about: string
  readonly internalReference: string
  /** A field that is there as `undefined` is one that the record must not have. */
  readonly fields: Fields
  /** It is the whole record, so that what is missing in it says something. */
  readonly isWhole: boolean
  /** When the message was begun and when it was over, in milliseconds. */
  readonly began: number
  readonly ended: number
}

const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED'])
export const isFinal = (status: unknown): boolean => FINAL.has(String(status))

/** A transaction in words: the merchant's reference is what both sides know. */
export const nameOf = ({ internalReference, fields: { merchant_reference: own } }: Claim): string =>
  typeof own === 'string' ? `transaction ${own}` : `transaction ${internalReference}`

/** A value of a message, as a finding quotes it. */
export const valueIn = ({ fields }: Claim, name: string): string => JSON.stringify(fields[name]) ?? 'absent'

/** Enough of a number to tell it from another, however its beginning is spelled. */
const TAIL = 7

/** Whether two messages have the same value of a field; a redirect has texts only. */
export function isSameValue(name: string, one: Claim, other: Claim): boolean {
  const [here, there] = [one.fields[name], other.fields[name]]
  if (one.source === 'a redirect' || other.source === 'a redirect') return String(here) === String(there)
  const isSpelled = name === 'transaction_account' && [one, other].some(({ source }) => source === 'the request')
  // A request may have blanks in the number, or no country code (schema Msisdn).
  if (isSpelled && String(here).length !== String(there).length)
    return String(here).slice(-TAIL) === String(there).slice(-TAIL)
  return isDeepStrictEqual(here, there)
}

/** Recorders of requests and of messages may stand on machines whose clocks differ. */
const CLOCKS_APART_MS = 2_000
/** Whether a message began when another one was over for certain. */
export const isAfter = (
  { began, source }: Pick<Claim, 'began' | 'source'>,
  { ended, source: other }: Pick<Claim, 'ended' | 'source'>,
): boolean => began > ended + ((source === 'a callback') === (other === 'a callback') ? 0 : CLOCKS_APART_MS)

/** The record of a payout from its cancellation on: of paying and cancelling exactly one happens. */
const CANCELLED: Fields = {
  transaction_status: 'FAILED',
  status_message: 'Payout cancelled by the merchant',
  failure_code: 'merchant_cancelled',
}

/** What an exchange says of a transaction: as the merchant sent it, and as the server reports it. */
export function claimsIn(seen: ObservedExchange): readonly Claim[] {
  const { direction, operation, sent, record, exchange, began, ended } = seen
  const claim = (source: Claim['source'], about: string, fields: Fields, of = fields): readonly Claim[] => {
    const { internal_reference: reference } = of
    if (typeof reference !== 'string') return []
    const isWhole = source === 'verify' || source === 'its look-up' || source === 'a callback'
    return [{ source, about, internalReference: reference, fields, isWhole, began, ended }]
  }
  if (direction === 'received' && 'internal_reference' in record) {
    return claim('a callback', callbackKind(sent), { ...record, event: sent.event })
  }
  if (operation && 'internal_reference' in record) {
    const requested = { merchant_reference: seen.inPath.get('merchant_reference') }
    const source = operation.id === 'retrieveRefund' ? 'its look-up' : 'verify'
    return [...claim('the request', operation.id, requested, record), ...claim(source, operation.id, record)]
  }
  if (operation?.id === 'getPayoutBatch' && exchange.reply.status === 200)
    return rowsIn(seen.data).flatMap((row) => claim('its batch', operation.id, row))
  if (operation && exchange.reply.status === 202) {
    const { payment_url: _address, ...references } = seen.data
    const requested = requestedFields(operation.id, sent)
    const accepted = operation.id === 'cancelPayout' && !seen.isReplay ? { ...references, ...CANCELLED } : references
    return [
      ...claim('the request', operation.id, requested, references),
      ...claim('its acceptance', operation.id, accepted),
    ]
  }
  const query = redirectQuery(seen)
  return query ? claim('a redirect', 'customerRedirect', query) : []
}

/** The request's own fields that its record repeats; an empty text or `null` counts as absent. */
export function requestedFields(id: string, sent: Fields): Fields {
  if (id === 'cancelPayout') return { merchant_reference: sent.merchant_reference, transaction_type: 'PAYOUT' }
  if (id === 'refundCollection') {
    const { merchant_reference, amount, reason } = sent
    const isPart = typeof amount === 'number'
    return { transaction_type: 'REFUND', merchant_reference, reason, ...(isPart && { request_amount: amount }) }
  }
  if (id === 'expectPayment') {
    const { merchant_reference: own, amount, currency, provider_code, customer_name: who } = sent
    return {
      transaction_type: 'COLLECTION',
      ...(own !== 'auto' && { merchant_reference: own }),
      ...(typeof amount === 'number' && { request_amount: amount }),
      request_currency: currency,
      provider_code,
      charge_customer: false,
      customer_name: who === '' || who === null ? undefined : who,
    }
  }
  if (id !== 'initializeCollection' && id !== 'sendFunds') return { internal_reference: sent.internal_reference }
  const isPayout = id === 'sendFunds'
  const { merchant_reference: reference, customer_name: name, msisdn, account_number: number } = sent
  const account = isPayout ? number : msisdn
  const isBankCollection = !isPayout && sent.transaction_method === 'BANK'
  return {
    transaction_type: isPayout ? 'PAYOUT' : 'COLLECTION',
    ...(reference !== 'auto' && { merchant_reference: reference }),
    request_amount: sent.amount,
    request_currency: sent.currency,
    provider_code: sent.provider_code,
    charge_customer: !isPayout && sent.charge_customer === true,
    customer_name: name === '' || name === null ? undefined : name,
    // The customer of a bank collection chooses the account on the page.
    ...(!isBankCollection && { transaction_account: String(account).replaceAll(/\D/g, '') }),
  }
}

/** What a batch says of its payouts, under the names of their records; that one has no failure code says something. */
const rowsIn = ({ payouts }: Fields): readonly Fields[] =>
  listOf(payouts).map(({ line: _line, failure_code, ...row }) => ({ ...row, failure_code, transaction_type: 'PAYOUT' }))

/** The outcome in the address of a redirect, on its way out or as it arrives. */
function redirectQuery({ direction, path, query, exchange: { request, reply } }: ObservedExchange): Fields | undefined {
  const location = direction === 'asked' && PAYMENT_PAGE.test(path) ? onlyHeader(reply.headers, 'location') : undefined
  const arrives = direction === 'received' && request.method === 'GET'
  const fields = Object.fromEntries(arrives ? new URLSearchParams(query) : queryOf(location ?? ''))
  if (fields.transaction_status === undefined) return undefined
  return Object.fromEntries(Object.entries(fields).filter(([name]) => OUTCOME.test(name)))
}

const OUTCOME =
  /^(?:id|event|merchant_reference|internal_reference|transaction_type|transaction_status|status_message)$/

/** Its customer chooses the amount: until it is COMPLETED, the record has the least one. */
export const asksForAnyAmount = ({ source, about, fields }: Claim): boolean =>
  source === 'the request' && about === 'expectPayment' && !('request_amount' in fields)
