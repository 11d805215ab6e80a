import type { WireRequest } from '../../harness/proxy.ts'
import { fieldsOf, header, messageOf, withFields } from './edit.ts'
import { edited, faultsOf, type Plant } from './fault.ts'
import { reported } from './rows.ts'

// The right status with an undeclared message, or with one about another field.

/** Changes the message of every reply of the API, those outside of the operations included. */
const replacing = (does: string, from: RegExp, to: string) =>
  changingMessage(does, (message) => message.replace(from, to))
/** The same for the text in the first brackets. */
const replacingIn = (does: string, from: RegExp, change: (found: string) => string) =>
  changingMessage(does, (message) => {
    const [found, inner] = from.exec(message) ?? []
    return found === undefined || inner === undefined
      ? message
      : message.replace(found, found.replace(inner, change(inner)))
  })
const changingMessage = (does: string, change: (message: string, request: WireRequest) => string) => ({
  does,
  plant: (): Plant => ({
    api: {
      onReply: (reply, request) => {
        const message = messageOf(reply)
        const other = message === '' ? message : change(message, request)
        return other === message ? reply : withFields(reply, (fields) => ({ ...fields, message: other }))
      },
    },
  }),
})
/** Changes the status message of a transaction, in verify and callbacks alike. */
const reportedAs = (does: string, from: RegExp, to: string) =>
  reported(does, (state) => ({ ...state, status_message: String(state['status_message']).replace(from, to) }))
const withCode = (does: string, message: RegExp, failure_code: string) =>
  reported(does, (state) => (message.test(String(state['status_message'])) ? { ...state, failure_code } : state))

const FIELDS = `
  transaction_method provider_code merchant_reference msisdn currency amount description redirect_url customer_name
  customer_email account_number extra_params mobile_money_hpp card_cipher charge_customer allow_final_status_change
  internal_reference otp`.split(/\s+/)
const MESSAGE = 'http/fault-message.ts'

export const wordFaults = faultsOf('words', {
  'last-missing-named': edited('names the last of several missing fields', [
    MESSAGE,
    'const [first] = faults',
    'const [first] = faults.toReversed()',
  ]),
  'wrong-before-missing': edited('reports a wrong field before a missing one', [
    MESSAGE,
    'missing: 0, wrong: 1',
    'missing: 1, wrong: 0',
  ]),
  'unknown-before-missing': changingMessage('reports an unknown field before a missing one', (message, request) => {
    const unknown = Object.keys(fieldsOf(request) ?? {}).find((name) => !FIELDS.includes(name))
    return unknown !== undefined && /^\w+ is required$/.test(message) ? `${unknown} is not allowed` : message
  }),
  'otp-returned': edited('repeats a wrong OTP in its refusal', [
    'actions/authorize-collection.ts',
    "throw new Refusal('invalid_otp', INVALID_OTP)",
    "throw new Refusal('invalid_otp', `${INVALID_OTP}: ${otp}`)",
  ]),
  'otp-wrong-reworded': replacing('says that the OTP is incorrect', /^Invalid OTP$/, 'Incorrect OTP'),
  'wrong-key-named': changingMessage('discloses which of two keys is wrong', (message, request) =>
    message === 'The public-key or secret-key is not valid' && header(request, 'secret-key') !== undefined
      ? 'The secret-key is not valid'
      : message,
  ),
  'limits-reported-in-wrong-order': replacing(
    'names maximum and minimum in the wrong order',
    /between (\S+) and (\S+) ([A-Z]{3})$/,
    'between $2 and $1 $3',
  ),
  'decimals-of-two-reported': replacing(
    'names 2 decimals where there are none',
    /at most 0 decimals/,
    'at most 2 decimals',
  ),
  'provider-reason-missing': replacing(
    'does not say why a provider does not fit',
    /^(Invalid provider code \([^)]*\)): .*/,
    '$1',
  ),
  'nested-name-cut': replacing('names a nested field without where it stands', /^extra_params\./, ''),
  'not-found-unnamed': replacing(
    'does not name the transaction that it has not',
    /^Transaction \(.*\) was/,
    'Transaction was',
  ),
  'key-conflict-reworded': replacing(
    'words another body under one key otherwise',
    /^Idempotency-Key has already.*/,
    'Idempotency-Key conflict',
  ),
  'acceptance-of-payout-worded-as-collection': replacing(
    'reports an accepted payout as a collection',
    /^Payout accepted$/,
    'Collection accepted',
  ),
  'method-reported-is-wrong': replacingIn('names the wrong method to use', /use (GET|POST)$/, (method) =>
    method === 'GET' ? 'POST' : 'GET',
  ),
  'recipient-called-customer': reportedAs(
    'calls the recipient of a payout the customer',
    /^The recipient declined/,
    'The customer declined',
  ),
  'silence-called-expired': withCode(
    'gives an unanswered handshake the code of what took too long',
    /verification URL did not answer/,
    'expired',
  ),
})
