import {
  MESSAGES_COUNTED_MS,
  messagesMax,
  messagesRefused,
  type RailCallback,
  type RailCallbackStore,
  type Reception,
  type RailCallbackWrites,
} from '../../../actions/ports/rail-callbacks.ts'
import { OUR_REFERENCE, PAYER_REFERENCE } from '../../../actions/ports/rail-references.ts'
import type { Wake } from '../../../actions/ports/wake.ts'
import type { Connection } from './connection.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { insertJobs } from './jobs.ts'

/** As storage/rail-callbacks.ts. */
export function createRailCallbackStore(connection: Connection, wake: Wake): RailCallbackStore {
  const { tables } = connection
  return {
    async receive(callback, now) {
      const reception = await connection.autocommit('write', 'receiveRailCallback', (unit) =>
        receive(unit, callback, now),
      )
      if (reception === 'stored') wake.wake('readRailCallback', now)
      return reception
    },

    async load(items) {
      await connection.step('read', 'loadRailCallbacks')
      return items.flatMap(({ subjectId }) => {
        const row = tables.railCallbacks.get(subjectId)
        if (row?.body === undefined) return []
        const { result: _result, receivedAt: _receivedAt, hasVerdict: _hasVerdict, ...callback } = row
        return [{ ...callback, body: row.body }]
      })
    },

    async transactionsCalled(railAccount, references) {
      if (references.length === 0) return []
      await connection.step('read', 'transactionsCalled')
      const called = [...tables.railReferences.values()].filter(
        (row) => row.railAccount === railAccount && references.includes(row.reference) && row.name !== PAYER_REFERENCE,
      )
      return [...new Set(called.map(({ transactionId }) => transactionId))]
    },
  }
}

/** What makes two messages the same. */
export const messageKey = ({ orderId, tail = '', method, body }: RailCallback): string =>
  `${orderId}/${tail} ${method} ${body}`

async function receive(unit: MemoryUnitOfWork, callback: RailCallback, now: Date): Promise<Reception> {
  const { hasVerdict = false, orderedUntilMs, isAcknowledged: _isAcknowledged, ...message } = callback
  const { railAccount, orderId } = message
  const owner = [...unit.tables.railReferences.values()].find(
    (row) => row.reference === orderId && row.name === OUR_REFERENCE && row.railAccount === railAccount,
  )
  if (!owner || (orderedUntilMs !== undefined && owner.recordedAt.getTime() > orderedUntilMs)) return 'unknown_order'
  const { transactionId } = owner
  const key = messageKey(message)
  await unit.railCallbackKeys.lock(key)
  if (unit.railCallbackKeys.get(key) !== undefined) return 'known'
  const lately = [...unit.tables.railCallbacks.values()].filter(
    (row) =>
      row.transactionId === transactionId &&
      row.orderId === orderId &&
      row.hasVerdict === hasVerdict &&
      row.receivedAt.getTime() > now.getTime() - MESSAGES_COUNTED_MS &&
      row.receivedAt <= now,
  )
  if (lately.length >= messagesMax(callback)) {
    recordRefusal(unit, transactionId, hasVerdict, now)
    return 'too_many'
  }
  const id = unit.tables.nextId()
  unit.railCallbackKeys.put(key, id)
  await unit.railCallbacks.write(id, { ...message, id, transactionId, hasVerdict, receivedAt: now, result: undefined })
  await insertJobs(unit, { kind: 'readRailCallback', subjectId: id, dueAt: now })
  return 'stored'
}

function recordRefusal(unit: MemoryUnitOfWork, transactionId: bigint, hasVerdict: boolean, now: Date): void {
  const event = { transactionId, ...messagesRefused(hasVerdict) }
  const isRecorded = unit.tables.events.some(
    ({ transactionId: of, kind, detail }) => of === transactionId && kind === event.kind && detail === event.detail,
  )
  if (!isRecorded) unit.events.push({ ...event, at: now })
}

/** As storage/rail-callbacks.ts. */
export const railCallbackStatements = (unit: MemoryUnitOfWork): RailCallbackWrites => ({
  endRailCallback: (id, result) =>
    unit.statement('write', 'endRailCallback', () =>
      unit.railCallbacks.change(id, (row) => ({ ...row, body: undefined, result })),
    ),
})
