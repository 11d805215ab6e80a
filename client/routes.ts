import type { operations, paths } from '../generated/schema.d.ts'
import type { OperationId } from './contract-types.ts'

/** The path under which the contract has an operation. */
type PathOf<Id extends OperationId> = {
  [Path in keyof paths]: operations[Id] extends paths[Path]['get'] | paths[Path]['post'] ? Path : never
}[keyof paths]

/** Where each operation is: an operation that the contract adds or moves does not compile here. */
export const routes = {
  listPaymentProviders: '/data/payment-providers',
  listPayoutBanks: '/data/payout-bank-codes',
  listWalletBalances: '/data/wallet-balances',
  verifyTransaction: '/data/transaction/verify/{merchant_reference}',
  initializeCollection: '/collections/initialize',
  authorizeCollection: '/collections/authorize',
  sendFunds: '/payout/send-funds',
} as const satisfies { readonly [Id in OperationId]: PathOf<Id> }

type Content<Response> = Response extends { content: { 'application/json': { data: infer Data } } } ? Data : never

/** What a success of the operation carries in its envelope. */
export type DataOf<Id extends OperationId> = Content<
  operations[Id]['responses'][keyof operations[Id]['responses'] & (200 | 202)]
>

/** What a call sends, as the contract has it. */
export interface Input<Id extends OperationId> {
  readonly query?: operations[Id]['parameters']['query']
  readonly path?: operations[Id]['parameters']['path']
  readonly body?: operations[Id] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : never
}
