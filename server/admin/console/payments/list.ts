import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { sendAdminReply } from '../../api/serve-admin-api.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { filterBar } from '../look/filter-bar.ts'
import type { Field } from '../look/form.ts'
import { pager, table, type Column } from '../look/table.ts'
import { button, emptyState, maskedAccount, statusBadge, when } from '../look/values.ts'
import type { SayOf, Viewer } from '../look/viewer.ts'
import { amountOf, dayBegins, type Payment } from './amounts.ts'
import { TEXTS } from './texts.ts'

type Texts = SayOf<typeof TEXTS>

const STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
const PATH = '/payments'

const fieldsFor = (say: Texts, isStaff: boolean): readonly Field[] => [
  { name: 'status', label: say('status'), type: 'select', options: STATUSES.map((status) => [status, status]) },
  {
    name: 'type',
    label: say('type'),
    type: 'select',
    options: (['COLLECTION', 'PAYOUT', 'REFUND'] as const).map((type) => [type, say(type)]),
  },
  { name: 'amount', label: say('amount'), lengthMax: 30 },
  { name: 'provider', label: say('provider'), lengthMax: 64 },
  ...(isStaff ? [{ name: 'merchant', label: say('merchant'), lengthMax: 64 }] : []),
  { name: 'since', label: say('since'), type: 'date' },
  { name: 'until', label: say('until'), type: 'date' },
  { name: 'stuck', label: say('stuck'), type: 'checkbox' },
]

/** The query of the address as the API reads it: the days of the viewer's zone, the last one included. */
function queryOf({ zone }: Viewer, address: URLSearchParams): Record<string, string> {
  const given = Object.fromEntries([...address].filter(([name, value]) => value !== '' && name !== 'lang'))
  const { since, until, stuck, ...others } = given
  return {
    ...others,
    ...(since !== undefined && { since: dayBegins(since, zone) }),
    ...(until !== undefined && { until: dayBegins(until, zone, 1) }),
    ...(stuck === 'yes' && { stuck: 'true' }),
  }
}

const linkWith = (
  query: URLSearchParams,
  path: string,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const next = new URLSearchParams([...query].filter(([, value]) => value !== ''))
  for (const [name, value] of Object.entries({ lang: undefined, ...changes }))
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  return next.size === 0 ? path : `${path}?${next.toString()}`
}

const columnsFor = (viewer: Viewer, say: Texts, isStaff: boolean, isStuck: boolean): readonly Column<Payment>[] => [
  { title: say('reference'), cell: (row) => html`${row.merchant_reference}` },
  { title: say('status'), cell: (row) => statusBadge(row.transaction_status), onPhone: 'beside' },
  isStuck
    ? { title: say('waitsSince'), cell: (row) => (row.stuck_since ? when(viewer, new Date(row.stuck_since)) : '') }
    : { title: say('accepted'), cell: (row) => when(viewer, new Date(row.created_at)), onPhone: 'left' },
  {
    title: say('amount'),
    cell: (row) => html`<span class="money">${amountOf(viewer, row)}</span>`,
    isNumeric: true,
    onPhone: isStuck ? undefined : 'right',
  },
  { title: say('type'), cell: (row) => html`${say(row.transaction_type)}` },
  { title: say('account'), cell: (row) => maskedAccount(viewer, row.transaction_account) },
  { title: say('provider'), cell: (row) => html`${row.provider_code}` },
  ...(isStaff ? [{ title: say('merchant'), cell: (row: Payment) => html`${row.merchant_name}` }] : []),
]

/** Payments: the filters stand in the address; a search with exactly one hit leads straight to it. */
export function servePaymentList(app: FastifyInstance, deps: ConsoleDeps): void {
  const routes = consoleRoutes(app, deps)
  serveList(routes, deps.audience === 'staff')
  serveFiles(routes)
  serveViews(routes)
}

type Routes = ReturnType<typeof consoleRoutes>

