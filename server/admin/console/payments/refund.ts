import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { money, moneyFromWire } from '../../../domain/money.ts'
import type { AdminData } from '../../api/handler.ts'
import type { ConsoleDeps, Opened } from '../console-routes.ts'
import { facts, section, statusBadge } from '../look/values.ts'
import type { SayOf, Viewer } from '../look/viewer.ts'
import { filledIn, serveTask, type Task } from '../task.ts'
import { amountOf } from './amounts.ts'
import { TEXTS } from './texts.ts'

type Texts = SayOf<typeof TEXTS>
type Details = AdminData<'showPayment'>

const idOf = ({ params }: Opened): string => params['payment'] ?? ''

/** The payment, and the page that its tasks lead back to. */
async function subjectOf(opened: Opened) {
  const { payment, refunds } = await opened.show('showPayment', { params: { payment: idOf(opened) } })
  const { id, merchant_reference: reference } = payment
  return { payment, refunds, reference, back: { href: `/payments/${id}`, text: reference } }
}

const requested = (viewer: Viewer, { payment }: Pick<Details, 'payment'>, amount: number): string =>
  viewer.money(amount === 0 ? money(0n, payment.request_currency) : moneyFromWire(amount, payment.request_currency))

/** A customer gets money back. */
const REFUND: Task<'refundPayment'> = {
  url: '/payments/:payment/refund',
  at: 'payments',
  needs: 'recent',
  operation: 'refundPayment',
  async form(opened) {
    const { viewer } = opened
    const say = viewer.texts(TEXTS)
    const { payment, refunds, reference, back } = await subjectOf(opened)
    const left = requested(viewer, { payment }, refunds?.left_amount ?? 0)
    return {
      title: say('refundTitle', { reference }),
      back,
      willHappen: say('refundWill', { account: payment.transaction_account.replace(/^\*+/, '••• '), left }),
      fields: [
        {
          name: 'amount',
          label: say('amount'),
          hint: say('refundAmountHint', { left }),
          type: 'amount',
          isOptional: true,
        },
        { name: 'reason', label: viewer.say('reason'), hint: say('refundReasonHint'), lengthMin: 3, lengthMax: 100 },
      ],
      submit: say('transaction refund'),
    }
  },
  input: (fields, opened) => ({
    params: { payment: idOf(opened) },
    body: { ...filledIn(fields, 'amount'), reason: fields.get('reason')?.trim() ?? '' },
  }),
  done: (opened, { internal_reference: reference = '' }) =>
    opened.done(`/payments/${reference}`, opened.viewer.texts(TEXTS)('refundDone')),
}

/** A payout that waits is not sent. */
const CANCEL: Task<'cancelPayment'> = {
  url: '/payments/:payment/cancel',
  at: 'payments',
  needs: 'session',
  operation: 'cancelPayment',
  async form(opened) {
    const say = opened.viewer.texts(TEXTS)
    const { payment, reference, back } = await subjectOf(opened)
    return {
      title: say('cancelTitle', { reference }),
      back,
      willHappen: say('cancelWill', { amount: amountOf(opened.viewer, payment) }),
      asksReason: true,
      submit: say('transaction cancel'),
      isDangerous: true,
    }
  },
  input: (fields, opened) => ({
    params: { payment: idOf(opened) },
    body: { reason: fields.get('reason')?.trim() ?? '' },
  }),
  done: (opened) => opened.done(`/payments/${idOf(opened)}`, opened.viewer.texts(TEXTS)('cancelDone')),
}

/** Gives money back, and keeps a payout from going out. */
export function serveRefunds(app: FastifyInstance, deps: ConsoleDeps): void {
  serveTask(app, deps, REFUND)
  serveTask(app, deps, CANCEL)
}

/** The refunds of a collection, and their sum. */
export function refundsSection(viewer: Viewer, say: Texts, { payment, refunds }: Details): string {
  if (!refunds || refunds.items.length === 0) return ''
  const amount = (value: number) => html`<span class="money">${requested(viewer, { payment }, value)}</span>`
  return section(
    say('refunds'),
    facts([
      ...refunds.items.map(({ merchant_reference: name, internal_reference: reference, ...refund }) => ({
        name,
        value: html`!${amount(refund.request_amount)} !${statusBadge(refund.transaction_status)} <a class="quiet" href="/payments/${reference}">${say('details')}</a>`,
      })),
      { name: say('refunded'), value: amount(refunds.refunded_amount) },
      { name: say('leftToRefund'), value: amount(refunds.left_amount) },
    ]),
  )
}
