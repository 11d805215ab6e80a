import { resendCallbacks as resendInMemory, urlKey } from '../simulation/memory-store/callbacks.ts'
import { connect } from '../simulation/memory-store/memory-store.ts'
import { Connection } from '../simulation/memory-store/connection.ts'
import { MemoryWorld } from '../simulation/memory-store/world.ts'
import { until } from './served-gateway.ts'
import type { OpenedStore, StoreReader, StoredAttempt, StoreUnderTest } from './store-under-test.ts'
import { uniqueId } from './transactions.ts'

/** The store of the simulation; each test gets an empty one. */
export async function openMemory(): Promise<OpenedStore> {
  return {
    async fresh() {
      const world = new MemoryWorld()
      const setUrl = (id: bigint, url: string) => {
        for (const type of ['COLLECTION', 'PAYOUT'] as const) world.callbackUrls.set(urlKey(id, type), url)
      }
      const { openUnits, disconnect: _never, ...ports } = connect(world, async () => undefined)
      return {
        ...ports,
        lookups: lookUpIn(world),
        read: readMemory(world),
        async newMerchant(url) {
          const id = uniqueId()
          if (url !== undefined) setUrl(id, url)
          return id
        },
        setUrl: async (id, url) => setUrl(id, url),
        setSuspended: async (id, isSuspended, now) => world.setSuspended(id, isSuspended, now),
        async newFloat(floatMinor, readAt) {
          const name = `rail-${uniqueId()}`
          world.floats.put(name, { floatMinor, handedMinor: 0n, readAt })
          return name
        },
        async coverPayouts(merchantId, { currency, amountMinor: fromMinor }) {
          world.approvalRules.push({ id: uniqueId(), operation: 'payouts', merchantId, currency, fromMinor })
        },
        async newPerson(standing) {
          const id = uniqueId()
          world.people.set(id, standing)
          return id
        },
        endAccess: async (id) => void world.people.delete(id),
        resend: (id, now, dueAt) => resendInMemory(new Connection(world, async () => undefined), [id], now, dueAt),
        lockIsWaitedFor: (waiting = 1) =>
          until(
            async () => openUnits().filter(({ waitsForLock }) => waitsForLock).length >= waiting,
            60_000,
            'a lock is waited for',
          ),
      }
    },
    close: async () => undefined,
  }
}

/** The simulation looks nothing up: its judge reads the world. */
const lookUpIn = ({
  transactions,
  references,
  internalReferences,
  sessions,
}: MemoryWorld): StoreUnderTest['lookups'] => ({
  transactionByMerchantReference: async (merchantId, merchantReference) =>
    transactions.get(references.get(`${merchantId}:${merchantReference}`) ?? 0n)?.transaction,
  async payment(internalReference) {
    const id = internalReferences.get(internalReference)
    if (id === undefined) return undefined
    const { transaction, description, redirectUrl } = transactions.existing(id)
    const session = sessions.get(id)
    return { transaction, ...(session && { session }), description, ...(redirectUrl !== undefined && { redirectUrl }) }
  },
})

function readMemory(world: MemoryWorld): StoreReader {
  const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
  const attempts = (rows: readonly StoredAttempt[] = []): StoredAttempt[] =>
    rows.map(({ attempt, at, url, durationMs, httpStatus, error }) => ({
      attempt,
      at,
      ...(url !== undefined && { url }),
      durationMs,
      ...(httpStatus !== undefined && { httpStatus }),
      ...(error !== undefined && { error }),
    }))
  return {
    work: async () =>
      [...world.work.values()]
        .sort((a, b) => byText(a.kind, b.kind) || Number(a.subjectId - b.subjectId))
        .map(({ kind, subjectId, dueAt, attempt, token, failures, lastError }) => ({
          kind,
          subjectId,
          dueAt,
          attempt,
          held: token !== undefined,
          failures,
          lastError,
        })),
    events: async (id) =>
      world.events.filter(({ transactionId }) => transactionId === id).map(({ id: _id, ...event }) => event),
    async callback(id) {
      const row = world.callbacks.values().find(({ transactionId }) => transactionId === id)
      return row && { id: row.id, status: row.status, attempts: row.attempts, finishedAt: row.finishedAt }
    },
    callbackAttempts: async (id) => attempts(world.callbackAttempts.get(id)),
    handshakes: async (id) => attempts(world.handshakes.get(id)),
    usage: async (account) =>
      new Map(
        [...world.limitUsage.values()]
          .filter(({ limit }) => limit.endsWith(`:${account}`))
          .map((row) => [row.transactionId, row.amountMinor]),
      ),
    accountUses: async (account) =>
      [...world.accountUsage.values()]
        .filter((row) => row.account === account)
        .sort((a, b) => Number(a.transactionId - b.transactionId) || byText(a.kind, b.kind) || a.number - b.number)
        .map(({ transactionId, kind, number, countsUntil }) => ({ transactionId, kind, number, countsUntil })),
    suspense: async (railAccount) =>
      world.accounts.values().find(({ key }) => key.kind === 'suspense' && key.railAccount === railAccount)
        ?.balanceMinor ?? 0n,
    transfersOf: async (id) =>
      world.transfers.filter(({ transactionId }) => transactionId === id).map(({ kind }) => kind),
  }
}
