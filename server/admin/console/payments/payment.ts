import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { moneyFromWire } from '../../../domain/money.ts'
import { STATUS_MESSAGES } from '../../../domain/transaction.ts'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { known } from '../look/known.ts'
import {
  button,
  copyable,
  facts,
  maskedAccount,
  section,
  statusBadge,
  timeline,
  when,
  type Event,
  type Tone,
} from '../look/values.ts'
import type { SayOf, Viewer } from '../look/viewer.ts'
import { amountOf, inCurrency, type Payment } from './amounts.ts'
import { callbackBadge, resendForm } from './callback-parts.ts'
import { refundsSection } from './refund.ts'
import { TEXTS } from './texts.ts'

type Texts = SayOf<typeof TEXTS>
type Timeline = AdminData<'showPaymentTimeline'>
type Details = AdminData<'showPayment'>

/** In the sandbox: what the customer does, whose phone is simulated. */
async function phoneSection(
  { phone }: ConsoleDeps,
  { formToken }: Opened,
  say: Texts,
  payment: Payment,
): Promise<string> {
  const { id, transaction_type: type, internal_reference: reference } = payment
  if (!phone || !(await phone.waits(reference))) return ''
  const isCollection = type === 'COLLECTION'
  return section(
    say('sandboxOnly'),
    html`<p>${say(isCollection ? 'customerIsAsked' : 'operatorIsAsked')}</p><form method="post" action="/payments/${id}/phone" class="buttons"><input type="hidden" name="token" value="${formToken}"><button class="primary" name="decision" value="approve">${say(isCollection ? 'approve' : 'payOut')}</button><button name="decision" value="decline">${say(isCollection ? 'decline' : 'refuse')}</button></form>`,
  )
}

/** A payment: how it stands in one sentence, its money, everything that happened, and what can be done by whom. */
export function servePayment(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  page({
    url: '/payments/:payment',
    at: 'payments',
    async handle(opened) {
      const { viewer, show, params } = opened
      const say = viewer.texts(TEXTS)
      const payment = params['payment'] ?? ''
      const details = await show('showPayment', { params: { payment } })
      const phone = await phoneSection(deps, opened, say, details.payment)
      const course = await show('showPaymentTimeline', { params: { payment: details.payment.id } })
      const { merchant_reference: reference, transaction_status: status } = details.payment
      return {
        title: reference,
        heading: html`${reference} !${statusBadge(status)}`,
        back: { href: '/payments', text: viewer.say('payments') },
        content: html`<p>${sentenceOf(viewer, say, details.payment)}</p><div class="columns"><div class="columns">!${
          phone +
          actionsSection(opened, say, details) +
          factsSection(viewer, say, details) +
          moneySection(viewer, say, details.payment) +
          refundsSection(viewer, say, details)
        }!${section(say('callbacks'), callbacksOf(say, course))}</div>!${section(say('history'), timeline(viewer, eventsOf(viewer, say, course)))}</div>`,
      }
    },
  })
  form({
    url: '/payments/:payment/phone',
    at: 'payments',
    needs: 'session',
    async handle({ viewer, show, done, params }, fields) {
      const { payment } = await show('showPayment', { params: { payment: params['payment'] ?? '' } })
      const decision = fields.get('decision') === 'approve' ? 'approve' : 'decline'
      const order = { internalReference: payment.internal_reference, type: payment.transaction_type }
      const isDecided = await deps.phone?.decide(order, decision)
      return done(`/payments/${payment.id}`, viewer.texts(TEXTS)(isDecided ? 'phoneDecided' : 'noPhone'))
    },
  })
}

/** How a payment stands, in one sentence. */
function sentenceOf(viewer: Viewer, say: Texts, payment: Payment): string {
  const { transaction_status: status, transaction_type: type } = payment
  const at = viewer.moment(new Date(payment.final_at ?? payment.created_at))
  const amount = amountOf(viewer, payment)
  const total = inCurrency(viewer, payment, payment.total_credit ?? payment.total_debit ?? 0)
  if (status === 'FAILED' && payment.rail_paid_at) return say('paidNotBooked', { amount })
  const { status_message: message } = payment
  if (status === 'PENDING' && message !== STATUS_MESSAGES.pending)
    return `${say(`is PENDING ${type}`, { at })} ${known(viewer, message)}.`
  if (status === 'COMPLETED' || status === 'PENDING') return say(`is ${status} ${type}`, { amount, total, at })
  return say(`is ${status}`, { at, message: known(viewer, message) })
}

function actionsSection(opened: Opened, say: Texts, { payment, actions }: Details): string {
  const path = `/payments/${payment.id}`
  const pages: Readonly<Record<string, string>> = {
    'transaction refund': `${path}/refund`,
    'transaction cancel': `${path}/cancel`,
    'transaction resolve': `${path}/resolve`,
    'transaction show --full': `${path}/full`,
  }
  const one = ({ operation, allowed, roles }: Details['actions'][number]): string => {
    const text = say(operation as 'callback resend')
    const who = roles.length === 0 ? say('onlyStaff') : say('onlyFor', { roles: roles.join(', ') })
    if (!allowed) return html`<p>${text}: <span class="soft">${who}</span></p>`
    const href = pages[operation]
    return href === undefined ? resendForm(opened, `${path}/resend`, text) : html`<p>!${button({ href, text })}</p>`
  }
  return actions.length === 0 && !opened.may('transaction show')
    ? ''
    : section(say('actions'), actions.length === 0 ? html`<p>${say('nothing')}</p>` : actions.map(one).join(''))
}

const textFact = (name: string, value: string | undefined) => ({
  name,
  value: value === undefined || value === '' ? undefined : html`${value}`,
})

