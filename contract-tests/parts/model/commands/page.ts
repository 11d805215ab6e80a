import fc from 'fast-check'
import { fieldsOf, sendForms, stepWords, take, type PageStep } from '../customer.ts'
import { customers, endings } from '../draft.ts'
import { isHosted, type Payment } from '../payment.ts'
import { command, pick, type Command } from './command.ts'

const confirms: fc.Arbitrary<PageStep> = fc.record({
  form: fc.constant('confirm' as const),
  customer: customers,
  ending: endings(true),
})
const steps = fc.oneof<fc.WeightedArbitrary<PageStep>[]>(
  { weight: 5, arbitrary: confirms },
  { weight: 3, arbitrary: fc.boolean().map((right) => ({ form: 'otp' as const, right })) },
  { weight: 2, arbitrary: fc.constant({ form: 'cancel' as const }) },
)

const hosted = (payments: readonly Payment[]): Payment[] => payments.filter(isHosted)
const waiting = (payments: readonly Payment[]): Payment[] =>
  payments.filter(({ stage }) => stage.at === 'confirmation' || stage.at === 'otp')

/** The customer submits a form of the payment page, mostly the expected one, sometimes from an old tab. */
export const usesPage = (): fc.Arbitrary<Command> =>
  fc.tuple(fc.nat(99), steps, fc.boolean()).map(([n, step, fits]) =>
    command({
      words: `the customer of hosted collection ${n} ${stepWords(step)}`,
      ready: ({ payments }) => hosted(payments).length > 0,
      async run(model, real) {
        const open = waiting(hosted(model.payments))
        const payment = pick(fits && open.length > 0 ? open : hosted(model.payments), n)
        const done: PageStep =
          fits && payment.stage.at === 'otp' && step.form === 'confirm' ? { form: 'otp', right: true } : step
        const statuses = await sendForms(real, payment, [done], (one) => fieldsOf(model, payment, one))
        if (!statuses) return 'nothing'
        model.story.push(`the customer of ${payment.reference} ${stepWords(done)} → ${statuses.join()}`)
        const expected = take(model, real, payment, done)
        real.rules.hold(
          'the payment page takes each step once',
          statuses[0] === expected,
          `the customer of ${payment.reference} ${stepWords(done)}: answered ${statuses[0]}, not ${expected}`,
        )
        return 'states'
      },
    }),
  )

/** Two tabs at once: one confirms, one cancels. Either may be first, and the payment takes only one of the two ways. */
export const confirmsAndCancels = (): fc.Arbitrary<Command> =>
  fc.tuple(fc.nat(99), confirms).map(([n, confirm]) =>
    command({
      words: `the customer of hosted collection ${n} confirms and cancels at once`,
      ready: ({ payments }) => waiting(hosted(payments)).some(({ stage }) => stage.at === 'confirmation'),
      async run(model, real) {
        const payment = pick(
          waiting(hosted(model.payments)).filter(({ stage }) => stage.at === 'confirmation'),
          n,
        )
        const cancel: PageStep = { form: 'cancel' }
        const statuses = await sendForms(real, payment, [confirm, cancel], (one) => fieldsOf(model, payment, one))
        const { transaction_status: status, transaction_account: account } = await real.malipo.transactions.verify(
          payment.reference,
        )
        model.story.push(
          `the customer of ${payment.reference} confirms and cancels at once → ${String(statuses)}, ${status}`,
        )
        // The cancellation may still follow a confirmation that leads to an OTP, and a chosen account stays chosen.
        if (status !== 'CANCELLED' || account !== payment.account) take(model, real, payment, confirm)
        if (status === 'CANCELLED') take(model, real, payment, cancel)
        return 'states'
      },
    }),
  )
