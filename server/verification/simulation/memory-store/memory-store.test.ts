import { expect, test } from 'vitest'
import { StorageUnavailable } from '../../../actions/ports/store.ts'
import { accountName, depositTransfer } from '../../../domain/ledger.ts'
import { at, newTransaction, uniqueId, uniqueToken } from '../../testing/transactions.ts'
import type { SchedulerTurn } from './connection.ts'
import { connect } from './memory-store.ts'
import type { StoreStep } from './unit-of-work.ts'
import { MemoryWorld } from './world.ts'

// What only the in-memory store can simulate: a lost reply, a death between two steps, a unit ended from outside. The
// port tests show that it otherwise behaves as PostgreSQL does.

const go: SchedulerTurn = async () => undefined
const lost =
  (kind: StoreStep): SchedulerTurn =>
  async (step) => {
    if (step === kind) throw new StorageUnavailable(new Error('ECONNRESET'))
  }
const addJobs = ({ store }: ReturnType<typeof connect>, subjectId = uniqueId()) =>
  store.transaction((unit) => unit.addJobs([{ kind: 'pollRail', subjectId, dueAt: at(0) }]))

/** A process whose every step waits until it is released. */
function stepwise(world: MemoryWorld) {
  const waiting: { step: StoreStep; go: () => void }[] = []
  const connection = connect(
    world,
    (step) =>
      new Promise((resolve) => {
        waiting.push({ step, go: resolve })
      }),
  )
  return {
    ...connection,
    /** Releases its steps until it requests this kind of step, which stays held. */
    async until(kind: StoreStep): Promise<void> {
      for (;;) {
        await settled()
        if (waiting[0]!.step === kind) return
        waiting.shift()!.go()
      }
    },
    async goOn(): Promise<void> {
      for (await settled(); waiting.length > 0; await settled()) waiting.shift()!.go()
    },
  }
}
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

test('a lost commit leaves nothing, a lost reply leaves all; both say unavailable', async () => {
  const world = new MemoryWorld()
  await expect(addJobs(connect(world, lost('commit')))).rejects.toBeInstanceOf(StorageUnavailable)
  expect(world.work.size).toBe(0)
  await expect(addJobs(connect(world, lost('commit_answer')))).rejects.toBeInstanceOf(StorageUnavailable)
  expect(world.work.size).toBe(1)
  await addJobs(connect(world, go))
  expect(world.work.size).toBe(2)
})

test('a lost claim takes nothing; a claim with a lost reply is released by its token', async () => {
  const world = new MemoryWorld()
  await addJobs(connect(world, go))
  const claim = { token: uniqueToken(), now: at(0), leaseUntil: at(30) }
  await expect(connect(world, lost('claim')).queue.claim('pollRail', claim, 1)).rejects.toBeInstanceOf(
    StorageUnavailable,
  )
  expect([...world.work.values()]).toMatchObject([{ token: undefined, attempt: 0 }])
  await expect(connect(world, lost('commit_answer')).queue.claim('pollRail', claim, 1)).rejects.toBeInstanceOf(
    StorageUnavailable,
  )
  expect([...world.work.values()]).toMatchObject([{ token: claim.token, attempt: 1 }])
  await connect(world, go).queue.releaseClaim('pollRail', claim, at(1))
  expect([...world.work.values()]).toMatchObject([{ token: undefined, dueAt: at(1) }])
})

test('a claim where nothing is due requests no scheduling turn', async () => {
  const never: SchedulerTurn = () => Promise.reject(new Error('a turn was asked for'))
  const world = new MemoryWorld()
  await addJobs(connect(world, go))
  expect(
    await connect(world, never).queue.claim('pollRail', { token: uniqueToken(), now: at(-1), leaseUntil: at(30) }, 1),
  ).toEqual([])
})

test('runs no acceptance again whose reply was lost: it may have happened', async () => {
  const world = new MemoryWorld()
  const { acceptance } = connect(world, lost('commit_answer'))
  const results = await Promise.allSettled([acceptance.accept(newTransaction()), acceptance.accept(newTransaction())])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(world.transactions.size).toBe(2)
})

test('a dead process leaves nothing uncommitted, frees its locks and never goes on', async () => {
  const world = new MemoryWorld()
  const [dying, living] = [stepwise(world), connect(world, go)]
  const subjectId = uniqueId()
  let ended = false
  void addJobs(dying, subjectId).finally(() => {
    ended = true
  })
  await dying.until('commit')
  const waiting = addJobs(living, subjectId)
  await settled()
  expect(living.openUnits().map(({ waitsForLock }) => waitsForLock)).toEqual([true])
  dying.disconnect()
  await waiting
  await dying.goOn()
  expect(ended).toBe(false)
  expect(world.work.size).toBe(1)
  expect(dying.openUnits()).toEqual([])
})

test('a process that dies waiting for a lock does not go on when the lock is free', async () => {
  const world = new MemoryWorld()
  const [holder, dying] = [stepwise(world), connect(world, go)]
  const subjectId = uniqueId()
  const first = addJobs(holder, subjectId)
  await holder.until('commit')
  let ended = false
  void addJobs(dying, subjectId).finally(() => {
    ended = true
  })
  await settled()
  dying.disconnect()
  await holder.goOn()
  await first
  await settled()
  expect(ended).toBe(false)
  expect(world.work.size).toBe(1)
})

// Whether it waits for a lock or not.
test('a unit the database ends frees its locks at once and fails at its next step', async () => {
  const world = new MemoryWorld()
  const [idle, waiting] = [stepwise(world), connect(world, go)]
  const subjectId = uniqueId()
  const first = addJobs(idle, subjectId)
  first.catch(() => undefined)
  await idle.until('commit')
  const second = addJobs(waiting, subjectId)
  second.catch(() => undefined)
  await settled()
  waiting.openUnits()[0]!.abort()
  await expect(second).rejects.toBeInstanceOf(StorageUnavailable)
  idle.openUnits()[0]!.abort()
  await addJobs(waiting, subjectId)
  await idle.goOn()
  await expect(first).rejects.toBeInstanceOf(StorageUnavailable)
  expect(world.work.size).toBe(1)
})

test('a unit that loses its connection cannot commit, though its caller goes on', async () => {
  const world = new MemoryWorld()
  let steps = 0
  const { store } = connect(world, async () => {
    if ((steps += 1) === 2) throw new StorageUnavailable(new Error('ECONNRESET'))
  })
  await expect(
    store.transaction(async (unit) => {
      await unit.addJobs([{ kind: 'pollRail', subjectId: uniqueId(), dueAt: at(0) }])
      await unit.addEvents([{ transactionId: 1n, kind: 'k', detail: '' }], at(0)).catch(() => undefined)
    }),
  ).rejects.toThrow()
  expect(world.work.size).toBe(0)
})

test('the judge reads what is committed', async () => {
  const world = new MemoryWorld()
  const { acceptance, store } = connect(world, go)
  const transaction = newTransaction()
  await acceptance.accept(transaction)
  const deposit = depositTransfer(transaction.merchantId, 'UGX', 7n)
  await store.transaction((unit) => unit.book([deposit], at(1)))
  const id = world.references.get(`${transaction.merchantId}:${transaction.merchantReference}`)!
  expect(world.transactions.get(id)?.transaction.internalReference).toBe(transaction.internalReference)
  expect(world.accounts.get(accountName(deposit.entries[1]!.account))?.balanceMinor).toBe(7n)
  expect(world.transfers).toMatchObject([{ kind: 'deposit', createdAt: at(1) }])
  expect([...world.limitUsage.values()]).toMatchObject([{ transactionId: id, amountMinor: 1_000n }])
})
