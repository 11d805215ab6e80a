import type { Fields } from './message-fields.ts'

/**
 * The documented failures with their codes (docs, "Life of a transaction"), by the beginning of their
 * `status_message`.
 */
const DOCUMENTED: Readonly<Record<string, string>> = {
  'Insufficient balance on the customer account': 'insufficient_funds',
  'The customer declined the request': 'declined',
  "The recipient's account cannot receive the amount": 'account_blocked',
  'The recipient declined the request': 'declined',
  'The request timed out without a transfer': 'expired',
  'Payment page expired': 'expired',
  'Too many wrong one-time passwords': 'declined',
  'The customer cancelled the payment': 'cancelled',
  'Insufficient balance for the transaction': 'insufficient_funds',
  "Payout rejected by the merchant's verification URL": 'not_allowed',
  "The merchant's verification URL did not answer": 'handshake_unanswered',
}

/** The fault of a transaction's code, as a sentence; undefined when it is right. */
export function failureCodeFault({ transaction_status, status_message, failure_code }: Fields): string | undefined {
  const [status, message, got] = [String(transaction_status), String(status_message), JSON.stringify(failure_code)]
  if (status !== 'FAILED' && status !== 'CANCELLED')
    return failure_code === undefined ? undefined : `failure_code is ${got} although the status is ${status}`
  const documented = Object.entries(DOCUMENTED).find(([beginning]) => message.startsWith(beginning))?.[1]
  return documented === undefined || failure_code === documented
    ? undefined
    : `failure_code of "${message}" is ${got ?? 'absent'}, documented is "${documented}"`
}
