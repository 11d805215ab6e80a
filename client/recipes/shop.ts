// Stands in for your own program: what the recipes need of it. This one keeps it in memory; yours has a database.
import type { GuardNote, VerifiedCallback } from '@malipo/client'

/** Status of each order, by the merchant reference of its collection. */
export const orders = new Map<string, string>()
/** Merchant references of the payouts sent. */
export const payouts = new Set<string>()

export const shop = {
  // A missing secret throws when it is used: no default must ever make a message verify.
  webhookSecret: process.env['MALIPO_WEBHOOK_SECRET'] ?? '',
  signingKey: process.env['MALIPO_SIGNING_KEY'] ?? '',

  /** Books an outcome. If it throws, the reply is 500, and Malipo sends the callback again. */
  async book({ payload }: VerifiedCallback, { statusChanged }: GuardNote): Promise<void> {
    const { merchant_reference, transaction_status } = payload
    if (!orders.has(merchant_reference)) throw new Error(`no order ${merchant_reference} yet`)
    orders.set(merchant_reference, statusChanged ? `${transaction_status}, to be looked at` : transaction_status)
  },

  /** Whether we sent a payout with this reference. */
  hasPayout: async (merchantReference: string): Promise<boolean> => payouts.has(merchantReference),
}
