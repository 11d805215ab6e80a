import { measureRsaSigning } from '../peers/rsa.ts'
import { wholeNumber } from '../report.ts'
import { atLeastRate, atMost, rate, type Section } from '../section.ts'
import { keepsUp, live, stagePayments } from './end-to-end.ts'

const LASTS_MS = 600_000
const TARGETS = { paymentsPerSecond: 2_200, backlogMs: 2_000 }
/** Everything other than signing, most of it PostgreSQL, takes about four times as long as a signature. */
const SHARE_OF_RSA = 0.2

/** A rate sustained for ten seconds may still build up a backlog: checkpoints, vacuum and the history come later. */
export const enduranceSection: Section = {
  name: 'endurance',
  what: `whole payments for ${LASTS_MS / 60_000} minutes at one rate`,
  async run(step) {
    const stage = await stagePayments()
    step('RSA signing alone')
    const rsa = await measureRsaSigning(3)
    const perSecond = Math.min(TARGETS.paymentsPerSecond, Math.round((SHARE_OF_RSA * rsa.perSecond) / 10) * 10)
    step(`${perSecond} per second, for ${LASTS_MS / 60_000} minutes`)
    const payments = await live(stage, perSecond, LASTS_MS)
    await stage.stop()
    const wrong = payments.load.failed + payments.lost + payments.wrongSignatures
    return {
      figures: [
        {
          name: `whole payments, offered ${rate(perSecond)}`,
          peer: `RSA-2048 alone ${rate(rsa.perSecond)}`,
          ratio: payments.paymentsPerSecond / rsa.perSecond,
          ...atLeastRate(TARGETS.paymentsPerSecond, payments.paymentsPerSecond),
        },
        { name: '  kept up with', value: keepsUp(payments) ? 'yes' : 'no' },
        { name: '  backlog age, 99th percentile', ...atMost(TARGETS.backlogMs, 'ms', payments.backlogP99Ms) },
        {
          name: "  a life without the rail's second, median / 99th percentile",
          value: `${wholeNumber(payments.lifeP50Ms)} / ${wholeNumber(payments.lifeP99Ms)} ms`,
        },
        {
          name: '  first callback attempt after final, median / 99th percentile',
          value: `${wholeNumber(payments.firstAttemptP50Ms)} / ${wholeNumber(payments.firstAttemptP99Ms)} ms`,
        },
        { name: 'lost payments, wrong signatures, unexpected replies', ...atMost(0, 'of them', wrong) },
      ],
      notes: [
        `Offered: ${SHARE_OF_RSA} of what RSA alone signs in the same run, ${wholeNumber(TARGETS.paymentsPerSecond)}/s at most.`,
      ],
      raw: { rsa, payments },
    }
  },
}
