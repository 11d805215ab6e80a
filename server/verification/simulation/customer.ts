import { cancelPayment, confirmPayment, sendNewOtp, submitOtp } from '../../actions/payment-steps.ts'
import { triesAgain } from './attempts.ts'
import type { Steps } from './habits.ts'
import type { SimulatedDeps } from './process.ts'
import { ACCOUNT_BOUNDS, BANK_CODE } from './reference.ts'
import { ignoreRefusal, MINUTE, SECOND, type Stage } from './stage.ts'

/**
 * A customer on the payment page: completes it, submits twice by a double click, changes their mind, leaves, or comes
 * too late.
 */
export async function customer(
  stage: Stage,
  internalReference: string,
  kind: Steps,
  offersRetries: boolean,
): Promise<void> {
  const { choices } = stage
  const choice = kind === 'bank' ? { bankCode: BANK_CODE, accountNumber: '0123456789' } : undefined
  const step = (run: (deps: SimulatedDeps) => Promise<unknown>) => () => stage.insist(run).catch(ignoreRefusal)
  const confirm = step((deps) => confirmPayment(deps, internalReference, choice))
  const cancel = step((deps) => cancelPayment(deps, internalReference))
  const act = async (): Promise<void> => {
    if (kind !== 'otp') await confirm()
    if (kind === 'otp' || kind === 'otp_page') await enterOtp(stage, internalReference)
  }
  await stage.gateway.scheduler.sleep(choices.of(SECOND, 4 * MINUTE, 29 * MINUTE + 59 * SECOND, 31 * MINUTE))
  const whim = choices.rarely(0.5, 5)
  if (whim === 1) return
  const first = whim === 2 ? cancel : act
  const twins = [...(whim === 3 ? [act] : []), ...(whim === 4 ? [cancel] : [])]
  await Promise.all([first, ...twins].map((run) => run()))
  if (offersRetries) await triesAgain(stage, internalReference, () => enterOtp(stage, internalReference))
}

/** Waits for the message, requests another OTP, mistypes it. */
async function enterOtp(stage: Stage, internalReference: string): Promise<void> {
  const {
    choices,
    gateway: { phones, scheduler },
  } = stage
  const newest = () => phones.newest(internalReference, ACCOUNT_BOUNDS.otpSendsMax)
  for (let polls = 0; polls < 5 && newest() === undefined; polls += 1) await scheduler.sleep(20 * SECOND)
  if (choices.rarely(0.2) === 1) {
    await scheduler.sleep(choices.of(31 * SECOND, SECOND))
    await stage.insist((deps) => sendNewOtp(deps, internalReference)).catch(ignoreRefusal)
    await scheduler.sleep(20 * SECOND)
  }
  for (let tries = choices.of(2, 1, 5); tries > 0; tries -= 1) {
    const otp = (newest() ?? 0) + choices.rarely(0.3)
    const result = await stage.insist((deps) => submitOtp(deps, internalReference, otp)).catch(ignoreRefusal)
    if (result !== 'wrong') return
  }
}
