import { SANDBOX_OTP, WRONG_OTP } from '../../../driver/customer.ts'
import fc from 'fast-check'
import { MalipoError } from '../../../../client/index.ts'
import { otpFails, otpIsGood } from '../customer.ts'
import type { SystemUnderTest } from '../world.ts'
import { command, pick, type Command } from './command.ts'

/** The merchant's own form submits an OTP, perhaps twice at once. */
export const authorizes = (): fc.Arbitrary<Command> =>
  fc.tuple(fc.nat(99), fc.boolean(), fc.integer({ min: 1, max: 3 })).map(([n, right, times]) =>
    command({
      words: `${times === 1 ? '' : `${times} times at once: `}authorize collection ${n} with the ${right ? 'right' : 'wrong'} OTP`,
      ready: ({ payments }) => payments.some(({ type }) => type === 'COLLECTION'),
      async run(model, real) {
        const collections = model.payments.filter(({ type }) => type === 'COLLECTION')
        const waiting = collections.filter(({ stage }) => stage.at === 'otp')
        const payment = pick(n % 4 === 0 || waiting.length === 0 ? collections : waiting, n)
        const otp = right ? SANDBOX_OTP : WRONG_OTP
        const statuses = await Promise.all(
          Array.from({ length: times }, () => authorize(real, payment.internalReference, otp)),
        )
        model.story.push(`authorize ${payment.reference} with ${otp} → ${statuses.join(', ')}`)

        const expected: number[] = []
        for (let n = 0; n < times; n += 1) {
          if (payment.stage.at !== 'otp') expected.push(409)
          else if (right && otpIsGood(payment.stage.sentAt, model.now)) {
            payment.stage = { at: 'rail' }
            expected.push(202)
          } else {
            otpFails(payment)
            expected.push(400)
          }
        }
        real.rules.hold(
          'a one-time password counts once, and has five tries',
          inOrder(statuses) === inOrder(expected),
          `${times} times the ${right ? 'right' : 'wrong'} OTP for ${payment.reference} was answered ${statuses.join(', ')}, not ${expected.join(', ')}`,
        )
        return 'states'
      },
    }),
  )

const inOrder = (statuses: readonly number[]): string => statuses.toSorted((one, other) => one - other).join()

async function authorize({ malipo }: SystemUnderTest, internal_reference: string, otp: number): Promise<number> {
  try {
    await malipo.collections.authorize({ internal_reference, otp })
    return 202
  } catch (error) {
    if (error instanceof MalipoError && error.status !== undefined && error.status < 500) return error.status
    throw error
  }
}
