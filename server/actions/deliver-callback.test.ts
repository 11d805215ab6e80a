import { expect, test } from 'vitest'
import { callbackTo } from '../callbacks/testing/sample-callback.ts'
import { fixedClock, seededRandom } from '../verification/testing/gateway.ts'
import { OUTBOUND_LIMITS } from '../jobs/queues.ts'
import { AdaptiveLimiter } from '../jobs/concurrency-limiter.ts'
import { systemTimers } from '../start/timers.ts'
import { createDelivery } from './deliver-callback.ts'
import type { DueCallback } from './ports/callbacks.ts'
import type { Job } from './ports/jobs.ts'

const HANGING = 1n
const WELL = 2n
const item = (n: number): Job => ({
  id: BigInt(n),
  kind: 'deliverCallback',
  subjectId: BigInt(n),
  attempt: 1,
  token: '0'.repeat(32),
  failures: 0,
})

test('1,000 callbacks to unresponsive hosts leave capacity for another merchant', async () => {
  const due = new Map<bigint, DueCallback>()
  const owe = (id: number, merchantId: bigint, url: string) =>
    due.set(BigInt(id), { ...callbackTo(url), id: BigInt(id), merchantId })
  for (let n = 1; n <= 1_000; n += 1) owe(n, HANGING, `https://${n}.hanging.example/`)
  for (let n = 1_001; n <= 1_100; n += 1) owe(n, WELL, 'https://well.example/')
  const queried = new Map([
    [HANGING, 0],
    [WELL, 0],
  ])
  const recorded: bigint[] = []
  const deliver = createDelivery({
    callbacks: {
      load: async (items) => items.flatMap(({ subjectId }) => due.get(subjectId) ?? []),
      record: async ({ callback }) => void recorded.push(callback.merchantId),
      reschedule: async () => undefined,
      withhold: async () => undefined,
    },
    sender: {
      prepare:
        async ({ merchantId }) =>
        () => {
          queried.set(merchantId, queried.get(merchantId)! + 1)
          return merchantId === HANGING
            ? new Promise(() => undefined)
            : Promise.resolve({ durationMs: 1, httpStatus: 200 })
        },
    },
    reference: { merchantById: async () => undefined },
    clock: fixedClock(),
    random: seededRandom('many hosts'),
    limiter: new AdaptiveLimiter({ ...OUTBOUND_LIMITS, waitMs: 10 }, systemTimers).run,
  })
  const hanging = deliver(Array.from({ length: 1_000 }, (_, n) => item(n + 1)))
  await Promise.all(deliver(Array.from({ length: 100 }, (_, n) => item(n + 1_001))))
  expect(recorded).toEqual(Array.from({ length: 100 }, () => WELL))
  expect(await Promise.race([...hanging.slice(0, 128), Promise.all(hanging.slice(128)).then(() => 'put off')])).toBe(
    'put off',
  )
  expect(queried).toEqual(
    new Map([
      [HANGING, 128],
      [WELL, 100],
    ]),
  )
})
