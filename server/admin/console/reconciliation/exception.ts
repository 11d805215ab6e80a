import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import type { PageReply } from '../../api/admin-api.ts'
import { amountOf, majorMoney } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { actionForm, type ActionForm, type Field } from '../look/form.ts'
import { badge, button, copyable, facts, section, statusBadge, timeline, when } from '../look/values.ts'
import { errorsOf } from './list.ts'
import { TEXTS } from './texts.ts'

type Details = AdminData<'showException'>
type Step = 'note' | 'assign' | 'end'

/** What was typed into one of the forms, and what is wrong with it. */
interface Typed extends Pick<ActionForm, 'values' | 'errors'> {
  readonly step: Step
}

const URL = '/reconciliation/:exception'
const pathOf = ({ params }: Opened): string => `/reconciliation/${params['exception']}`

/** One difference: both sides, notes, who looks into it, and its end. */
export function serveException(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  const at = 'reconciliation'
  page({ url: URL, at, handle: (opened) => exceptionPage(opened) })
  form({
    url: `${URL}/note`,
    at,
    needs: 'session',
    handle: async (opened, fields) => {
      const note = fields.get('note') ?? ''
      const reply = await opened.change('noteOnException', { ...keyed(opened), body: { note } })
      return after(opened, reply, 'noteAdded', { step: 'note', values: { note } })
    },
  })
  form({
    url: `${URL}/assign`,
    at,
    needs: 'session',
    handle: async (opened, fields) => {
      const to = fields.get('to') ?? ''
      const typed = { step: 'assign', values: { to } } as const
      const who = fields.get('who')
      if (who === 'other' && to === '') {
        const errors = { to: opened.viewer.texts(TEXTS)('emailMissing') }
        return exceptionPage(opened, { ...typed, errors })
      }
      const body = who === 'nobody' ? {} : { to: who === 'me' ? 'me' : to }
      return after(opened, await opened.change('assignException', { ...keyed(opened), body }), 'assigned', typed)
    },
  })
  form({
    url: `${URL}/end`,
    at,
    needs: 'recent',
    handle: async (opened, fields) => {
      const values = Object.fromEntries(fields)
      const moveTo = values['move_to'] || undefined
      const body = {
        reason: values['reason'] ?? '',
        ...(moveTo && { move_to: moveTo }),
        ...(values['second_movement'] === 'yes' && { second_movement: true }),
      }
      const reply = await opened.change('endException', { ...keyed(opened), body })
      return after(opened, reply, 'endDone', { step: 'end', values })
    },
  })
}

const keyed = ({ params, idempotencyKey: key }: Opened) => ({ params: { exception: params['exception'] ?? '' }, key })

function after(opened: Opened, reply: PageReply<unknown>, done: 'noteAdded' | 'assigned' | 'endDone', typed: Typed) {
  const say = opened.viewer.texts(TEXTS)
  if (reply.ok === false) return exceptionPage(opened, { ...typed, errors: errorsOf(reply) })
  const text =
    reply.ok === true ? say(done, { id: opened.params['exception'] ?? '' }) : say('waits', { id: reply.approvalId })
  return opened.done(pathOf(opened), text)
}

async function exceptionPage(opened: Opened, typed?: Typed) {
  const { viewer, show, params } = opened
  const say = viewer.texts(TEXTS)
  const details = await show('showException', { params: { exception: params['exception'] ?? '' } })
  const { exception } = details
  const { id, kind, suspense, currency, ended_at: endedAt, entry } = exception
  const title = say('differenceNo', { id })
  const amount = viewer.money(majorMoney(Math.abs(suspense), currency))
  const what = suspense === 0 ? say('noMoney') : say(suspense > 0 ? 'money' : 'moneyMissing', { amount })
  return {
    title,
    heading: html`${title} !${badge(say(kind), endedAt === undefined ? 'warn' : 'calm')}`,
    back: { href: '/reconciliation', text: say('title') },
    ...refusedWithoutForm(opened, typed),
    content: html`!${section(undefined, html`<p>${say(`why_${kind}`)} ${what}</p>!${takeOf(opened, details)}!${entry === undefined ? '' : html`<p class="soft">${say('entry')} ${entry}</p>`}`)}
<div class="columns">!${section(say('ours'), oursOf(opened, details))}!${section(say('theirs'), theirsOf(opened, details))}</div>
!${endedAt === undefined ? '' : section(say('endedTitle'), endOf(opened, details))}
<div class="columns">!${section(say('notes'), notesOf(opened, details, typed))}
!${endedAt === undefined ? section(say('who'), assigneeOf(opened, details, typed)) : ''}</div>
!${endedAt === undefined && opened.may('reconcile end') ? section(say('endTitle'), endForm(opened, details, typed)) : ''}`,
  }
}

/** Where a customer's payment without an order is taken for a collection. */
const takeOf = (
  { viewer, may }: Opened,
  { exception: { id, kind, suspense, ended_at: ended }, ours }: Details,
): string =>
  ended === undefined && !ours && suspense > 0 && ['unclear', 'missing_with_us'].includes(kind) && may('suspense take')
    ? button({ href: `/suspense/${id}/take`, text: viewer.texts(TEXTS)('take') })
    : ''

/** Who may not see a form has no place in it for what is wrong. */
const refusedWithoutForm = ({ may }: Opened, typed: Typed | undefined) =>
  typed?.errors && !may(`reconcile ${typed.step}`)
    ? { flash: { kind: 'failed' as const, text: Object.values(typed.errors).join(' ') } }
    : {}

