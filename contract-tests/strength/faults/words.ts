import { messageOf, withFields } from './edit.ts'
import { edited, type FaultRows } from './fault.ts'
import { reported, inAnyReplies } from './rows.ts'

// The right status with an undeclared message, or with one about another field.

/** Changes the message of every reply of the API, those outside of the operations included. */
const replacing = (does: string, from: RegExp, to: string) =>
  inAnyReplies(
    does,
    (reply) => from.test(messageOf(reply)),
    (reply) => withFields(reply, (fields) => ({ ...fields, message: messageOf(reply).replace(from, to) })),
  )

const MESSAGE = 'http/fault-message.ts'

export const wordRows: FaultRows = {
  'last-missing-named': edited('names the last of several missing fields', [
    MESSAGE,
    'const [first] = faults',
    'const [first] = faults.toReversed()',
  ]),
  'wrong-before-missing': edited('reports a wrong field before a missing one', [
    MESSAGE,
    'missing_field: 0, invalid_field: 1',
    'missing_field: 1, invalid_field: 0',
  ]),
  'otp-returned': edited('repeats a wrong OTP in its refusal', [
    'actions/authorize-collection.ts',
    "throw new Refusal('invalid_otp', INVALID_OTP)",
    "throw new Refusal('invalid_otp', `${INVALID_OTP}: ${otp}`)",
  ]),
  'nested-name-cut': replacing('names a nested field without where it stands', /^extra_params\./, ''),
  'recipient-called-customer': reported('calls the recipient of a payout the customer', (state) => ({
    ...state,
    status_message: String(state['status_message']).replace(/^The recipient declined/, 'The customer declined'),
  })),
  'silence-called-expired': reported('gives an unanswered handshake the code of what took too long', (state) =>
    /verification URL did not answer/.test(String(state['status_message']))
      ? { ...state, failure_code: 'expired' }
      : state,
  ),
}
