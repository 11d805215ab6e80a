import { resolveTransaction } from '../../actions/resolve-transaction.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { walletTransfer } from '../../domain/wallet-transfer.ts'
import { BANK_PROVIDER, PHONE_PROVIDER } from './reference.ts'
import { ignoreRefusal, ignoreTooLow, MINUTE, SECOND, type Stage } from './stage.ts'

/** Failure reason of an operator's transactions. */
export const OPERATORS_REASON = 'an operator says so'

/**
 * Staff deposit, withdraw, resend callbacks, or decide payments that the rail has not decided.
 * @param onResolved called with each decided payment
 */
export async function operator(stage: Stage, onResolved: (internalReference: string) => void): Promise<void> {
  const { choices, gateway } = stage
  await gateway.scheduler.sleep(choices.of(20 * SECOND, 2 * SECOND, 12 * MINUTE, 73 * 60 * MINUTE))
  const merchantId = choices.of(1n, 2n)
  const what = choices.of('deposit', 'withdraw', 'complete', 'fail', 'resend')
  if (what === 'resend') return gateway.resend()
  if (what === 'deposit') return stage.deposit(merchantId, choices.of(1_200n, 300n, 6_000n))
  if (what === 'withdraw') {
    const { currency, unitMinor } = gateway.reference.market
    const transfer = walletTransfer(merchantId, currency, choices.of(1_000n, 300n) * unitMinor, {
      from: 'payout',
      to: 'collection',
    })
    await stage
      .served(choices.among(3), ({ store, clock }) => store.transaction((unit) => unit.book([transfer], clock.now())))
      .catch(ignoreTooLow)
    return
  }
  const [row] = [...gateway.world.transactions.values()].filter(
    ({ transaction: { status, railPaidAt } }) => status === 'PROCESSING' || railPaidAt,
  )
  if (!row) return
  const { internalReference } = row.transaction
  onResolved(internalReference)
  const outcome: RailOutcome =
    what === 'complete' ? { status: 'COMPLETED' } : { status: 'FAILED', reason: OPERATORS_REASON }
  await stage.insist((deps) => resolveTransaction(deps, internalReference, outcome)).catch(ignoreRefusal)
}

/**
 * Staff suspend a merchant for a while, and may end a payout that waits.
 * @param onResolved called with that payout
 */
export async function suspension(stage: Stage, onResolved: (internalReference: string) => void): Promise<void> {
  const { choices, gateway } = stage
  const { scheduler, world } = gateway
  await scheduler.sleep(choices.of(5 * SECOND, SECOND, 40 * SECOND))
  const merchantId = choices.of(1n, 2n)
  await gateway.suspend(merchantId, async () => {
    await scheduler.sleep(choices.of(20 * MINUTE, 2 * MINUTE, 25 * 60 * MINUTE))
    if (choices.among(2) === 0) return
    const [row] = [...world.transactions.values()].filter(
      ({ transaction: { status, type, merchantId: of } }) =>
        status === 'PENDING' && type === 'PAYOUT' && of === merchantId,
    )
    if (!row) return
    const { internalReference } = row.transaction
    onResolved(internalReference)
    await stage
      .insist((deps) => resolveTransaction(deps, internalReference, { status: 'FAILED', reason: OPERATORS_REASON }))
      .catch(ignoreRefusal)
  })
}

/** A provider's rules and a merchant's addresses change while payments are in progress. */
export async function changes(stage: Stage): Promise<void> {
  const { choices, gateway } = stage
  const { reference, scheduler } = gateway
  for (let n = 1 + choices.among(2); n > 0; n -= 1) {
    await scheduler.sleep(choices.of(SECOND, 30 * SECOND, 20 * MINUTE))
    const change = choices.among(5)
    scheduler.note(`reference data changes (${change})`)
    if (change === 0) reference.changeOption(BANK_PROVIDER, 'COLLECTION', { clearingDelaySeconds: 0, reserveBps: 500 })
    if (change === 1) reference.changeOption(PHONE_PROVIDER, 'PAYOUT', { isActive: false })
    if (change === 2) gateway.setUrls(1n, 'https://moved.example/')
    if (change === 3)
      reference.changeOption(PHONE_PROVIDER, 'COLLECTION', { chargeBps: 500, clearingDelaySeconds: 600 })
    if (change === 4) await urlGone(stage, choices.of(1n, 2n))
  }
}

/** Callbacks made meanwhile wait until staff resend them; without that they keep waiting. */
async function urlGone(stage: Stage, merchantId: bigint): Promise<void> {
  const { choices, gateway } = stage
  gateway.setUrls(merchantId, undefined)
  await gateway.scheduler.sleep(choices.of(20 * MINUTE, 500, 30 * SECOND))
  if (choices.rarely(0.3) === 1) await gateway.resendWithheld()
  gateway.setUrls(merchantId, 'https://new.example/')
  if (choices.among(2) === 1) await gateway.resendWithheld()
}
