import type { FastifyInstance } from 'fastify'
import { FAILURE_CODES } from '../../../domain/failure-code.ts'
import { consoleRoutes, Refused, type ConsoleDeps, type Opened } from '../console-routes.ts'
import type { Field } from '../look/form.ts'
import { refusalTitle } from '../look/page.ts'
import { button, facts, section } from '../look/values.ts'
import type { SayOf } from '../look/viewer.ts'
import { filledIn, serveTask, type Task } from '../task.ts'
import { amountOf } from './amounts.ts'
import { serveRefunds } from './refund.ts'
import { TEXTS } from './texts.ts'
import { html } from 'ghtml'

type Texts = SayOf<typeof TEXTS>

const pathOf = ({ params }: Opened): string => `/payments/${params['payment'] ?? ''}`
const idOf = ({ params }: Opened): string => params['payment'] ?? ''

/** What people do about a payment: see its customer, decide it, send its callbacks again. */
export function servePaymentActions(app: FastifyInstance, deps: ConsoleDeps): void {
  serveTask(app, deps, FULL)
  serveTask(app, deps, RESOLVE)
  serveResend(consoleRoutes(app, deps))
  serveRefunds(app, deps)
}

const FULL: Task<'showFullPayment'> = {
  url: '/payments/:payment/full',
  at: 'payments',
  needs: 'session',
  operation: 'showFullPayment',
  isKeyless: true,
  async form(opened) {
    mustBeAllowed(opened, 'transaction show --full')
    const say = opened.viewer.texts(TEXTS)
    return {
      title: say('fullTitle'),
      back: { href: pathOf(opened), text: say('payment') },
      willHappen: say('fullWill'),
      asksReason: true,
      submit: say('show'),
    }
  },
  input: (fields, opened) => ({ params: { payment: idOf(opened) }, body: { reason: fields.get('reason')?.trim() } }),
  done(opened, payment) {
    const { viewer } = opened
    const say = viewer.texts(TEXTS)
    const text = (value: string | undefined) => (value === undefined ? undefined : html`${value}`)
    return {
      title: payment.merchant_reference,
      back: { href: pathOf(opened), text: payment.merchant_reference },
      content: section(
        say('shownOnce'),
        facts([
          { name: say('account'), value: html`<code class="copyable">${payment.transaction_account}</code>` },
          { name: say('customer'), value: text(payment.customer_name) },
          { name: say('email'), value: text(payment.customer_email) },
          { name: say('amount'), value: text(amountOf(viewer, payment)) },
        ]),
      ),
    }
  },
}

const RESOLVE: Task<'resolvePayment'> = {
  url: '/payments/:payment/resolve',
  at: 'payments',
  needs: 'recent',
  operation: 'resolvePayment',
  async form(opened) {
    mustBeAllowed(opened, 'transaction resolve')
    const { viewer, show } = opened
    const say = viewer.texts(TEXTS)
    const { payment } = await show('showPayment', { params: { payment: idOf(opened) } })
    const { merchant_reference: reference } = payment
    return {
      title: say('resolveTitle', { reference }),
      subtitle: amountOf(viewer, payment),
      back: { href: pathOf(opened), text: reference },
      willHappen: say('resolveWill'),
      fields: decisionFields(say),
      asksReason: true,
      submit: say('decide'),
      isDangerous: true,
    }
  },
  input(fields, opened) {
    const { message, code, ...decision } = filledIn(fields, 'status', 'reason', 'message', 'code')
    const body = { ...decision, ...(decision.status === 'FAILED' && { message, code }) }
    return { params: { payment: idOf(opened) }, body }
  },
  done: (opened) => opened.done(pathOf(opened), opened.viewer.texts(TEXTS)('decided')),
  waits: (opened, id) => opened.done(pathOf(opened), opened.viewer.texts(TEXTS)('waits', { id })),
}

function serveResend({ form }: ReturnType<typeof consoleRoutes>): void {
  form({
    url: '/payments/:payment/resend',
    at: 'payments',
    needs: 'session',
    async handle(opened) {
      const { viewer, change, done, idempotencyKey: key } = opened
      const sent = await change('resendCallbacksOfPayment', { params: { payment: idOf(opened) }, body: {}, key })
      if (sent.ok === true) return done(pathOf(opened), viewer.texts(TEXTS).counted('resent', sent.data.callbacks ?? 0))
      return sent.ok === 'waits' ? done(pathOf(opened), '') : refused(opened, sent.status, sent.message)
    },
  })
}

/** @throws Refused when the role of this person has no such form */
function mustBeAllowed({ may }: Opened, operation: string): void {
  if (!may(operation)) throw new Refused(403, '')
}

/** A button did not work: why, and the way back. */
const refused = (opened: Opened, status: number, text: string) => ({
  title: refusalTitle(opened.viewer, status),
  flash: { kind: 'failed' as const, text },
  content: html`<p>!${button({ href: pathOf(opened), text: opened.viewer.say('goBack') })}</p>`,
})

const decisionFields = (say: Texts): readonly Field[] => [
  {
    name: 'status',
    label: say('decision'),
    type: 'select',
    options: [
      ['FAILED', say('notMoved')],
      ['COMPLETED', say('moved')],
    ],
  },
  { name: 'message', label: say('message'), hint: say('messageHint'), isOptional: true, lengthMax: 200 },
  {
    name: 'code',
    label: say('code'),
    type: 'select',
    isOptional: true,
    options: [['', say('none')], ...Object.keys(FAILURE_CODES).map((code) => [code, code] as const)],
  },
]
