import { amountToWire } from '../../domain/money.ts'
import { maskAccount } from '../../domain/phone.ts'
import { reportedChargeMinor, reportedTotalMinor } from '../../domain/transaction.ts'
import type { StaffTransaction } from './transactions.ts'

/** The account number, masked unless the staff member asks for all of it. */
export const accountOf = ({ account }: StaffTransaction, full: boolean): string =>
  full ? account : maskAccount(account)

/** Names follow the contract; charge and totals are as reported to the merchant. */
export function toRecord(transaction: StaffTransaction, full: boolean) {
  const { amount, request, type } = transaction
  const total = amountToWire(reportedTotalMinor(transaction), amount.currency)
  return {
    id: transaction.id,
    merchant_public_key: transaction.merchantPublicKey,
    merchant_name: transaction.merchantName,
    merchant_reference: transaction.merchantReference,
    internal_reference: transaction.internalReference,
    transaction_type: type,
    refund_of: transaction.refund?.collection.internalReference,
    transaction_method: transaction.method,
    transaction_status: transaction.status,
    status_message: transaction.statusMessage,
    failure_code: transaction.failureCode,
    provider_code: transaction.providerCode,
    rail_account: transaction.railAccount,
    rail_order_id: transaction.railOrderId,
    transaction_account: accountOf(transaction, full),
    request_amount: amountToWire(request.amountMinor, request.currency),
    request_currency: request.currency,
    transaction_amount: amountToWire(amount.amountMinor, amount.currency),
    transaction_currency: amount.currency,
    transaction_charge: amountToWire(reportedChargeMinor(transaction), amount.currency),
    ...(type === 'COLLECTION' ? { total_credit: total } : { total_debit: total }),
    charge_customer: transaction.chargeCustomer,
    allow_final_status_change: transaction.allowFinalStatusChange,
    description: transaction.description,
    institution_name: transaction.institutionName,
    ...(full && { customer_name: transaction.customerName, customer_email: transaction.customerEmail }),
    redirect_url: transaction.redirectUrl,
    created_at: transaction.createdAt,
    final_at: transaction.finalAt,
    rail_paid_at: transaction.railPaidAt,
  }
}
