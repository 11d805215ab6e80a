import { deflateRawSync, inflateRawSync } from 'node:zlib'

// The body of a callback takes two thirds of its row, and most of it repeats in every body: names of fields, and the
// texts of states. It is stored byte for byte, because receivers may have seen it before; packed, it takes a third.

/**
 * The deflate dictionary: strings that bodies have in common, the most frequent last. Stored bodies need it forever:
 * to change it, add a new form.
 */
const WORDS_OF_FORM_1 = Buffer.from(
  '"failure_code":"insufficient_funds""failure_code":"declined""failure_code":"timed_out""failure_code":"not_allowed"' +
    '"institution_name":""request_currency":"USD""request_currency":"NGN""request_currency":"KES""transaction_currency":"KES"' +
    '"status_message":"The customer declined the request""status_message":"Insufficient balance on the customer account"' +
    '"status_message":"The request timed out without a transfer""transaction_status":"CANCELLED""transaction_status":"FAILED"' +
    '"transaction_type":"PAYOUT","charge_customer":false,"customer_name":","total_debit":"charge_customer":true' +
    '{"event":"transaction.failed","payload":{"id":{"event":"transaction.completed","payload":{"id":9' +
    ',"merchant_reference":"ORDER-","internal_reference":"MLP3","request_currency":"UGX","request_amount":' +
    ',"transaction_amount":,"transaction_currency":"UGX","transaction_charge":,"transaction_account":"2567' +
    '","provider_code":"airtel_ug""provider_code":"mtn_ug","transaction_status":"COMPLETED",' +
    '"status_message":"Transaction Completed Successfully","transaction_type":"COLLECTION","charge_customer":false,' +
    '"total_credit":,"customer_name":""}}',
)
const FORM_1 = 1

// For texts of some hundred bytes: clearing zlib's default quarter of a megabyte would cost more than packing.
const SMALL = { windowBits: 11, memLevel: 4 } as const

/** Format: one byte for the form, then raw deflate (RFC 1951) with the dictionary of that form. */
export const packBody = (body: string): Uint8Array =>
  Buffer.concat([Buffer.of(FORM_1), deflateRawSync(body, { dictionary: WORDS_OF_FORM_1, ...SMALL })])

/**
 * Returns the original text.
 * @throws RangeError for a form that this version does not know
 */
export function unpackBody(packed: Uint8Array): string {
  if (packed[0] !== FORM_1)
    throw new RangeError(`a body is packed in form ${packed[0]}, which this version does not know`)
  return inflateRawSync(packed.subarray(1), { dictionary: WORDS_OF_FORM_1 }).toString('utf8')
}
