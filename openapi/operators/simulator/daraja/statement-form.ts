import type { Booking } from '../world/statement.ts'
import { dashedTime } from './nairobi-time.ts'
import { PAY_BUSINESS } from './payout-results.ts'
import { withCents } from './pull.ts'
import { REVERSAL } from './reversals.ts'

/** The organisation's statement, by public descriptions of its columns: nobody has verified the format of each. */
export const STATEMENT_COLUMNS = [
  'Receipt No.',
  'Completion Time',
  'Details',
  'Transaction Status',
  'Paid In',
  'Withdrawn',
  'Balance',
  'A/C No.',
  'Other Party Info',
  'Linked Transaction ID',
] as const

/** A movement is a row; its charge is another row with the same receipt, for there is no column for it. */
export function statementRows(line: Booking): readonly (readonly string[])[] {
  const isIn = line.direction === 'in'
  const isReversal = line.kind === REVERSAL
  const toOthers = line.kind === PAY_BUSINESS ? 'Pay bill payment' : 'Business payment'
  const paidOut = isReversal ? 'Pay bill reversal' : toOthers
  const kind = isIn ? 'Customer payment' : paidOut
  const row = (text: string, paidIn: string, withdrawn: string): readonly string[] => [
    line.receipt,
    dashedTime(line.bookedAt),
    text,
    'Completed',
    paidIn,
    withdrawn,
    withCents(line.balance),
    // Payouts have no account of the merchant's own; its id comes back in the result only.
    isIn ? line.externalId : '',
    `${line.msisdn} - Simulated Customer`,
    isReversal ? line.externalId : '',
  ]
  const amount = withCents(line.amount)
  const moved = isIn ? row(`${kind} from ${line.msisdn}`, amount, '') : row(`${kind} to ${line.msisdn}`, '', amount)
  return line.fee === '0' ? [moved] : [moved, row(`Charge for ${kind.toLowerCase()}`, '', withCents(line.fee))]
}
