import { expect, onTestFinished, test, vi } from 'vitest'
import { seededRandom } from '../verification/testing/gateway.ts'
import { openSpans, STOP_MS } from './spans.ts'
import { startCollector } from './testing/collector.ts'

// The exporter itself would wait ten seconds.
test('stopping waits two seconds for a collector that hangs', async () => {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  collector.answer('hang')
  const spans = openSpans({
    endpoint: collector.url,
    serviceName: 'malipo',
    sampler: 'always_on',
    ratio: 1,
    random: seededRandom('spans'),
    onFault: () => undefined,
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  spans.begin({ name: 'payment', kind: 'server', parent: undefined, attributes: {} })?.end()
  let isOver = false
  void spans.stop().then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(STOP_MS - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
})