function serveList({ page }: Routes, isStaff: boolean): void {
  page({
    url: PATH,
    at: 'payments',
    async handle(opened) {
      const { viewer, query, change, show, reply } = opened
      const say = viewer.texts(TEXTS)
      const found = await change('listPayments', { query: queryOf(viewer, query) })
      const { items, next } = found.ok === true ? found.data : { items: [], next: undefined }
      const [only, another] = items
      if (query.get('q') && only && !another && next === undefined && !query.has('after'))
        return reply.redirect(`${PATH}/${only.id}`, 303)
      const { items: saved } = await show('listViews')
      const fields = fieldsFor(say, isStaff)
      const message = found.ok === false ? found.message : undefined
      const wrong = fields.find(({ name }) => message?.startsWith(`${name} `))
      const isStuck = query.get('stuck') === 'yes'
      const views = [...usualViews(say), ...saved.map((view) => ({ text: view.name, query: view.query ?? '' }))]
      const errors = wrong && message !== undefined ? { [wrong.name]: message } : {}
      const older = next === undefined ? undefined : linkWith(query, PATH, { after: next })
      const list =
        items.length === 0
          ? emptyList(say, query, isStuck, older)
          : table({
              caption: viewer.say('payments'),
              columns: columnsFor(viewer, say, isStaff, isStuck),
              rows: items,
              href: ({ id }) => `${PATH}/${id}`,
            }) +
            pager(viewer, {
              count: items.length,
              first: query.has('after') ? linkWith(query, PATH, { after: undefined }) : undefined,
              next: older,
              order: isStuck ? 'longestFirst' : 'newestFirst',
            })
      const csv = linkWith(query, `${PATH}.csv`, { after: undefined })
      return {
        title: viewer.say('payments'),
        searched: query.get('q') ?? '',
        aside: isStuck || items.length === 0 ? '' : button({ href: csv, text: say('download') }),
        ...(message !== undefined && !wrong && { flash: { kind: 'failed' as const, text: message } }),
        content:
          filterBar(viewer, { action: PATH, query, fields, views, errors }) +
          list +
          viewForms(
            opened,
            say,
            saved.map(({ name }) => name),
          ),
      }
    },
  })
}

function serveFiles({ page }: Routes): void {
  page({
    url: `${PATH}.csv`,
    at: 'payments',
    async handle({ viewer, query, stream, reply }) {
      const { after: _after, limit: _limit, stuck: _stuck, ...filters } = queryOf(viewer, query)
      const answer = await stream('exportPayments', { query: filters })
      return 'stream' in answer ? sendAdminReply(reply, answer) : reply.redirect(linkWith(query, PATH, {}), 303)
    },
  })
}

function serveViews({ form }: Routes): void {
  form({
    url: `${PATH}/views`,
    at: 'payments',
    needs: 'session',
    async handle({ viewer, change, done, reply, formToken }, fields) {
      const say = viewer.texts(TEXTS)
      const name = (fields.get('name') ?? '').trim()
      const query = fields.get('query') ?? ''
      const remove = fields.get('remove')
      const saved = await change('saveView', { body: remove === null ? { name, query } : { name: remove } })
      if (saved.ok === true)
        return done(remove === null ? `${PATH}?${query}` : PATH, say(remove === null ? 'saved' : 'removed'))
      reply.code(409)
      return {
        title: say('saveView'),
        back: { href: `${PATH}?${query}`, text: viewer.say('payments') },
        flash: { kind: 'failed' as const, text: saved.ok === false ? saved.message : '' },
        content: saveForm(say, formToken, query, name),
      }
    },
  })
}

const usualViews = (say: Texts) => [
  { text: say('all'), query: '' },
  { text: say('failedOnes'), query: 'status=FAILED' },
  { text: say('payouts'), query: 'type=PAYOUT' },
  { text: say('stuck'), query: 'stuck=yes' },
]

function emptyList(say: Texts, query: URLSearchParams, isStuck: boolean, older: string | undefined): string {
  if (older !== undefined)
    return emptyState({ title: say('noneYet'), text: say('noneYetText'), next: { href: older, text: say('lookOn') } })
  if (isStuck) return emptyState({ title: say('nothingStuck'), text: say('nothingStuckText') })
  return [...query.keys()].some((name) => name !== 'lang')
    ? emptyState({ title: say('noMatch'), text: say('noMatchText'), next: { href: PATH, text: say('showAll') } })
    : emptyState({ title: say('noPayments'), text: say('noPaymentsText') })
}

/** Saves the list as it is shown, and removes lists that were saved. */
function viewForms({ formToken, query }: Opened, say: Texts, names: readonly string[]): string {
  const shown = linkWith(query, '', { after: undefined }).replace(/^\?/, '')
  const save =
    shown === ''
      ? ''
      : html`<details><summary>${say('saveView')}</summary>!${saveForm(say, formToken, shown)}</details>`
  const remove =
    names.length === 0
      ? ''
      : html`<details><summary>${say('yourViews')}</summary><form method="post" action="!${PATH}/views" class="buttons"><input type="hidden" name="token" value="${formToken}">!${names
          .map((name) => html`<button name="remove" value="${name}">${say('remove', { name })}</button>`)
          .join('')}</form></details>`
  return save + remove
}

const saveForm = (say: Texts, formToken: string, query: string, name = ''): string =>
  html`<form method="post" action="!${PATH}/views" class="action"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="query" value="${query}">
<div class="field"><label for="name">${say('viewName')}</label><input id="name" name="name" required maxlength="60" value="${name}"></div>
<p class="buttons"><button class="primary">${say('saveView')}</button></p></form>`
