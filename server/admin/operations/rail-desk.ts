import type { CircuitStateName } from '../../actions/ports/operator-exchanges.ts'
import { internationalNumber } from '../../domain/phone.ts'
import type { BookedMoney } from '../../domain/rail-balance.ts'
import type { CheckRow, RailBalance } from '../../rails/rail-kind.ts'
import { listProviderOptions } from '../queries/provider-settings.ts'
import type { OperationContext } from './operation.ts'
import type { OperatorAccess } from './operator-access.ts'

/** The connections to operators of the process that serves people. */
export interface RailDesk extends OperatorAccess {
  /** Undefined for a rail account that this process does not know (yet). */
  state(railAccount: string): RailConnectionState | undefined
  /** Tries the credentials, and an account, at the operator. @returns undefined if it cannot be connected */
  check(railAccount: string, account: string | undefined): Promise<RailCheckResult | undefined>
  /** Reads the balance at the operator now. @returns undefined if it cannot be connected or does not answer */
  balance(railAccount: string): Promise<RailBalanceResult | undefined>
}

export interface RailConnectionState {
  readonly circuit: CircuitStateName | undefined
  /** Why it cannot be connected, for staff. */
  readonly fault: string | undefined
  readonly downSince: Date | undefined
}

export interface RailCheckResult {
  readonly rows: readonly CheckRow[]
  /** Where the operator reports; undefined where that is not known. */
  readonly callbackUrl: string | undefined
}

/** The balance at an operator, and our ledger's at the same time. */
export interface RailBalanceResult {
  readonly accounts: readonly RailBalance[]
  readonly booked: BookedMoney
  /** Absent: there is nothing to compare. */
  readonly comparison?: {
    readonly operatorMinor: bigint
    readonly openingMinor: bigint
    readonly ledgerMinor: bigint
    readonly unexplainedMinor: bigint
  }
}

/** Normalizes the number to the form that orders use: people write it with spaces, or as they dial it. */
export async function accountInOrders(
  { pool }: Pick<OperationContext, 'pool'>,
  railAccount: string,
  written: string,
): Promise<string> {
  const options = await listProviderOptions(pool, { currency: undefined, type: undefined })
  const numbers = options
    .filter((option) => option.rail_account === railAccount && option.method === 'MOBILE_MONEY')
    .flatMap(({ calling_code }) => internationalNumber(calling_code, written) ?? [])
  return numbers[0] ?? written.replaceAll(/[ +-]/g, '')
}