const refundLink = (reference: string | undefined) =>
  reference === undefined ? undefined : html`<a href="/payments/${reference}">${reference}</a>`

const codeFact = (viewer: Viewer, name: string, value: string | undefined) => ({
  name,
  value: value === undefined ? undefined : copyable(viewer, value),
})

function factsSection(viewer: Viewer, say: Texts, { payment, operator_references: references }: Details): string {
  const { final_at: finalAt } = payment
  return section(
    say('payment'),
    facts([
      codeFact(viewer, say('reference'), payment.merchant_reference),
      codeFact(viewer, say('internalReference'), payment.internal_reference),
      textFact(say('type'), `${say(payment.transaction_type)}, ${payment.transaction_method}`),
      { name: say('refundOf'), value: refundLink(payment.refund_of) },
      textFact(say('merchant'), payment.merchant_name),
      { name: say('account'), value: maskedAccount(viewer, payment.transaction_account) },
      textFact(say('provider'), payment.provider_code),
      textFact(say('institution'), payment.institution_name),
      textFact(say('description'), payment.description),
      { name: say('accepted'), value: when(viewer, new Date(payment.created_at)) },
      { name: say('final'), value: finalAt === undefined ? undefined : when(viewer, new Date(finalAt)) },
      textFact(say('failureCode'), payment.failure_code),
      textFact(say('railAccount'), payment.rail_account),
      codeFact(viewer, say('orderId'), payment.rail_order_id),
      ...references.map(({ name, reference }) => codeFact(viewer, name, reference)),
    ]),
  )
}

function moneySection(viewer: Viewer, say: Texts, payment: Payment): string {
  const {
    request_currency: requested,
    transaction_currency: currency,
    total_credit: credit,
    total_debit: debit,
  } = payment
  const isFinal = payment.final_at !== undefined
  const charge = inCurrency(viewer, payment, payment.transaction_charge)
  const moneyFact = (name: string, text: string | undefined) => ({
    name,
    value: text === undefined ? undefined : html`<span class="money">${text}</span>`,
  })
  return section(
    say('money'),
    facts([
      moneyFact(
        say('requested'),
        requested === currency ? undefined : viewer.money(moneyFromWire(payment.request_amount, requested)),
      ),
      moneyFact(say('amount'), amountOf(viewer, payment)),
      moneyFact(say('charge'), payment.charge_customer ? say('paidByCustomer', { charge }) : charge),
      moneyFact(
        say(isFinal ? 'totalCredit' : 'toCredit'),
        credit === undefined ? undefined : inCurrency(viewer, payment, credit),
      ),
      moneyFact(
        say(isFinal ? 'totalDebit' : 'toDebit'),
        debit === undefined ? undefined : inCurrency(viewer, payment, debit),
      ),
    ]),
  )
}

const callbacksOf = (say: Texts, { callbacks }: Timeline): string =>
  callbacks.length === 0
    ? html`<p class="soft">${say('noCallbacks')}</p>`
    : facts(
        callbacks.map((callback) => ({
          name: callback.event.replace('transaction.', ''),
          value: html`!${callbackBadge(say, callback)} <a class="quiet" href="/callbacks/${callback.id}">${say('details')}</a>`,
        })),
      )

const GOOD = new Set(['booked', 'confirmed', 'held'])
const BAD = /fail|stopped|unreachable|wrong|unmapped/
const toneOf = (kind: string): Tone => {
  if (GOOD.has(kind)) return 'good'
  return BAD.test(kind) ? 'bad' : 'calm'
}

/** An event in words; a kind that has none is its own. */
function titleOf(viewer: Viewer, say: Texts, kind: string): string {
  return Object.hasOwn(TEXTS.en, kind) ? say(kind as 'accepted') : known(viewer, kind.replaceAll('_', ' '))
}

/** Events, attempts of callbacks and exchanges with the operator, in the order of time. */
function eventsOf(viewer: Viewer, say: Texts, { events, callbacks, exchanges }: Timeline): readonly Event[] {
  const ms = (duration: number): string => say('milliseconds', { count: viewer.number(duration) })
  const bodies = (sent: string | undefined, received: string | undefined) =>
    [
      { title: say('sent'), text: sent ?? '' },
      { title: say('received'), text: received ?? '' },
    ].filter(({ text }) => text !== '')
  return [
    ...events.flatMap(({ at, kind, detail }): Event[] =>
      // Attempts stand below, with what was sent.
      kind === 'callback_retry'
        ? []
        : [
            {
              at: new Date(at),
              title: titleOf(viewer, say, kind),
              detail: html`${known(viewer, detail)}`,
              tone: toneOf(kind),
            },
          ],
    ),
    ...callbacks.flatMap(({ body, attempts_made: attempts = [] }) =>
      attempts.map(
        ({
          at,
          attempt,
          http_status: status,
          error,
          duration_ms: duration,
          reply_excerpt: reply,
          url = '',
        }): Event => ({
          at: new Date(at),
          title: say('attempt', { number: String(attempt) }),
          detail: html`${status === undefined ? (error ?? say('noAnswer')) : `HTTP ${status}`}, ${ms(duration)} <small>${url}</small>`,
          tone: status !== undefined && status < 300 ? 'good' : 'bad',
          bodies: bodies(body, reply),
        }),
      ),
    ),
    ...exchanges.map(({ at, purpose, method, path, status, error, duration_ms: duration, request, reply }): Event => ({
      at: new Date(at),
      title: say('operator', { purpose }),
      detail: html`<code>${method} ${path}</code> ${status ?? error ?? say('noAnswer')}, ${ms(duration)}`,
      tone: status !== undefined && status < 300 ? 'calm' : 'warn',
      bodies: bodies(request, reply),
    })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
}
