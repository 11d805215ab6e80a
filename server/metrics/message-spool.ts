import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../actions/ports/clock.ts'
import type { SpoolFigures } from '../actions/ports/message-spool.ts'

export interface MessageSpoolMetrics {
  /** Reports the spool of this process from now on. */
  watchMessageSpool(figures: () => SpoolFigures): void
}

interface MetricDescription {
  readonly name: string
  readonly help: string
}

/** The waiting messages in the spool of operator messages: each process reports its own. */
export const messageSpoolMetrics = (registry: Registry, clock: Clock): MessageSpoolMetrics => ({
  watchMessageSpool(figures) {
    const registers = [registry]
    for (const { value, ...described } of gaugesAt(clock))
      new Gauge({
        ...described,
        registers,
        collect() {
          this.set(value(figures()))
        },
      })
    for (const { value, ...described } of TOTALS)
      new Counter({
        ...described,
        registers,
        collect() {
          this.reset()
          this.inc(value(figures()))
        },
      })
    for (const { label, values, ...described } of TOTALS_BY_LABEL)
      new Counter({
        ...described,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [word, count] of Object.entries(values(figures()))) this.inc({ [label]: word }, count)
        },
      })
  },
})

const gaugesAt = (clock: Clock): readonly (MetricDescription & { readonly value: (now: SpoolFigures) => number })[] => [
  {
    name: 'malipo_message_spool_messages',
    help: 'Messages of operators in the spool of this process that PostgreSQL does not have yet.',
    value: ({ messages }) => messages,
  },
  {
    name: 'malipo_message_spool_bytes',
    help: 'How much of MALIPO_SPOOL_MIB they take.',
    value: ({ bytes }) => bytes,
  },
  {
    name: 'malipo_message_spool_oldest_seconds',
    help: 'How long the oldest of them may have waited; 0 when none waits.',
    value: ({ oldestAt }) => (oldestAt === undefined ? 0 : Math.max(clock.now().getTime() - oldestAt, 0) / 1000),
  },
  {
    name: 'malipo_message_spool_writable',
    help: '1 while messages can be spooled; 0: it is full, or its folder cannot be written.',
    value: ({ fault }) => (fault === undefined ? 1 : 0),
  },
]

const TOTALS: readonly (MetricDescription & { readonly value: (now: SpoolFigures) => number })[] = [
  {
    name: 'malipo_message_spool_spooled_total',
    help: 'Messages that were spooled because PostgreSQL did not take them in time.',
    value: ({ spooled }) => spooled,
  },
  {
    name: 'malipo_message_spool_refused_total',
    help: 'Messages that neither PostgreSQL nor the spool took: they got 503.',
    value: ({ refused }) => refused,
  },
]

const TOTALS_BY_LABEL: readonly (MetricDescription & {
  readonly label: string
  readonly values: (now: SpoolFigures) => Readonly<Record<string, number>>
})[] = [
  {
    name: 'malipo_message_spool_replayed_total',
    help: 'Messages that left the spool, by the result in the database: stored, known, unknown_order, too_many.',
    label: 'reception',
    values: ({ replayed }) => replayed,
  },
  {
    name: 'malipo_message_spool_dropped_total',
    help: 'Records that cannot be read: torn (not written to the end, not acknowledged), corrupt (damaged, the file is kept).',
    label: 'reason',
    values: ({ torn, corrupt }) => ({ torn, corrupt }),
  },
]
