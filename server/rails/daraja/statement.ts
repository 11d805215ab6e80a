import type { StatementForm } from '../rail-kind.ts'
import { accountReferenceOf } from './account-reference.ts'

/**
 * The organisation's statement of M-PESA: titles as people describe them, the rest as nobody we know has checked, so that
 * all of it is settings. A charge is a line of its own, with the receipt of what it is for.
 */
export const DARAJA_STATEMENT: StatementForm = {
  defaults: {
    statement_columns:
      'reference=Receipt No.; at=Completion Time; in=Paid In; out=Withdrawn; ours=A/C No.; status=Transaction Status; details=Details; account=Other Party Info; balance=Balance',
    statement_time_zone: 'Africa/Nairobi',
    statement_day_order: 'dmy',
    statement_statuses: 'Completed',
    statement_charge_word: 'charge, pay bill charge, business payment charge',
  },
  receiptName: (type) => (type === 'COLLECTION' ? 'MpesaReceiptNumber' : 'TransactionID'),
  ours: { name: 'AccountReference', of: accountReferenceOf },
}
