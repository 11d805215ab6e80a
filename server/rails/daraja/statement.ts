import type { StatementForm } from '../rail-kind.ts'
import { PAYER_REFERENCE } from '../../actions/ports/rail-references.ts'
import { hashedReference } from './account-reference.ts'

/**
 * The organisation's statement of M-PESA. Its titles follow public descriptions, the rest is unverified, so all of it
 * is configurable. A charge is a line of its own, with the receipt number of its payment.
 */
export const DARAJA_STATEMENT: StatementForm = {
  defaults: {
    statement_columns:
      'reference=Receipt No.; at=Completion Time; in=Paid In; out=Withdrawn; ours=A/C No.; original=Linked Transaction ID; status=Transaction Status; details=Details; account=Other Party Info; balance=Balance',
    statement_time_zone: 'Africa/Nairobi',
    statement_day_order: 'dmy',
    statement_statuses: 'Completed',
    statement_charge_word: 'charge, pay bill charge, business payment charge',
  },
  receiptName: (type) => (type === 'COLLECTION' ? 'MpesaReceiptNumber' : 'TransactionID'),
  // For orders created before references were stored.
  ourReference: { name: PAYER_REFERENCE, of: hashedReference },
}
