import { Counter, Histogram, type Registry } from 'prom-client'
import type { HandshakeSender } from '../actions/ports/handshakes.ts'
import { nextHandshakeStep, type HandshakeStep } from '../domain/handshake.ts'

const ANSWERS = { confirmed: 'confirmed', failed: 'refused', retry: 'unanswered' } satisfies Record<
  HandshakeStep['step'],
  string
>

/**
 * Counts and times each question to a merchant's verification URL separately: for a first question, `failed` can only
 * mean that the merchant refused.
 */
export function handshakeMetrics(registry: Registry): (handshakes: HandshakeSender) => HandshakeSender {
  const answers = new Counter({
    name: 'malipo_handshake_answers_total',
    help: 'Handshakes with verification URLs by result: confirmed (2xx), refused (4xx but 408, 425 and 429), unanswered (anything else).',
    labelNames: ['answer'],
    registers: [registry],
  })
  for (const answer of Object.values(ANSWERS)) answers.inc({ answer }, 0)
  const durations = new Histogram({
    name: 'malipo_handshake_duration_seconds',
    help: 'Time of one handshake with a verification URL, until a reply or the timeout.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  return (handshakes) => ({
    async request(question) {
      const delivery = await handshakes.request(question)
      answers.inc({ answer: ANSWERS[nextHandshakeStep(delivery.httpStatus, 1).step] })
      durations.observe(delivery.durationMs / 1000)
      return delivery
    },
  })
}