function oursOf({ viewer }: Opened, { exception, ours }: Details): string {
  const say = viewer.texts(TEXTS)
  if (!ours) return html`<p class="soft">${say('noOurs')}</p>`
  const {
    currency,
    merchant_reference: reference,
    internal_reference: internal,
    transaction_status: status,
  } = exception
  return facts([
    {
      name: say('reference'),
      value: internal && html`<a href="/payments/${internal}">${reference ?? internal}</a>`,
    },
    { name: say('amount'), value: amountOf(viewer, ours.amount, currency) },
    { name: say('charge'), value: amountOf(viewer, ours.charge, currency) },
    { name: say('status'), value: status && statusBadge(status) },
    { name: say('type'), value: html`${ours.transaction_type}` },
    { name: say('provider'), value: html`${ours.provider_code}` },
    { name: say('merchant'), value: html`<a href="/merchants/${ours.merchant_public_key}">${ours.merchant_name}</a>` },
    { name: say('accepted'), value: when(viewer, new Date(ours.created_at)) },
    { name: say('final'), value: ours.final_at && when(viewer, new Date(ours.final_at)) },
  ])
}

function theirsOf({ viewer }: Opened, { exception, theirs }: Details): string {
  const say = viewer.texts(TEXTS)
  if (!theirs) return html`<p class="soft">${say('noTheirs')}</p>`
  const { currency, line_reference: reference, booked_at: at, rail_account: name } = exception
  const amount = (value: number | undefined) => (value === undefined ? undefined : amountOf(viewer, value, currency))
  return facts([
    { name: say('reference'), value: reference && copyable(viewer, reference) },
    { name: say('amount'), value: amount(theirs.amount) },
    { name: say('fee'), value: amount(theirs.fee) },
    { name: say('expectedFee'), value: amount(theirs.expected_fee) },
    { name: say('direction'), value: theirs.direction && html`${say(theirs.direction)}` },
    { name: say('ourReference'), value: theirs.our_reference && html`${theirs.our_reference}` },
    { name: say('railAccount'), value: html`<a href="/rails/${name}">${name}</a>` },
    { name: say('booked'), value: at && when(viewer, new Date(at)) },
    {
      name: say('statement'),
      value: html`${say('statementLine', { name: theirs.import_name, line: theirs.line_number })}`,
    },
  ])
}

function endOf({ viewer }: Opened, { exception }: Details): string {
  const say = viewer.texts(TEXTS)
  const { ended_at: at = '', ended_by: by = '', reason = '', moved_to: to } = exception
  return facts([
    { name: say('endedTitle'), value: when(viewer, new Date(at)) },
    { name: say('endedBy'), value: html`${by}` },
    { name: say('because'), value: html`${reason}` },
    { name: say('movedTo'), value: to && html`${to}` },
  ])
}

/** The part of a form that is the same in all three. */
const formOf = (opened: Opened, step: Step, typed: Typed | undefined) => ({
  action: `${pathOf(opened)}/${step}`,
  ...(typed?.step === step && { values: typed.values, errors: typed.errors }),
})

function notesOf(opened: Opened, { notes }: Details, typed: Typed | undefined): string {
  const { viewer, may } = opened
  const say = viewer.texts(TEXTS)
  const list =
    notes.length === 0
      ? html`<p class="soft">${say('noNotes')}</p>`
      : timeline(
          viewer,
          notes.map(({ at, author, note }) => ({ at: new Date(at), title: author, detail: html`${note}` })),
        )
  const field: Field = { name: 'note', label: say('note'), hint: say('noteHint'), lengthMin: 3, lengthMax: 1_000 }
  return html`!${list}!${
    may('reconcile note')
      ? actionForm(opened, {
          ...formOf(opened, 'note', typed),
          fields: [field],
          willHappen: say('noteHappens'),
          submit: say('addNote'),
        })
      : ''
  }`
}

function assigneeOf(opened: Opened, { exception }: Details, typed: Typed | undefined): string {
  const { viewer, may } = opened
  const say = viewer.texts(TEXTS)
  const { assigned_to: name } = exception
  const now = facts([{ name: say('assignedTo'), value: html`${name ?? say('nobody')}` }])
  if (!may('reconcile assign')) return now
  return html`!${now}!${actionForm(opened, {
    ...formOf(opened, 'assign', typed),
    fields: [{ name: 'to', label: say('email'), type: 'email', isOptional: true, lengthMax: 254, autocomplete: 'off' }],
    willHappen: say('assignHappens'),
    submit: [
      { text: say('toMe'), name: 'who', value: 'me' },
      { text: say('assign'), name: 'who', value: 'other', style: 'plain' },
      ...(name === undefined ? [] : [{ text: say('toNobody'), name: 'who', value: 'nobody', style: 'plain' as const }]),
    ],
  })}`
}

function endForm(opened: Opened, { exception }: Details, typed: Typed | undefined): string {
  const say = opened.viewer.texts(TEXTS)
  const target: Field = {
    name: 'move_to',
    label: say('moveTo'),
    type: 'select',
    isOptional: true,
    options: [
      ['', say('stays')],
      ['fee', say('toFee')],
      ['outside', say('toOutside')],
    ],
  }
  const second: Field = { name: 'second_movement', label: say('second'), type: 'checkbox', isOptional: true }
  return actionForm(opened, {
    ...formOf(opened, 'end', typed),
    fields: [...(exception.suspense === 0 ? [] : [target]), ...(exception.kind === 'maybe_repeated' ? [second] : [])],
    asksReason: true,
    isDangerous: true,
    willHappen: say('endHappens'),
    submit: say('endButton'),
  })
}
