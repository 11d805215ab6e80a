import type { TransferKind } from '../../domain/ledger.ts'
import type { Currency } from '../../domain/money.ts'
import type { OrderType } from '../../domain/provider.ts'
import type { Transaction, TransactionStatus } from '../../domain/transaction.ts'

import type { WalletPurpose } from '../../domain/wallet-transfer.ts'

/** What a page of a merchant's transactions is to have. */
export interface TransactionQuery {
  /** Accepted at this time or later, and before `to`. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly status?: TransactionStatus | undefined
  readonly type?: OrderType | undefined
  readonly providerCode?: string | undefined
  /** The beginning of the merchant's reference. */
  readonly prefix?: string | undefined
  /** Only older ones than this id. */
  readonly after?: bigint | undefined
  readonly limit: number
}

export interface TransactionPage {
  /** The newest first. */
  readonly transactions: readonly Transaction[]
  /** Where the next page begins; absent on the last one. */
  readonly next?: bigint | undefined
}

/** What a callback told. */
export interface MerchantEvent {
  /** 1, 2, 3 and so on for each merchant, without gaps. */
  readonly number: bigint
  readonly webhookId: string
  readonly body: string
}

export interface EventQuery {
  /** Only events with a higher number. */
  readonly after?: bigint | undefined
  /** Only events from a few minutes before this time on. */
  readonly from?: Date | undefined
  readonly limit: number
}

export interface StatementQuery {
  readonly purpose: WalletPurpose
  readonly currency: Currency
  readonly from: Date
  readonly to: Date
  /** More entries than this are refused. */
  readonly entriesMax: number
}

/** What one transfer moved in a wallet. */
export interface StatementEntry {
  readonly at: Date
  readonly kind: TransferKind
  readonly amountMinor: bigint
  /** What the wallet held after it. */
  readonly balanceMinor: bigint
  /** Of its transaction. */
  readonly merchantReference?: string | undefined
  readonly transactionAmountMinor?: bigint | undefined
  readonly chargeMinor?: bigint | undefined
  /** Of a movement by staff. */
  readonly reference?: string | undefined
}

export interface Statement {
  readonly openingMinor: bigint
  readonly closingMinor: bigint
  readonly entries: readonly StatementEntry[]
}

/** What merchants read of their own history. Everything rejects with StorageUnavailable. */
export interface MerchantLists {
  /** The last month whose payments only the archive has, such as `2025-09`. */
  archivedMonth(): Promise<string | undefined>
  /** A page costs the same however many transactions the merchant has: it may have few of them, or none. */
  transactions(merchantId: bigint, query: TransactionQuery): Promise<TransactionPage>
  /** Up to which number the merchant's events were archived; 0: none. */
  archivedEvents(merchantId: bigint): Promise<bigint>
  /** In the order of their numbers. */
  events(merchantId: bigint, query: EventQuery): Promise<readonly MerchantEvent[]>
  /** A wallet in a period, of one snapshot. `too_long`: it has more entries. */
  statement(merchantId: bigint, query: StatementQuery): Promise<Statement | 'too_long'>
}
