import fc from 'fast-check'
import { DAY_MS, isAwayAtFirst, PAGE_LIFETIME_MS } from '../payment.ts'
import type { PaymentModel, SystemUnderTest } from '../world.ts'
import { command, type Command } from './command.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const STEPS: readonly (readonly [ms: number, words: string])[] = [
  [0, 'no time'],
  [SECOND, 'a second'],
  [3 * SECOND, '3 seconds'],
  [61 * SECOND, '61 seconds'],
  [5 * MINUTE, '5 minutes'],
  [31 * MINUTE, '31 minutes'],
  [25 * 60 * MINUTE, '25 hours'],
]
/** One wait on another server. */
const WAIT_MS = 400

/** Time passes and jobs run; on another server the model can only wait a little. */
export async function pass(
  model: PaymentModel,
  { target: { own } }: Pick<SystemUnderTest, 'target'>,
  ms: number,
): Promise<void> {
  if (!own) return new Promise((resolve) => setTimeout(resolve, Math.min(ms, WAIT_MS)))
  await own.advance(ms)
  model.now += ms
  for (const payment of model.payments) {
    const {
      record: { transaction_status: status },
      account,
      acceptedAt,
    } = payment
    const unaccepted = status === 'PENDING' || (status === 'PROCESSING' && isAwayAtFirst(account))
    if (unaccepted && model.now >= acceptedAt + DAY_MS) payment.mayTimeOut = true
    const waits = payment.stage.at === 'confirmation' || payment.stage.at === 'otp'
    if (payment.stage.at === 'otp') payment.stage = { at: 'otp', sentAt: payment.stage.sentAt ?? model.now }
    if (waits && model.now >= acceptedAt + PAGE_LIFETIME_MS)
      payment.stage = { at: 'ended', status: 'FAILED', message: 'Payment page expired' }
  }
}

export const passesTime = (still: boolean): fc.Arbitrary<Command> =>
  fc.constantFrom(...STEPS, ...STEPS.slice(0, 4)).map(([ms, words]) =>
    command({
      words: still ? `${words} go by` : 'a moment goes by',
      async run(model, real) {
        model.story.push(still ? `${words} go by, and what is due is done` : 'a moment goes by')
        await pass(model, real, ms)
        return 'worked'
      },
    }),
  )

export const restarts = (): fc.Arbitrary<Command> =>
  fc.constant(
    command({
      words: 'the server restarts',
      async run(model, { target: { own } }) {
        model.story.push('the server restarts')
        await own?.restart()
        return 'states'
      },
    }),
  )
