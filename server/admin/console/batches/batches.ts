import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { amountOf, pageLinks } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { pagedTable, table } from '../look/table.ts'
import { button, facts, section, statusBadge, when } from '../look/values.ts'
import { serveTask } from '../task.ts'
import { serveSending, TEMPLATE_URL } from './send.ts'
import { TEXTS } from './texts.ts'

type Batch = AdminData<'listPayoutBatches'>['items'][number]
type Details = AdminData<'showPayoutBatch'>

/** Where the batches of the shown merchant are: people of a merchant have only their own. */
export const batchesOf = ({ actor, params }: Pick<Opened, 'actor' | 'params'>) =>
  actor.kind === 'merchant'
    ? { merchant: String(actor.merchantId), path: '/payout-batches' }
    : { merchant: params.merchant ?? '', path: `/merchants/${params.merchant ?? ''}/payout-batches` }

/** Batches of payouts: staff read them, people of a merchant send files and try again what failed. */
export function serveBatches(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page } = consoleRoutes(app, deps)
  const isStaff = deps.audience === 'staff'
  const [url, at] = isStaff
    ? (['/merchants/:merchant/payout-batches', 'merchants'] as const)
    : (['/payout-batches', 'batches'] as const)
  page({ url, at, handle: listPage })
  page({ url: `${url}/:batch`, at, handle: batchPage })
  if (isStaff) return
  serveSending(app, deps)
  serveTask(app, deps, {
    url: `${url}/:batch/retry`,
    at,
    needs: 'recent',
    operation: 'retryPayoutBatch',
    async form(opened) {
      const say = opened.viewer.texts(TEXTS)
      const { path, merchant } = batchesOf(opened)
      const batch = opened.params.batch ?? ''
      const { retryable } = await opened.show('showPayoutBatch', { params: { merchant, batch } })
      return {
        title: say('retryTitle'),
        back: { href: `${path}/${batch}`, text: batch },
        willHappen: say('willRetry', { count: opened.viewer.number(retryable) }),
        asksReason: true,
        submit: say('retryTitle'),
      }
    },
    input: (fields, opened) => ({
      params: { merchant: batchesOf(opened).merchant, batch: opened.params.batch ?? '' },
      body: { reason: fields.get('reason') ?? '' },
    }),
    done(opened, { batch_reference: reference = '' }) {
      return opened.done(`${batchesOf(opened).path}/${reference}`, opened.viewer.texts(TEXTS)('retried', { reference }))
    },
  })
}

async function listPage(opened: Opened) {
  const { viewer, query, show, may, actor } = opened
  const say = viewer.texts(TEXTS)
  const { merchant, path } = batchesOf(opened)
  const { items, next } = await show('listPayoutBatches', {
    params: { merchant },
    query: { after: query.get('after') ?? undefined },
  })
  const sends = actor.kind === 'merchant' && may('payout batch')
  const owner = actor.kind === 'merchant' ? undefined : await show('showMerchant', { params: { merchant } })
  const list = pagedTable(viewer, {
    caption: viewer.say('batches'),
    path,
    query,
    next,
    empty: { title: say('none'), text: say('noneText') },
    columns: [
      { title: say('batch'), cell: ({ batch_reference: reference }: Batch) => html`${reference}` },
      {
        title: say('payouts'),
        cell: ({ payouts }) => html`${viewer.number(payouts)}`,
        isNumeric: true,
        onPhone: 'right',
      },
      { title: say('at'), cell: (one) => when(viewer, new Date(one.created_at)), onPhone: 'left' },
      { title: say('finished'), cell: (one) => finishedAt(opened, one) },
    ],
    rows: items,
    href: ({ batch_reference: reference }) => `${path}/${reference}`,
  })
  return {
    title: viewer.say('batches'),
    ...(owner && { back: { href: `/merchants/${merchant}`, text: owner.name } }),
    aside: sends
      ? html`<span class="buttons">!${button({ href: TEMPLATE_URL, text: say('template') })}!${button({ href: `${path}/new`, text: say('newBatch') }, 'primary')}</span>`
      : '',
    content: list,
  }
}

const finishedAt = ({ viewer }: Opened, { finished_at: at }: Batch): string =>
  at === undefined ? html`${viewer.texts(TEXTS)('open')}` : when(viewer, new Date(at))

async function batchPage(opened: Opened) {
  const { viewer, params, query, show, may, actor } = opened
  const say = viewer.texts(TEXTS)
  const { merchant, path } = batchesOf(opened)
  const reference = params.batch ?? ''
  const { batch, totals, retryable, items, next } = await show('showPayoutBatch', {
    params: { merchant, batch: reference },
    query: { after: query.get('after') ?? undefined },
  })
  const retry = { href: `${path}/${reference}/retry`, text: say('retry', { count: viewer.number(retryable) }) }
  const about = facts([
    { name: say('payouts'), value: html`${viewer.number(batch.payouts)}` },
    { name: say('at'), value: when(viewer, new Date(batch.created_at)) },
    { name: say('finished'), value: finishedAt(opened, batch) },
    {
      name: say('retryOf'),
      value: batch.retry_of && html`<a href="${path}/${batch.retry_of}">${batch.retry_of}</a>`,
    },
  ])
  const links = pageLinks(viewer, `${path}/${reference}`, query, { next, first: say('toStart'), further: say('next') })
  return {
    title: reference,
    back: { href: path, text: viewer.say('batches') },
    aside: retryable > 0 && actor.kind === 'merchant' && may('payout retry') ? button(retry) : '',
    content: `${section(say('batch'), about)}${section(say('totals'), totalsTable(opened, totals))}${rowsTable(opened, items)}${links}`,
  }
}

function totalsTable({ viewer }: Opened, totals: Details['totals']): string {
  const say = viewer.texts(TEXTS)
  const counted = (title: string, of: (one: Details['totals'][number]) => number) => ({
    title,
    cell: (one: Details['totals'][number]) => html`${viewer.number(of(one))}`,
    isNumeric: true,
  })
  return table({
    caption: say('totals'),
    columns: [
      { title: say('sum'), cell: ({ amount, currency }) => amountOf(viewer, amount, currency) },
      counted(say('payouts'), ({ payouts }) => payouts),
      counted(say('completed'), ({ completed }) => completed),
      counted(say('failed'), ({ failed }) => failed),
    ],
    rows: totals,
  })
}

function rowsTable({ viewer }: Opened, rows: Details['items']): string {
  const say = viewer.texts(TEXTS)
  return table({
    caption: say('payouts'),
    columns: [
      { title: say('recipient'), cell: (row: Details['items'][number]) => html`${row.merchant_reference}` },
      { title: say('status'), cell: ({ transaction_status: status }) => statusBadge(status), onPhone: 'beside' },
      { title: say('line'), cell: ({ line }) => html`${viewer.number(line)}`, isNumeric: true },
      { title: say('amount'), cell: ({ amount, currency }) => amountOf(viewer, amount, currency), isNumeric: true },
      { title: say('message'), cell: ({ status_message: message }) => html`${message}` },
    ],
    rows,
    href: ({ internal_reference: reference }) => `/payments/${reference}`,
  })
}
