import type { NewTransaction } from '../../actions/ports/acceptance.ts'
import type { DailyLimit } from '../../domain/amount-limits.ts'
import { money } from '../../domain/money.ts'
import { present } from '../../domain/present.ts'
import { STATUS_MESSAGES, type Transaction } from '../../domain/transaction.ts'

import type { StoreUnderTest } from './store-under-test.ts'

export const START = new Date('2026-03-01T08:00:00Z')
export const at = (seconds: number): Date => new Date(START.getTime() + seconds * 1000)

let made = 0
/** Never the same twice in a test file: ids of subjects, merchants, references. */
export const unique = (): number => (made += 1)
export const uniqueId = (): bigint => BigInt(1_000_000 + unique())
/** In the format of newClaimToken. */
export const uniqueToken = (): string => unique().toString(16).padStart(32, '0')

/** A daily limit that one merchant may use up. */
export const wholeLimit = (limitMinor: bigint): DailyLimit => ({ limitMinor, merchantMinor: limitMinor })

/** A collection of 1000 UGX over mobile money. */
export function newTransaction(overrides: Partial<NewTransaction> = {}): NewTransaction {
  const n = String(unique()).padStart(8, '0')
  return {
    merchantId: uniqueId(),
    merchantReference: `order-${n}`,
    internalReference: `MLP00000000000000${n}`,
    type: 'COLLECTION',
    method: 'MOBILE_MONEY',
    providerCode: 'mtn_ug',
    account: `25677${n}`,
    request: money(1_000n, 'UGX'),
    amount: money(1_000n, 'UGX'),
    chargeMinor: 20n,
    totalMinor: 980n,
    chargeCustomer: false,
    allowFinalStatusChange: true,
    status: 'PENDING',
    statusMessage: STATUS_MESSAGES.pending,
    createdAt: START,
    description: 'An order',
    dailyLimit: wholeLimit(5_000n),
    firstJob: { kind: 'submitToRail', dueAt: START },
    ...overrides,
  }
}

/** Accepts a transaction and reads it back. */
export async function accepted(
  { acceptance, lookups }: StoreUnderTest,
  overrides: Partial<NewTransaction> = {},
): Promise<Transaction> {
  const transaction = newTransaction(overrides)
  const result = await acceptance.accept(transaction)
  if (result !== 'accepted')
    throw new Error(`not accepted: ${typeof result === 'string' ? result : Object.keys(result).join()}`)
  const stored = await lookups.transactionByMerchantReference(transaction.merchantId, transaction.merchantReference)
  return present(stored, 'what was accepted')
}
