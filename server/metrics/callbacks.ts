import { Counter, Histogram, type Registry } from 'prom-client'
import type { CallbackStore, DueCallback } from '../actions/ports/callbacks.ts'
import type { Clock } from '../actions/ports/clock.ts'
import type { CallbackSender } from '../actions/ports/delivery.ts'
import type { NextStep } from '../domain/callback.ts'

const OUTCOMES = { delivered: 'delivered', retry: 'retried', stopped: 'stopped' } satisfies Record<
  NextStep['step'],
  string
>
const RESCHEDULED = 'postponed'

export interface CallbackMetrics {
  instrumentCallbacks(store: CallbackStore): CallbackStore
  instrumentSender(sender: CallbackSender): CallbackSender
}

/** Counts callback attempts by their outcome, and measures their delay. */
export function callbackMetrics(registry: Registry, clock: Clock): CallbackMetrics {
  const outcomes = new Counter({
    name: 'malipo_callbacks_total',
    help: 'Results of attempts to deliver callbacks: delivered, retried (another attempt follows), stopped (none follows); postponed (rescheduled without an attempt, because the concurrency limit of its host is reached).',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of [...Object.values(OUTCOMES), RESCHEDULED]) outcomes.inc({ outcome }, 0)
  const durations = new Histogram({
    name: 'malipo_callback_request_duration_seconds',
    help: 'Time of one attempt to deliver a callback, until a reply or the timeout.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  })
  const delays = new Histogram({
    name: 'malipo_callback_delay_seconds',
    help: 'Time from the final state of a transaction to the start of its first callback attempt.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  })

  return {
    instrumentCallbacks: (store) => ({
      load: (items) => store.load(items),
      async record(delivery) {
        await store.record(delivery)
        outcomes.inc({ outcome: OUTCOMES[delivery.next.step] })
      },
      async reschedule(item, dueAt) {
        await store.reschedule(item, dueAt)
        outcomes.inc({ outcome: RESCHEDULED })
      },
      withhold: (item, callback, now) => store.withhold(item, callback, now),
    }),
    instrumentSender: (sender) => ({
      async prepare(callback) {
        const send = await sender.prepare(callback)
        return async () => {
          // A callback is stored in the commit that makes its transaction final. The clock of another machine may be
          // slightly ahead of ours. A callback that waited for its merchant to have a URL says nothing about our delay.
          const { attempts, createdAt, hadUrl }: DueCallback & { readonly createdAt?: Date } = callback
          if (attempts === 0 && createdAt && hadUrl)
            delays.observe(Math.max(clock.now().getTime() - createdAt.getTime(), 0) / 1000)
          const delivery = await send()
          durations.observe(delivery.durationMs / 1000)
          return delivery
        }
      },
    }),
  }
}
