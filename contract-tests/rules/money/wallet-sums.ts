import { faultIf, type Fault, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { amountText } from './minor-units.ts'
import { walletReading, type ReadWallet } from './wallet-readings.ts'

/** The four balances of a wallet agree, in every reply. */
const walletSumJudge: Judge = (seen) => walletReading(seen)?.wallets.flatMap(faultsOf) ?? []

function faultsOf({ name, currency, available, uncleared, reserve, actual }: ReadWallet): readonly Fault[] {
  if (available === undefined || uncleared === undefined || reserve === undefined || actual === undefined)
    return faultIf(
      true,
      'balance without a unit',
      `a balance of ${name} is no number of whole minor units of ${currency} (docs, page "Money")`,
    )
  const text = (minor: bigint): string => amountText(minor, currency)
  return [
    ...faultIf(
      available + uncleared + reserve !== actual,
      'balances do not add up',
      `${name} has an actual_balance of ${text(actual)}; available_balance ${text(available)}, uncleared_balance ${text(uncleared)} and reserve_balance ${text(reserve)} are ${text(available + uncleared + reserve)} together, which it is by the contract`,
    ),
    ...faultIf(
      available < 0n,
      'balance below zero',
      `${name} has an available_balance of ${text(available)}, which is never below zero by the contract`,
    ),
  ]
}

export const walletSumsRule: Rule = {
  name: 'sums of balances',
  reason: 'The `actual_balance` is what is available, uncleared and in reserve, to the unit, in every reply.',
  plantedFault: 'balance-sum-wrong',
  judging: () => ({ each: walletSumJudge }),
}
