import { expect } from 'vitest'
import type { GatewayStage, Payment } from '../gateway-stage.ts'
import type { Mood } from '../hostile-operator.ts'

export const SECOND_MS = 1_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const LOST: Mood = { takes: () => 'close_after_reading' }

/** The operator has settled the payments and reports them; every status query returns the same. */
export async function settled(stage: GatewayStage, ...payments: readonly Payment[]): Promise<void> {
  for (const payment of payments) {
    stage.operator.decide(payment.account, 'paid')
    await stage.report(payment, 'paid')
  }
  await stage.after(HOUR_MS)
}

export async function expectBooked(stage: GatewayStage, payment: Payment): Promise<void> {
  expect([await stage.statusOf(payment), await stage.bookings(payment)]).toEqual(['COMPLETED', 1])
  expect(stage.operator.moved(payment.account)).toBe(1)
}

export async function expectOpen(stage: GatewayStage, payment: Payment): Promise<void> {
  const found = [await stage.statusOf(payment), await stage.bookings(payment)]
  expect(found, await stage.keptOf(payment)).toEqual(['PROCESSING', 0])
}

export const repeatsOrders = ({ counterpart: { lacks } }: GatewayStage): boolean => lacks.idempotency === undefined
export const canBeQueried = ({ counterpart: { lacks } }: GatewayStage): boolean => lacks.query === undefined
