import type { MerchantTerms } from '../domain/merchant.ts'
import type { TransactionType } from '../domain/provider.ts'
import { columns, type Row } from './rows.ts'

interface TermsFields extends MerchantTerms {
  readonly providerCode: string
  readonly transactionType: TransactionType
}
export type TermsRow = Row<TermsFields>

export const TERMS = columns<TermsFields>({
  providerCode: 'text',
  transactionType: 'text',
  minAmountMinor: 'bigint',
  maxAmountMinor: 'bigint',
  maxDailyAmountMinor: 'bigint',
  chargeBps: 'int',
  chargeFlatMinor: 'bigint',
})
