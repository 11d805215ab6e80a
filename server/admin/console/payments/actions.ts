import type { FastifyInstance } from 'fastify'
import { FAILURE_CODES } from '../../../domain/failure-code.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { actionForm, type Field } from '../look/form.ts'
import { refusalTitle } from '../look/page.ts'
import { button, facts, section } from '../look/values.ts'
import type { SayOf } from '../look/viewer.ts'
import { amountOf } from './amounts.ts'
import { serveRefunds } from './refund.ts'
import { TEXTS } from './texts.ts'
import { html } from 'ghtml'

type Texts = SayOf<typeof TEXTS>

const pathOf = ({ params }: Opened): string => `/payments/${params['payment'] ?? ''}`
const idOf = ({ params }: Opened): string => params['payment'] ?? ''

interface Failed {
  readonly fields: URLSearchParams
  readonly message: string
}

/** What was typed, and what is wrong by the field that the message begins with. */
const again = (failed: Failed | undefined, names: readonly string[]) =>
  failed && {
    values: Object.fromEntries(failed.fields),
    errors: { [names.find((name) => failed.message.startsWith(`${name} `)) ?? '']: failed.message },
  }

/** What people do about a payment: see its customer, decide it, send its callbacks again. */
export function servePaymentActions(app: FastifyInstance, deps: ConsoleDeps): void {
  const routes = consoleRoutes(app, deps)
  serveFull(routes)
  serveResolve(routes)
  serveResend(routes)
  serveRefunds(app, deps)
}

type Routes = ReturnType<typeof consoleRoutes>

function serveFull({ page, form }: Routes): void {
  page({ url: '/payments/:payment/full', at: 'payments', handle: async (opened) => fullForm(opened) })
  form({
    url: '/payments/:payment/full',
    at: 'payments',
    needs: 'session',
    async handle(opened, fields) {
      const { viewer, change } = opened
      const say = viewer.texts(TEXTS)
      const body = { reason: fields.get('reason')?.trim() }
      const shown = await change('showFullPayment', { params: { payment: idOf(opened) }, body })
      if (shown.ok !== true) return fullForm(opened, { fields, message: shown.ok === false ? shown.message : '' })
      const payment = shown.data
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
  })
}

function serveResolve({ page, form }: Routes): void {
  page({ url: '/payments/:payment/resolve', at: 'payments', needs: 'recent', handle: (opened) => resolveForm(opened) })
  form({
    url: '/payments/:payment/resolve',
    at: 'payments',
    needs: 'recent',
    async handle(opened, fields) {
      const { viewer, change, done, idempotencyKey: key } = opened
      const say = viewer.texts(TEXTS)
      const typed = (name: string): string | undefined => fields.get(name)?.trim() || undefined
      const isFailed = typed('status') === 'FAILED'
      const decided = await change('resolvePayment', {
        params: { payment: idOf(opened) },
        body: {
          status: typed('status'),
          reason: typed('reason'),
          ...(isFailed && { message: typed('message'), code: typed('code') }),
        },
        key,
      })
      if (decided.ok === true) return done(pathOf(opened), say('decided'))
      if (decided.ok === 'waits') return done(pathOf(opened), say('waits', { id: decided.approvalId }))
      return resolveForm(opened, { fields, message: decided.message })
    },
  })
}

function serveResend({ form }: Routes): void {
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

/** The role of this person has no such form. */
const notYours = ({ viewer, reply }: Opened) => {
  reply.code(403)
  return { title: viewer.say('notAllowed'), content: '' }
}

/** A button did not work: why, and the way back. */
const refused = (opened: Opened, status: number, text: string) => ({
  title: refusalTitle(opened.viewer, status),
  flash: { kind: 'failed' as const, text },
  content: html`<p>!${button({ href: pathOf(opened), text: opened.viewer.say('goBack') })}</p>`,
})

function fullForm(opened: Opened, failed?: Failed) {
  if (!opened.may('transaction show --full')) return notYours(opened)
  const { viewer, formToken, idempotencyKey } = opened
  const say = viewer.texts(TEXTS)
  return {
    title: say('fullTitle'),
    back: { href: pathOf(opened), text: say('payment') },
    content: section(
      undefined,
      actionForm(viewer, {
        action: `${pathOf(opened)}/full`,
        formToken,
        idempotencyKey,
        willHappen: say('fullWill'),
        asksReason: true,
        submit: say('show'),
        cancel: pathOf(opened),
        ...again(failed, ['reason']),
      }),
    ),
  }
}

async function resolveForm(opened: Opened, failed?: Failed) {
  if (!opened.may('transaction resolve')) return notYours(opened)
  const { viewer, formToken, idempotencyKey, show } = opened
  const say = viewer.texts(TEXTS)
  const { payment } = await show('showPayment', { params: { payment: idOf(opened) } })
  const { merchant_reference: reference } = payment
  return {
    title: say('resolveTitle', { reference }),
    back: { href: pathOf(opened), text: reference },
    content: section(
      amountOf(viewer, payment),
      actionForm(viewer, {
        action: `${pathOf(opened)}/resolve`,
        formToken,
        idempotencyKey,
        willHappen: say('resolveWill'),
        fields: decisionFields(say),
        asksReason: true,
        submit: say('decide'),
        isDangerous: true,
        cancel: pathOf(opened),
        ...again(failed, ['reason', 'message', 'code', 'status']),
      }),
    ),
  }
}

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
