import type { StatementForm } from '../rail-kind.ts'

/**
 * MTN's reports carry our order id as the external id. Their header is unknown to us: these are the simulator's
 * titles, and every title is a setting.
 */
export const MTN_STATEMENT: StatementForm = {
  defaults: {
    statement_columns:
      'reference=Financial Transaction Id; ours=External Id; at=Date; amount=Amount; direction=Direction; fee=Fee; currency=Currency',
  },
  receiptName: () => 'financialTransactionId',
}
