import fc from 'fast-check'
import { press, SANDBOX_OTP, WRONG_OTP } from '../../driver/customer.ts'
import { postRequest, sendRequest, verifyRequest } from '../../driver/requests.ts'
import { observe } from './observe.ts'
import { cancel, confirm, enterOtp, pass } from './outcomes.ts'
import { collections, draftOf, exhausting, payouts, withOtp, type Recipe } from './recipes.ts'
import { submit } from './submit.ts'
import { hold, isWaiting, optionName, type ModelRun, type Payment } from './world.ts'

/** A step of a run; without a payment or option that it needs it does nothing. */
export type Command = (run: ModelRun) => Promise<void>

/** Afterwards the payments that may have changed are verified. */
const observed =
  (command: Command): Command =>
  async (run) => {
    await command(run)
    await observe(
      run,
      run.payments.filter(({ mayTurn, ended }) => mayTurn || ended.size === 0),
    )
  }

/** The same number picks the same payment, however many candidates there are. */
const pick = (payments: readonly Payment[], n: number): Payment | undefined =>
  payments[n % Math.max(payments.length, 1)]

/** Concurrent requests: with a reference each, with one reference for all, or with that of an earlier payment. */
const requests = (
  recipes: fc.Arbitrary<Recipe>,
  { min = 1, max = min, references }: { min?: number; max?: number; references: 'new' | 'one' | 'used' },
): fc.Arbitrary<Command> =>
  fc.tuple(recipes, fc.integer({ min, max }), fc.nat(99)).map(([recipe, count, n]) => async (run) => {
    const { type, option } = recipe
    if (!run.limits.has(optionName({ ...option, type }))) return
    const used = references === 'used' ? pick(run.payments, n)?.reference : undefined
    const first = draftOf(run, recipe, used)
    const others = Array.from({ length: count - 1 }, () =>
      draftOf(run, recipe, references === 'new' ? undefined : first.reference),
    )
    await submit(run, [first, ...others])
  })

/** The merchant's own form submits an OTP, perhaps several times at once. */
const authorizes = fc
  .tuple(fc.nat(99), fc.boolean(), fc.integer({ min: 1, max: 3 }))
  .map(([n, isRight, times]): Command => async (run) => {
    const all = run.payments.filter(({ type }) => type === 'COLLECTION')
    const waiting = all.filter(({ stage }) => stage.at === 'otp')
    const payment = pick(n % 4 === 0 || waiting.length === 0 ? all : waiting, n)
    if (!payment) return
    const otp = isRight ? SANDBOX_OTP : WRONG_OTP
    const request = postRequest(run.target, 'authorizeCollection', {
      internal_reference: payment.internalReference,
      otp,
    })
    const replies = await Promise.all(Array.from({ length: times }, () => sendRequest(run.target.url, request)))
    const came = inOrder(replies.map(({ status }) => status))
    run.story.push(`authorize ${payment.reference} with ${otp} → ${came}`)
    const expected = inOrder(
      replies.map(() => {
        const isAccepted = enterOtp(payment, isRight, run.now)
        if (isAccepted === undefined) return 409
        return isAccepted ? 202 : 400
      }),
    )
    const what = `${times} times the ${isRight ? 'right' : 'wrong'} OTP for ${payment.reference} was answered ${came}, not ${expected}`
    hold(run, 'a one-time password counts once, and has five tries', came === expected, what)
  })

const inOrder = (statuses: readonly number[]): string => statuses.toSorted((one, other) => one - other).join(', ')

type PageStep = 'continues' | 'enters a wrong OTP' | 'cancels' | 'continues and cancels at once'
const pageSteps = fc.oneof(
  { weight: 6, arbitrary: fc.constant<PageStep>('continues') },
  { weight: 2, arbitrary: fc.constant<PageStep>('enters a wrong OTP') },
  { weight: 2, arbitrary: fc.constant<PageStep>('cancels') },
  { weight: 3, arbitrary: fc.constant<PageStep>('continues and cancels at once') },
)

/** The customer submits the form that the payment page shows: the confirmation, then the OTP. */
const usesPage = fc.tuple(fc.nat(99), pageSteps).map(([n, step]): Command => async (run) => {
  const payment = pick(
    run.payments.filter((each) => each.isHosted && isWaiting(each)),
    n,
  )
  if (!payment?.customer) return
  const { customer, reference, pageAccount: account } = payment
  run.story.push(`the customer of ${reference} ${step} on the page`)
  const isRight = step !== 'enters a wrong OTP'
  const otp = isRight ? SANDBOX_OTP : WRONG_OTP
  await Promise.all([
    step === 'cancels' ? undefined : press(customer, 'pay', { otp, account }),
    step.includes('cancels') ? press(customer, 'cancel') : undefined,
  ])
  const { data } = await sendRequest(run.target.url, verifyRequest(run.target, reference))
  // Of two tabs either may be first, and the payment takes only one of the two ways.
  const isCancelled = step === 'cancels' || (step.includes('cancels') && data['transaction_status'] === 'CANCELLED')
  if (isCancelled) return cancel(payment)
  if (payment.stage.at === 'confirmation') confirm(run, payment)
  else enterOtp(payment, isRight, run.now)
})

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const STEPS: readonly (readonly [words: string, ms: number])[] = [
  ['no time', 0],
  ['a second', SECOND_MS],
  ['3 seconds', 3 * SECOND_MS],
  ['61 seconds', 61 * SECOND_MS],
  ['5 minutes', 5 * MINUTE_MS],
  ['31 minutes', 31 * MINUTE_MS],
  ['25 hours', 25 * 60 * MINUTE_MS],
]

const passesTime = fc.constantFrom(...STEPS, ...STEPS.slice(0, 4)).map(([words, ms]): Command => async (run) => {
  run.story.push(run.own ? `${words} go by, and what is due is done` : 'a moment goes by')
  await pass(run, ms)
})

const restarts: Command = async ({ own, story }) => {
  story.push('the server restarts')
  await own?.restart()
}

/** @param isOwn only the model moves the server's clock, and it controls page and restarts too */
export function anyCommand(isOwn: boolean): fc.Arbitrary<Command> {
  const anything = fc.oneof(collections(isOwn), payouts(isOwn))
  return fc
    .oneof(
      { weight: 12, arbitrary: requests(collections(isOwn), { references: 'new' }) },
      { weight: 5, arbitrary: requests(withOtp(isOwn), { references: 'new' }) },
      { weight: 10, arbitrary: requests(payouts(isOwn), { references: 'new' }) },
      { weight: 4, arbitrary: requests(anything, { references: 'used' }) },
      { weight: 4, arbitrary: requests(anything, { min: 2, max: 4, references: 'one' }) },
      { weight: 4, arbitrary: requests(anything, { min: 2, max: 5, references: 'new' }) },
      { weight: 14, arbitrary: passesTime },
      { weight: 10, arbitrary: authorizes },
      { weight: isOwn ? 15 : 0, arbitrary: usesPage },
      { weight: isOwn ? 5 : 0, arbitrary: requests(exhausting(), { max: 4, references: 'new' }) },
      { weight: isOwn ? 1 : 0, arbitrary: fc.constant(restarts) },
    )
    .map(observed)
}
