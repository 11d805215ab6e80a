import type { Operation } from './operation.ts'
import { transactionNamed } from './transaction-named.ts'

interface ShowFullInput {
  /** Any reference of the transaction, or its id. */
  readonly transaction: string
  readonly merchant?: string | undefined
}

/** Somebody reads a whole account number and what is known of the customer: nothing changes, and the audit log has it. */
export const showFullTransaction: Operation<ShowFullInput, { readonly internal_reference: string }> = {
  name: 'transaction show --full',
  async prepare(context, { transaction, merchant }) {
    const { internalReference, merchantId } = await transactionNamed(context, transaction, merchant)
    return {
      subject: internalReference,
      merchantId,
      read: async () => ({}),
      apply: async () => ({ internal_reference: internalReference }),
    }
  },
}
