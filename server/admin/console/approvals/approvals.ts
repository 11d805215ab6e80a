import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { moneyFromWire } from '../../../domain/money.ts'
import type { AdminData } from '../../api/handler.ts'
import { changesTable } from '../changes-table.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { formErrors, typed } from '../form-errors.ts'
import { filterBar } from '../look/filter-bar.ts'
import { actionForm } from '../look/form.ts'
import { pagedTable } from '../look/table.ts'
import { badge, button, facts, maskedAccount, money, section, when, type Tone } from '../look/values.ts'
import { hasSecrets, onceShown } from '../once-shown.ts'
import { TEXTS } from './texts.ts'

type Approval = AdminData<'showApproval'>
type State = Approval['state']

const TONES: Readonly<Record<State, Tone>> = {
  waiting: 'warn',
  approved: 'good',
  refused: 'bad',
  expired: 'calm',
  lapsed: 'calm',
}
const stateBadge = (state: State): string => badge(state, TONES[state])

/** A payout by its amount and recipient, which people know it by. */
const titleOf = ({ viewer }: Opened, { payout, batch, what }: Approval): string => {
  if (batch) return `${viewer.money(moneyFromWire(batch.amount, batch.currency))}, ${batch.batch_reference}`
  return payout
    ? `${viewer.money(moneyFromWire(payout.amount, payout.currency))}, ${payout.customer_name ?? payout.account}`
    : what
}

function listPage(opened: Opened, { items, next }: AdminData<'listApprovals'>) {
  const { viewer, query, actor, may } = opened
  const say = viewer.texts(TEXTS)
  const isStaff = actor.kind !== 'merchant'
  const views = [
    { text: say('waiting'), query: '' },
    { text: say('all'), query: 'state=all' },
  ]
  const list = pagedTable(viewer, {
    caption: viewer.say('approvals'),
    path: '/approvals',
    first: `/approvals?state=${query.get('state') ?? 'waiting'}`,
    query,
    next,
    empty: { title: say('none'), text: say(isStaff ? 'noneStaff' : 'noneMerchant') },
    columns: [
      { title: say('what'), cell: (one: Approval) => html`${titleOf(opened, one)}` },
      { title: say('state'), cell: ({ state }) => stateBadge(state), onPhone: 'beside' },
      { title: say('by'), cell: ({ maker }) => html`${maker}`, onPhone: 'left' },
      { title: say('until'), cell: (one) => when(viewer, new Date(one.expires_at)), onPhone: 'right' },
    ],
    rows: items,
    href: ({ id }) => `/approvals/${id}`,
  })
  return {
    title: viewer.say('approvals'),
    aside: isStaff && may('approval rules list') ? button({ href: '/approvals/rules', text: say('rules') }) : '',
    content: `${filterBar(viewer, { action: '/approvals', query, fields: [], views })}${list}`,
  }
}

const text = (value: string | undefined): string | undefined => (value === undefined ? undefined : html`${value}`)

function payoutFacts({ viewer }: Opened, payout: NonNullable<Approval['payout']>): string {
  const say = viewer.texts(TEXTS)
  const { currency } = payout
  return facts([
    { name: say('amount'), value: money(viewer, moneyFromWire(payout.amount, currency)) },
    { name: say('total'), value: money(viewer, moneyFromWire(payout.total, currency)) },
    { name: say('customer'), value: text(payout.customer_name) },
    { name: say('account'), value: maskedAccount(viewer, payout.account) },
    { name: say('provider'), value: text(payout.provider_code) },
    {
      name: say('reference'),
      value: html`<a href="/payments/${payout.internal_reference}">${payout.merchant_reference}</a>`,
    },
  ])
}

function batchFacts({ viewer, actor }: Opened, merchant: string, batch: NonNullable<Approval['batch']>): string {
  const say = viewer.texts(TEXTS)
  const { batch_reference: reference, currency } = batch
  const path = actor.kind === 'merchant' ? '' : `/merchants/${merchant}`
  return facts([
    { name: say('amount'), value: money(viewer, moneyFromWire(batch.amount, currency)) },
    { name: say('total'), value: money(viewer, moneyFromWire(batch.total, currency)) },
    { name: say('payouts'), value: html`${viewer.number(batch.payouts)}` },
    { name: say('batch'), value: html`<a href="${path}/payout-batches/${reference}">${reference}</a>` },
  ])
}

function changeDetails({ viewer }: Opened, { input = [], changes = [] }: Approval): string {
  const say = viewer.texts(TEXTS)
  const titles = { caption: say('changes'), name: say('name'), before: say('before'), after: say('after') }
  return `${section(say('asked'), facts(input.map(({ name, value }) => ({ name, value: html`${value}` }))))}${section(
    say('changes'),
    changes.length === 0 ? html`<p class="soft">${say('noChanges')}</p>` : changesTable(titles, changes),
  )}`
}

