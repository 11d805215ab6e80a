import { expect, test } from 'vitest'
import { accountName, depositTransfer, holdTransfer, payoutWallet } from '../domain/ledger.ts'
import { present } from '../domain/present.ts'
import type { RailOutcome, Transaction } from '../domain/transaction.ts'
import { railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { accepted, at, uniqueId } from '../verification/testing/transactions.ts'
import type { Rail } from './ports/rail.ts'
import type { Store } from './ports/store.ts'
import { settleResults } from './settle-results.ts'

const COMPLETED: RailOutcome = { status: 'COMPLETED' }
const NO_RAIL = {} as Rail
const FAILED: RailOutcome = { status: 'FAILED', reason: 'declined' }

onBothStores((under) => {
  const reported: string[] = []
  const settle = (store: Store, { internalReference }: Transaction, outcome: RailOutcome): Promise<void> =>
    settleAll(store, [{ internalReference, outcome }])
  const settleAll = (store: Store, reports: Parameters<typeof settleResults>[1]): Promise<void> => {
    const paidNotBooked = ({ merchantReference }: Transaction) => void reported.push(merchantReference)
    const deps = {
      ...railDeps({ store }, NO_RAIL, () => at(60)),
      notices: { paidNotBooked, unmappedResult: () => undefined },
    }
    return settleResults(deps, reports)
  }
  /** A payout that was handed to the rail, with its money held. */
  async function payout(merchantId: bigint): Promise<Transaction> {
    const one = await accepted(under(), { merchantId, type: 'PAYOUT', totalMinor: 1_020n })
    await under().store.transaction(async (unit) => {
      await unit.saveStates([{ ...one, status: 'PROCESSING' }])
      await unit.book([depositTransfer(merchantId, 'UGX', 1_020n), holdTransfer(one)], at(0))
    })
    return one
  }
  const statusOf = async ({ merchantId, merchantReference }: Transaction) =>
    present(await under().lookups.transactionByMerchantReference(merchantId, merchantReference), 'a payout').status
  /** A store that runs `happens` after a balance was read. */
  const whileJudging = (happens: () => Promise<void>): Store => ({
    ...under().store,
    transaction: (run) =>
      under().store.transaction((unit) =>
        run({
          ...unit,
          async balances(keys) {
            const read = await unit.balances(keys)
            await happens()
            return read
          },
        }),
      ),
  })

  /** Takes what the payout's failure has returned. */
  async function withdraw(merchantId: bigint): Promise<void> {
    const spent = depositTransfer(merchantId, 'UGX', 1_020n)
    const entries = spent.entries.map((entry) => ({ ...entry, amountMinor: -entry.amountMinor }))
    await under().store.transaction((unit) => unit.book([{ ...spent, entries }], at(1)))
  }
  const balanceOf = async (payment: Transaction) => {
    const wallet = payoutWallet(payment)
    return (await under().store.transaction((unit) => unit.balances([wallet]))).get(accountName(wallet))
  }

  /** Two payouts of a wallet that is empty, as the first has failed and its money is withdrawn. */
  async function lateAndFailing(): Promise<readonly [late: Transaction, failing: Transaction]> {
    const merchantId = uniqueId()
    const [late, failing] = [await payout(merchantId), await payout(merchantId)]
    await settle(under().store, late, FAILED)
    await withdraw(merchantId)
    return [late, failing]
  }

  test('books a late payment with what a later report of its batch returns', async () => {
    const [late, failing] = await lateAndFailing()
    const reports = [
      { internalReference: late.internalReference, outcome: COMPLETED },
      { internalReference: failing.internalReference, outcome: FAILED },
    ]
    await settleAll(under().store, reports)
    expect([await statusOf(late), await statusOf(failing)]).toEqual(['COMPLETED', 'FAILED'])
    expect(reported).toEqual([])
    expect(await balanceOf(late)).toBe(0n)
  })

  // A regression that the simulation found: two reports at the same moment.
  test('judges an uncovered late payment again when another commit fills the wallet', async () => {
    const [late, failing] = await lateAndFailing()
    let isFilled = false
    const filling = whileJudging(async () => {
      if (!isFilled) await settle(under().store, failing, FAILED)
      isFilled = true
    })
    await settle(filling, late, COMPLETED)
    expect([await statusOf(late), await statusOf(failing)]).toEqual(['COMPLETED', 'FAILED'])
    expect(reported).toEqual([])
    expect(await balanceOf(late)).toBe(0n)
  })
})
