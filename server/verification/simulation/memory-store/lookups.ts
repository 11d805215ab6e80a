import { present } from '../../../domain/present.ts'
import { asShown, type Transaction } from '../../../domain/transaction.ts'
import type { Lookups, Payment, Wallet } from '../../../actions/ports/lookups.ts'
import type { Connection } from './connection.ts'
import type { Step } from './step.ts'
import { gather } from './gather.ts'
import { workKeyOf } from './jobs.ts'

const VERIFY: Step = { what: 'transactionByMerchantReference', kind: 'read' }
const PAYMENT: Step = { what: 'payment', kind: 'read' }
const WALLETS: Step = { what: 'wallets', kind: 'read' }

/** As storage/lookups.ts. */
export function createLookups(connection: Connection): Lookups {
  const { tables } = connection
  const find = gather({
    batchMax: 64,
    runsMax: 2,
    run: async (references: readonly string[]) => {
      await connection.step(VERIFY)
      return references.map((reference) => {
        const id = tables.references.rows.get(reference)
        return id === undefined ? undefined : shown(connection, id)
      })
    },
  })
  return {
    transactionByMerchantReference: (merchantId, merchantReference) => find(`${merchantId}:${merchantReference}`),

    // Nothing exists long enough there.
    isArchived: async () => false,

    async payment(internalReference) {
      await connection.step(PAYMENT)
      const id = tables.internalReferences.rows.get(internalReference)
      return id === undefined ? undefined : paymentOf(connection, id)
    },

    async wallets(merchantId, currency) {
      await connection.step(WALLETS)
      return walletsOf(connection, merchantId, currency)
    },
  }
}

function shown({ tables }: Connection, id: bigint): Transaction | undefined {
  const row = tables.transactions.rows.get(id)
  return row && asShown(row.transaction, tables.workKeys.rows.has(workKeyOf({ kind: 'pollRail', subjectId: id })))
}

function paymentOf(connection: Connection, id: bigint): Payment {
  const { tables } = connection
  const { description, redirectUrl } = tables.transactions.existing(id)
  const transaction = present(shown(connection, id), 'a transaction that is there')
  const session = tables.sessions.rows.get(id)
  return { transaction, ...(session && { session }), description, ...(redirectUrl !== undefined && { redirectUrl }) }
}

/** By currency, collections before payouts. A part of a wallet that was never used is zero. */
function walletsOf({ tables }: Connection, merchantId: bigint, currency: string | undefined): Wallet[] {
  const wallets = new Map<string, Wallet>()
  for (const { key, balanceMinor } of tables.accounts.values()) {
    if (key.merchantId !== merchantId || (currency !== undefined && key.currency !== currency)) continue
    const [purpose, part] = key.kind.split('_') as [string, string]
    const name = `${key.currency}:${purpose}`
    const before = wallets.get(name) ?? emptyWallet(purpose, key.currency)
    wallets.set(name, part === 'held' ? before : { ...before, [`${part}Minor`]: balanceMinor })
  }
  return [...wallets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, wallet]) => wallet)
}

const emptyWallet = (purpose: string, currency: string): Wallet => ({
  type: purpose === 'collection' ? 'MERCHANT_COLLECTION' : 'MERCHANT_PAYOUT',
  currency,
  availableMinor: 0n,
  unclearedMinor: 0n,
  reserveMinor: 0n,
})