/** Whether this person has something to decide. */
const isOpen = ({ state, cannot_refuse: cannot }: Approval): boolean => state === 'waiting' && cannot === undefined

function decisionForm(opened: Opened, approval: Approval, values: Readonly<Record<string, string>>, fault?: string) {
  const say = opened.viewer.texts(TEXTS)
  const { id, digest = '', payout, batch, cannot_approve: no, cannot_refuse: notEven } = approval
  if (approval.state !== 'waiting') return html`<p>${say('over')}</p>`
  const why = html`<p class="soft">${no ?? say('fourEyes')}</p>`
  if (notEven !== undefined) return why
  const refuse = { text: say('refuse'), name: 'decision', value: 'refuse', style: 'danger' } as const
  const form = {
    action: `/approvals/${id}`,
    hidden: { digest },
    values,
    asksReason: true,
    ...(fault !== undefined && { errors: formErrors(fault, ['reason']) }),
  }
  if (no !== undefined)
    return `${why}${actionForm(opened, { ...form, willHappen: say('willTakeBack'), submit: [{ ...refuse, text: say('takeBack') }] })}`
  const approve = { text: say('approve'), name: 'decision', value: 'approve', style: 'primary' } as const
  const willPay = batch ? 'willBatch' : 'willPayout'
  const willHappen = say(batch || payout ? willPay : 'willChange')
  return `${why}${actionForm(opened, { ...form, willHappen, submit: [approve, refuse] })}`
}

function detailsOf(opened: Opened, approval: Approval): string {
  const say = opened.viewer.texts(TEXTS)
  if (approval.batch) return section(say('batch'), batchFacts(opened, approval.merchant_id ?? '', approval.batch))
  return approval.payout
    ? section(say('payout'), payoutFacts(opened, approval.payout))
    : changeDetails(opened, approval)
}

async function requestPage(opened: Opened, values: Readonly<Record<string, string>> = {}, fault?: string) {
  const { viewer, params, show } = opened
  const say = viewer.texts(TEXTS)
  const approval = await show('showApproval', { params: { approval: params['approval'] ?? '' } })
  const { id, state, decided_at: decidedAt } = approval
  const about = facts([
    { name: say('by'), value: text(approval.maker) },
    { name: say('reason'), value: text(approval.reason) },
    { name: say('since'), value: when(viewer, new Date(approval.requested_at)) },
    { name: say('until'), value: when(viewer, new Date(approval.expires_at)) },
    { name: say('decided'), value: decidedAt === undefined ? undefined : when(viewer, new Date(decidedAt)) },
    { name: say('decider'), value: text(approval.decider) },
  ])
  return {
    title: say('request', { id }),
    heading: html`${titleOf(opened, approval)} !${stateBadge(state)}`,
    back: { href: '/approvals', text: viewer.say('approvals') },
    // Without a form nothing else would say it.
    ...(fault !== undefined && !isOpen(approval) && { flash: { kind: 'failed', text: fault } as const }),
    content: `<div class="columns">${section(say('request', { id }), about)}${detailsOf(
      opened,
      approval,
    )}</div>${section(say('decision'), decisionForm(opened, approval, values, fault))}`,
  }
}

/** What waits for a second person: payouts for people of merchants, changes for staff. */
export function serveApprovals(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  page({
    url: '/approvals',
    at: 'approvals',
    async handle(opened) {
      const { query, show } = opened
      const state = query.get('state') === 'all' ? 'all' : 'waiting'
      return listPage(opened, await show('listApprovals', { query: { state, after: query.get('after') ?? undefined } }))
    },
  })
  page({
    url: '/approvals/:approval',
    at: 'approvals',
    // Asked for before the form is filled in: nothing typed is lost.
    needs: 'recent',
    handle: (opened) => requestPage(opened),
  })
  form({
    url: '/approvals/:approval',
    at: 'approvals',
    needs: 'recent',
    async handle(opened, fields) {
      const { viewer, params, change, done } = opened
      const say = viewer.texts(TEXTS)
      const { decision, digest, reason } = typed(fields)
      const id = params['approval'] ?? ''
      const isApproval = decision === 'approve'
      const made = await change(isApproval ? 'approveRequest' : 'refuseRequest', {
        params: { approval: id },
        body: { digest, reason },
        key: opened.idempotencyKey,
      })
      if (made.ok === false) return requestPage(opened, { reason: reason ?? '' }, made.message)
      if (made.ok === true && hasSecrets(made.data)) return onceShown(opened, made.data)
      return done('/approvals', say(isApproval ? 'approved' : 'refused', { id }))
    },
  })
}
