// Stands for your own program: what the recipes ask of it. Here it is kept in memory; yours has a database.
import type { GuardNote, VerifiedCallback } from '@malipo/client'

/** Status of each order, by the merchant reference of its collection. */
export const orders = new Map<string, string>()
/** Merchant references of the payouts that were sent. */
export const payouts = new Set<string>()

export const shop = {
  // A missing secret is refused when it is used: nothing must ever be believed by a default.
  webhookSecret: process.env['MALIPO_WEBHOOK_SECRET'] ?? '',
  signingKey: process.env['MALIPO_SIGNING_KEY'] ?? '',

  /** Books an outcome. What it throws is answered with 500, and Malipo sends the callback again. */
  async book({ payload }: VerifiedCallback, { statusChanged }: GuardNote): Promise<void> {
    const { merchant_reference, transaction_status } = payload
    if (!orders.has(merchant_reference)) throw new Error(`no order ${merchant_reference} yet`)
    orders.set(merchant_reference, statusChanged ? `${transaction_status}, to be looked at` : transaction_status)
  },

  /** Whether we sent a payout of this reference. */
  hasPayout: async (merchantReference: string): Promise<boolean> => payouts.has(merchantReference),
}
