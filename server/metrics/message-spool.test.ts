import { expect, test } from 'vitest'
import type { SpoolFigures } from '../actions/ports/message-spool.ts'
import { given, samples } from './testing/sample-metrics.ts'

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
  expect(await samples(metrics)).toMatchObject({
    malipo_message_spool_messages: 3,
    malipo_message_spool_bytes: 1_234,
    malipo_message_spool_oldest_seconds: 90,
    malipo_message_spool_writable: 1,
    malipo_message_spool_spooled_total: 10,
    malipo_message_spool_refused_total: 4,
    'malipo_message_spool_replayed_total{reception="stored"}': 5,
    'malipo_message_spool_dropped_total{reason="torn"}': 2,
    'malipo_message_spool_dropped_total{reason="corrupt"}': 1,
  })
  shown = { ...now, messages: 0, oldestAt: undefined, spooled: 11, fault: 'full' }
  expect(await samples(metrics)).toMatchObject({
    malipo_message_spool_oldest_seconds: 0,
    malipo_message_spool_writable: 0,
    malipo_message_spool_spooled_total: 11,
  })
})
