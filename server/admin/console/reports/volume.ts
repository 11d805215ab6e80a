import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { sendAdminReply } from '../../api/serve-admin-api.ts'
import { amountOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { barChart, type DayCount } from '../look/charts.ts'
import { table, type Column } from '../look/table.ts'
import { button, emptyState, section, statusBadge } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { TEXTS } from './texts.ts'

type Volume = AdminData<'reportVolume'>['items'][number]

const DAY_MS = 86_400_000
const PERIODS = [1, 7, 30, 90] as const
type Period = (typeof PERIODS)[number]

/** Sums of payments of a period, with a file of each. */
export function serveVolume(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page } = consoleRoutes(app, deps)
  page({ url: '/reports', at: 'reports', handle: (opened) => volumePage(deps, opened) })
  page({
    url: '/reports/volume.csv',
    at: 'reports',
    handle: async (opened) => {
      const query = { by: opened.query.get('by') ?? undefined, since: sinceOf(deps, periodOf(opened)) }
      return sendAdminReply(opened.reply, await opened.stream('exportVolume', { query }))
    },
  })
}

/** The links between the pages of reports. */
export const reportLinks = (viewer: Viewer): string => {
  const say = viewer.texts(TEXTS)
  return html`<span class="buttons">!${[
    button({ href: '/reports/balances', text: say('balances') }),
    button({ href: '/reports/statements', text: say('statements') }),
  ].join('')}</span>`
}

const periodOf = ({ query }: Opened): Period => PERIODS.find((days) => String(days) === query.get('days')) ?? 30

/** The beginning of the first day: today is the last one. */
const sinceOf = ({ clock }: ConsoleDeps, days: Period): string =>
  new Date((Math.floor(clock.now().getTime() / DAY_MS) - days + 1) * DAY_MS).toISOString()

async function volumePage(deps: ConsoleDeps, opened: Opened) {
  const { viewer, show } = opened
  const say = viewer.texts(TEXTS)
  const days = periodOf(opened)
  const since = sinceOf(deps, days)
  const sums = async (by: string) => (await show('reportVolume', { query: { since, by } })).items
  const [byDay, byProvider, byMerchant] = await Promise.all([
    sums('day,status'),
    sums('provider,type,status'),
    sums('merchant,type,status'),
  ])
  const file = (by: string) => button({ href: `/reports/volume.csv?days=${days}&by=${by}`, text: say('csv') })
  const content =
    byDay.length === 0
      ? emptyState({ title: say('noPayments'), text: say('noPaymentsText') })
      : html`!${days > 1 && byDay.some(isFinal) ? section(undefined, barChart(viewer, say('perDay'), daysOf(byDay, since, days))) : ''}
!${section(say('byProvider'), volumeTable(viewer, say('byProvider'), byProvider, providerColumn(viewer)), file('provider,type,status'))}
!${section(say('byMerchant'), volumeTable(viewer, say('byMerchant'), byMerchant, merchantColumn(viewer)), file('merchant,type,status'))}`
  return { title: say('title'), aside: reportLinks(viewer), content: html`!${periods(viewer, days)}!${content}` }
}

const periods = (viewer: Viewer, chosen: Period): string => {
  const say = viewer.texts(TEXTS)
  const link = (days: Period): string =>
    html`<li><a href="/reports?days=!${String(days)}" !${days === chosen ? 'aria-current="true"' : ''}>${say(`days${days}`)}</a></li>`
  return html`<div class="filters"><nav aria-label="${say('period')}"><ul class="views">!${PERIODS.map(link).join('')}</ul></nav></div>`
}

const isFinal = ({ transaction_status: status }: Volume): boolean => status !== 'PENDING' && status !== 'PROCESSING'

/** Every day of the period, also those without payments. */
function daysOf(rows: readonly Volume[], since: string, days: number): readonly DayCount[] {
  const count = (day: string, status: string) =>
    rows
      .filter((row) => row.day === day && row.transaction_status === status)
      .reduce((sum, { payments }) => sum + payments, 0)
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(Date.parse(since) + at * DAY_MS).toISOString().slice(0, 10)
    return { day, completed: count(day, 'COMPLETED'), failed: count(day, 'FAILED') + count(day, 'CANCELLED') }
  })
}

const providerColumn = (viewer: Viewer): Column<Volume> => ({
  title: viewer.texts(TEXTS)('provider'),
  cell: ({ provider_code: code }) => html`${code ?? ''}`,
})

const merchantColumn = (viewer: Viewer): Column<Volume> => ({
  title: viewer.texts(TEXTS)('merchant'),
  cell: ({ merchant_name: name, merchant_public_key: key }) =>
    html`<a href="/merchants/${key ?? ''}">${name ?? ''}</a>`,
})

function volumeTable(viewer: Viewer, caption: string, rows: readonly Volume[], first: Column<Volume>): string {
  const say = viewer.texts(TEXTS)
  return table({
    caption,
    rows,
    columns: [
      first,
      { title: say('status'), cell: ({ transaction_status: status }) => statusBadge(status ?? ''), onPhone: 'beside' },
      { title: say('type'), cell: ({ transaction_type: type }) => html`${type ?? ''}` },
      { title: say('payments'), cell: ({ payments }) => viewer.number(payments), isNumeric: true },
      { title: say('amount'), cell: ({ amount, currency }) => amountOf(viewer, amount, currency), isNumeric: true },
      { title: say('charges'), cell: ({ charge, currency }) => amountOf(viewer, charge, currency), isNumeric: true },
    ],
  })
}
