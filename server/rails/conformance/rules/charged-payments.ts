import { expect } from 'vitest'
import { amountToWire, moneyFromWire } from '../../../domain/money.ts'
import { present } from '../../../domain/present.ts'
import { gatewayRule, type Rule } from '../rule.ts'
import { expectBooked, settled } from './payments.ts'

/** Charges that customers pay on top of the amount. */
export const CHARGED_PAYMENTS: readonly Rule[] = [
  gatewayRule(
    'the customer pays amount and charge, in whole units of the operator',
    'a percentage is seldom a whole shilling, and separate rounding books what never moved',
    [],
    async (stage) => {
      const { type, amounts, currency } = stage.counterpart
      // One percent of it has decimals that the operator does not accept.
      const amountMinor = (present(amounts[0], 'an amount').amountMinor * 11n) / 10n
      const onTop = type === 'COLLECTION'
      const payment = await stage.payWith({
        amount: amountToWire(amountMinor, currency),
        ...(onTop && { charge_customer: true }),
      })
      const minor = (record: Readonly<Record<string, unknown>>, field: string) =>
        moneyFromWire(Number(record[field]), currency).amountMinor
      const before = await stage.recordOf(payment)
      const charge = minor(before, 'transaction_charge')
      expect(charge).toBeGreaterThan(0n)
      expect(stage.order(payment).amount.amountMinor).toBe(onTop ? amountMinor + charge : amountMinor)
      await settled(stage, payment)
      await expectBooked(stage, payment)
      const after = await stage.recordOf(payment)
      expect([minor(after, 'transaction_amount'), minor(after, 'transaction_charge')]).toEqual([amountMinor, charge])
      expect(minor(after, onTop ? 'total_credit' : 'total_debit')).toBe(onTop ? amountMinor : amountMinor + charge)
    },
  ),
]
