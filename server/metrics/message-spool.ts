import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { SpoolFigures } from '../actions/ports/message-spool.ts'

export interface MessageSpoolMetrics {
  /** The spool of this process is shown from now on. */
  watchMessageSpool(figures: () => SpoolFigures): void
}

/** What waits in the spool of operators' messages, as each process knows its own. */
export const messageSpoolMetrics = (registry: Registry, clock: Clock): MessageSpoolMetrics => ({
  watchMessageSpool(figures) {
    const gauge = (name: string, help: string, value: (now: SpoolFigures) => number) =>
      new Gauge({
        name: `malipo_message_spool_${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(value(figures()))
        },
      })
    const counter = (
      name: string,
      help: string,
      values: (now: SpoolFigures) => Readonly<Record<string, number>>,
      label = '',
    ) =>
      new Counter({
        name: `malipo_message_spool_${name}_total`,
        help,
        labelNames: label === '' ? [] : [label],
        registers: [registry],
        collect() {
          this.reset()
          for (const [word, count] of Object.entries(values(figures())))
            this.inc(label === '' ? {} : { [label]: word }, count)
        },
      })
    gauge(
      'messages',
      'Messages of operators on the disk of this process that PostgreSQL does not have yet.',
      (now) => now.messages,
    )
    gauge('bytes', 'What they take of MALIPO_SPOOL_MIB.', (now) => now.bytes)
    gauge('oldest_seconds', 'How long the oldest of them may have waited; 0 when none waits.', ({ oldestAt }) =>
      oldestAt === undefined ? 0 : Math.max(clock.now().getTime() - oldestAt, 0) / 1000,
    )
    gauge('writable', '1 while messages can be spooled; 0: full, or no folder.', ({ fault }) =>
      fault === undefined ? 1 : 0,
    )
    counter('spooled', 'Messages that were spooled because PostgreSQL did not take them in time.', ({ spooled }) => ({
      spooled,
    }))
    counter('refused', 'Messages that neither PostgreSQL nor the spool took: they got 503.', ({ refused }) => ({
      refused,
    }))
    counter(
      'replayed',
      'Messages that left the spool, by what the database said: stored, known, unknown_order, too_many.',
      ({ replayed }) => replayed,
      'reception',
    )
    counter(
      'dropped',
      'Records that could not be read: torn (not written to the end, not acknowledged), corrupt (damaged, the file is kept).',
      ({ torn, corrupt }) => ({ torn, corrupt }),
      'reason',
    )
  },
})
