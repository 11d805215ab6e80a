import {
  ACCOUNT_MESSAGES_MAX,
  type AccountMessageStore,
  type UnrequestedPayments,
} from '../../../actions/ports/account-messages.ts'
import type { RailCallback, Reception } from '../../../actions/ports/rail-callbacks.ts'
import { OUR_REFERENCE, PAYER_REFERENCE } from '../../../actions/ports/rail-references.ts'
import type { UnrequestedPayment } from '../../../actions/ports/rail.ts'
import type { Wake } from '../../../actions/ports/wake.ts'
import { differenceTransfer } from '../../../domain/ledger.ts'
import type { Connection } from './connection.ts'
import { insertJobs } from './jobs.ts'
import { ledgerStatements } from './ledger.ts'

const isOpen = (status: string): boolean => status === 'PENDING' || status === 'PROCESSING'

/** As storage/account-messages.ts. */
export function createAccountMessageStore(connection: Connection, wake: Wake): AccountMessageStore {
  const { tables } = connection
  const named = (railAccount: string) =>
    [...tables.railReferences.values()].filter((row) => row.railAccount === railAccount)
  return {
    receive: (message, now) => receive(connection, wake, message, now),

    async load(id) {
      await connection.step('read', 'loadAccountMessage')
      const row = tables.accountMessages.get(id)
      if (!row || row.result !== undefined) return undefined
      const { result: _none, ...message } = row
      return message
    },

    end: (id, result) =>
      connection.autocommit('write', 'endAccountMessage', (unit) =>
        unit.accountMessages.change(id, (row) => ({ ...row, body: '', result })),
      ),

    async orderCalled(railAccount, { orderId, externalIds }) {
      await connection.step('read', 'orderCalled')
      const ours = orderId?.toLowerCase()
      const ids = ours === undefined ? Object.values(externalIds) : [ours]
      const rows = named(railAccount)
      const called = rows.filter(
        ({ name, reference }) =>
          ids.includes(reference) &&
          (ours === undefined ? name !== OUR_REFERENCE && name !== PAYER_REFERENCE : name === OUR_REFERENCE),
      )
      const [transactionId, ...others] = new Set(called.map((row) => row.transactionId))
      if (transactionId === undefined || others.length > 0) return undefined
      const own = rows.filter((row) => row.transactionId === transactionId && row.name === OUR_REFERENCE)
      return own.length === 0 ? undefined : (ours ?? own.at(-1)?.reference)
    },

    async isAwaited(railAccount, payerReference, receipt) {
      await connection.step('read', 'isAwaited')
      const rows = named(railAccount)
      return rows.some(({ name, reference, transactionId, recordedAt }) => {
        if (name !== PAYER_REFERENCE || reference.toUpperCase() !== payerReference.toUpperCase()) return false
        const { type, status } = tables.transactions.existing(transactionId).transaction
        const hasReceipt = rows.some((row) => row.transactionId === transactionId && row.name === receipt?.name)
        const lacksReceipt = receipt && status === 'COMPLETED' && recordedAt > receipt.since && !hasReceipt
        return type === 'COLLECTION' && (isOpen(status) || lacksReceipt === true)
      })
    },
  }
}

async function receive(
  connection: Connection,
  wake: Wake,
  { railAccount, method, tail, body, isAcknowledged = false }: Omit<RailCallback, 'orderId'>,
  now: Date,
): Promise<Reception> {
  const { tables } = connection
  const reception = await connection.autocommit('write', 'receiveAccountMessage', async (unit) => {
    const key = `${railAccount}/${tail ?? ''} ${method} ${body}`
    await unit.accountMessageKeys.lock(key)
    if (unit.accountMessageKeys.get(key) !== undefined) return 'known'
    const waiting = [...tables.accountMessages.values()].filter(
      (row) => row.railAccount === railAccount && row.result === undefined,
    )
    if (!isAcknowledged && waiting.length >= ACCOUNT_MESSAGES_MAX) return 'too_many'
    const id = tables.nextId()
    unit.accountMessageKeys.put(key, id)
    await unit.accountMessages.write(id, { id, railAccount, method, ...(tail !== undefined && { tail }), body })
    await insertJobs(unit, { kind: 'readAccountMessage', subjectId: id, dueAt: now })
    return 'stored'
  })
  if (reception === 'stored') wake.wake('readAccountMessage', now)
  return reception
}

/** As admin/queries/statements/book-unrequested.ts; it has no statements. */
export function createUnrequestedPayments(connection: Connection): UnrequestedPayments {
  const keyOf = (railAccount: string, { receipt }: UnrequestedPayment): string => `${railAccount} ${receipt}`
  return {
    claim: (railAccount, payment) =>
      connection.autocommit('write', 'claimPayment', async (unit) => {
        const key = keyOf(railAccount, payment)
        await unit.unrequested.lock(key)
        const known = unit.unrequested.get(key)
        if (!known) unit.unrequested.put(key, { ...payment, railAccount, isBooked: false })
        return known?.isBooked !== true
      }),

    book: (railAccount, payment, now) =>
      connection.transaction(async (unit) => {
        const { amountMinor, currency } = payment.amount
        const isNew = await unit.statement('write', 'bookPayment', async () => {
          const key = keyOf(railAccount, payment)
          await unit.unrequested.lock(key)
          const known = unit.unrequested.get(key)
          if (known?.isBooked === true || known?.transactionId !== undefined) return false
          unit.unrequested.put(key, { ...payment, railAccount, isBooked: true })
          return true
        })
        if (isNew)
          await ledgerStatements(unit).book([differenceTransfer('rail', { railAccount, currency }, amountMinor)], now)
        return isNew
      }),
  }
}
