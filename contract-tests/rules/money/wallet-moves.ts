import { amountText } from './minor-units.ts'
import { movedAt, type FollowedPayment } from './payments.ts'
import type { WalletReading } from './wallet-readings.ts'

/** A wallet that moved by something else than its payments, in words. */
export interface Deviation {
  readonly merchant: string
  readonly name: string
  readonly before: string
  readonly after: string
  /** By its payments. */
  readonly moved: string
  /** How many of them moved it. */
  readonly payments: number
}

/** Where a wallet stood at a reading, and what each of its payments had moved it by. */
interface WalletState {
  readonly actual: bigint
  readonly moved: readonly bigint[]
}

/**
 * Compares the readings of each wallet with its payments. A wallet that a full list lacks is empty. While a payment
 * may be changing its state, its wallet is not compared.
 */
export function deviationsOf(
  readings: readonly WalletReading[],
  payments: readonly FollowedPayment[],
): { readonly compared: number; readonly deviations: readonly Deviation[] } {
  const deviations: Deviation[] = []
  let compared = 0
  for (const [merchant, own] of Map.groupBy(readings, (reading) => reading.merchant)) {
    const names = new Set(own.flatMap(({ wallets }) => wallets.map(({ name }) => name)))
    const mine = payments.filter((payment) => payment.merchant === merchant)
    for (const name of names) {
      const [type = '', currency = ''] = name.split(' ')
      // A payment whose currency nothing shows may be of any wallet.
      const moving = mine.filter((payment) => walletOf(payment) === type && (payment.currency ?? currency) === currency)
      const states = own.map((reading) => stateAt(reading, name, moving)).filter((state) => state !== undefined)
      const [first, ...later] = states
      compared += later.length
      const wrong = first && later.find((state) => state.actual - first.actual !== sum(state.moved) - sum(first.moved))
      if (!first || !wrong) continue
      deviations.push({
        merchant,
        name,
        before: amountText(first.actual, currency),
        after: amountText(wrong.actual, currency),
        moved: amountText(sum(wrong.moved) - sum(first.moved), currency),
        payments: wrong.moved.filter((moved, index) => moved !== first.moved[index]).length,
      })
    }
  }
  return { compared, deviations }
}

/** Refunds are paid from what was collected. */
const walletOf = ({ type }: FollowedPayment): string => (type === 'PAYOUT' ? 'MERCHANT_PAYOUT' : 'MERCHANT_COLLECTION')

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

function stateAt(reading: WalletReading, name: string, payments: readonly FollowedPayment[]): WalletState | undefined {
  const wallet = reading.wallets.find((each) => each.name === name)
  const actual = wallet || !reading.isFull ? wallet?.actual : 0n
  if (actual === undefined) return undefined
  const moved = payments.map((payment) => movedAt(payment, reading))
  return moved.includes(undefined) ? undefined : { actual, moved: moved.filter((each) => each !== undefined) }
}
