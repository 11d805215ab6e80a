import { findRefund } from '../../actions/refund-collection.ts'
import { refundRecord } from '../../messages/transaction-record.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const retrieveRefundHandler =
  (deps: HandlerDeps): Handler<'retrieveRefund'> =>
  async ({ merchant, params: { merchant_reference } }) =>
    success('Refund retrieved successfully', refundRecord(await findRefund(deps, merchant, merchant_reference)))
