import { expect, test } from 'vitest'
import type { SpoolFigures } from '../actions/ports/message-spool.ts'
import { figures, given } from './testing/sample-metrics.ts'
import { valueOf } from './testing/test-exposition.ts'

test('shows what the spool holds, for how long, and what became of the rest', async () => {
  const { metrics, clock } = given()
  const now: SpoolFigures = {
    messages: 3,
    bytes: 1_234,
    oldestAt: clock.now().getTime() - 90_000,
    spooled: 10,
    replayed: { stored: 5, known: 1, unknown_order: 1, too_many: 0 },
    corrupt: 1,
    torn: 2,
    refused: 4,
    fault: undefined,
  }
  let shown = now
  metrics.watchMessageSpool(() => shown)
  const value = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
    valueOf(await figures(metrics), `malipo_message_spool_${name}`, labels)
  expect(await value('messages')).toBe(3)
  expect(await value('bytes')).toBe(1_234)
  expect(await value('oldest_seconds')).toBe(90)
  expect(await value('writable')).toBe(1)
  expect(await value('spooled_total')).toBe(10)
  expect(await value('refused_total')).toBe(4)
  expect(await value('replayed_total', { reception: 'stored' })).toBe(5)
  expect(await value('dropped_total', { reason: 'torn' })).toBe(2)
  expect(await value('dropped_total', { reason: 'corrupt' })).toBe(1)
  shown = { ...now, messages: 0, oldestAt: undefined, spooled: 11, fault: 'full' }
  expect(await value('oldest_seconds')).toBe(0)
  expect(await value('writable')).toBe(0)
  expect(await value('spooled_total')).toBe(11)
})
