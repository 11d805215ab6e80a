import fastify, { type FastifyInstance } from 'fastify'
import { money as moneyOf } from '../../../../domain/money.ts'
import { SECURITY_HEADERS } from '../../../../payment-page/security-headers.ts'
import { serveConsoleAssets } from '../assets.ts'
import { barChart, shareBars, type DayCount } from '../charts.ts'
import { filterBar } from '../filter-bar.ts'
import { actionForm, type Field } from '../form.ts'
import { languageFor } from '../languages.ts'
import { consolePage, type ConsolePage } from '../page.ts'
import { pager, table, type Column } from '../table.ts'
import * as values from '../values.ts'
import { viewerOf, type Viewer } from '../viewer.ts'

// For tests: pages that show every piece, with the longest values that they get.

const NOW = new Date('2026-11-27T16:04:05Z')
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000)
const MOST = moneyOf(1_234_567_890_12n, 'KES')
const LITTLE = moneyOf(1_500n, 'UGX')
const LONG = '-A-REFERENCE-THAT-IS-AS-LONG-AS-ONE-MAY-BE-AT-ALL'
const STATUSES = ['COMPLETED', 'PROCESSING', 'FAILED', 'PENDING', 'CANCELLED'] as const
const DAYS: readonly DayCount[] = Array.from({ length: 30 }, (_, at) => ({
  day: daysAgo(29 - at)
    .toISOString()
    .slice(0, 10),
  completed: at % 7 === 0 ? 0 : 320 + ((at * 137) % 290),
  failed: (at * 53) % 61,
}))

/** Serves the gallery as the console serves its pages. */
export function galleryApp(): FastifyInstance {
  const app = fastify()
  serveConsoleAssets(app)
  for (const name of GALLERY_PAGES)
    app.get(`/${name}`, async (request, reply) => {
      const viewer = viewerOf(languageFor(request.query, request.headers), 'Africa/Dar_es_Salaam')
      const { html, policy } = consolePage({
        viewer,
        person: { name: 'Wanjiru wa Mwangi', role: 'finance', merchant: 'Duka la Mfano', formToken: 'token' },
        isSandbox: true,
        url: request.url,
        ...PAGES[name](viewer, new URLSearchParams(request.url.split('?')[1])),
      })
      const headers = { ...SECURITY_HEADERS, 'content-security-policy': policy }
      return reply.headers(headers).type('text/html; charset=utf-8').send(html)
    })
  return app
}

type Content = Pick<ConsolePage, 'navigation' | 'title' | 'content'> & Partial<ConsolePage>

const PAGES = { list, payment, form, today }

export const GALLERY_PAGES = Object.keys(PAGES) as readonly (keyof typeof PAGES)[]

function list(viewer: Viewer, query: URLSearchParams): Content {
  const columns: readonly Column<(typeof STATUSES)[number]>[] = [
    { title: 'Reference', cell: (status) => `ORDER-2026-11-1000${status === 'FAILED' ? LONG : ''}` },
    { title: 'Status', cell: values.statusBadge, onPhone: 'left' },
    { title: 'Created', cell: () => values.when(viewer, NOW), onPhone: 'right' },
    { title: 'Customer', cell: () => values.maskedAccount(viewer, '254700000123') },
    { title: 'Provider', cell: () => 'standard_bank_za' },
    {
      title: 'Amount',
      cell: (status) => values.money(viewer, status === 'FAILED' ? LITTLE : MOST),
      isNumeric: true,
      onPhone: 'beside',
    },
  ]
  const fields: readonly Field[] = [
    { name: 'status', label: 'Status', type: 'select', options: STATUSES.map((status) => [status, status]) },
    { name: 'from', label: 'From', type: 'date' },
    { name: 'least', label: 'Amount from', type: 'amount' },
  ]
  const views = [
    { text: 'All', query: '' },
    { text: 'Failed', query: 'status=FAILED' },
  ]
  const totals = ['Total', '', '', '', '', viewer.money(MOST)]
  return {
    navigation: { audience: 'staff', at: 'payments', counts: { approvals: 3, reconciliation: 1200 } },
    title: viewer.say('payments'),
    searched: query.get('q') ?? '',
    aside: values.button({ href: '/payments.csv', text: 'CSV' }),
    content:
      filterBar(viewer, { action: '/list', query, fields, views }) +
      table({ caption: 'Payments', columns, rows: STATUSES, href: () => '/payment', totals }) +
      pager(viewer, { count: STATUSES.length, first: '/list', next: '/list?before=4' }),
  }
}

function payment(viewer: Viewer): Content {
  const facts = values.facts([
    { name: 'Amount', value: values.money(viewer, MOST) },
    { name: 'Customer', value: values.maskedAccount(viewer, '254700000123', '/account') },
    { name: 'Internal reference', value: values.copyable(viewer, 'MLP-8F3K2-9QWERTYUIOP') },
    { name: 'Institution', value: undefined },
    { name: 'Outcome', value: values.badge('unknown', 'warn') },
  ])
  const bodies = [{ title: 'Request', text: '{\n  "amount": "1500",\n  "msisdn": "*********123"\n}' }]
  const tones = ['good', 'busy', 'bad', 'warn', undefined] as const
  const history = values.timeline(
    viewer,
    tones.map((tone) => ({ at: NOW, title: 'Sent to the operator', tone, detail: 'By <b>Malipo</b>', bodies })),
  )
  return {
    navigation: { audience: 'merchant', at: 'payments', counts: { approvals: 1 } },
    title: 'ORDER-2026-11-1001',
    heading: `ORDER-2026-11-1001 ${values.statusBadge('PROCESSING')}`,
    back: { href: '/list', text: viewer.say('payments') },
    flash: { kind: 'done', text: 'The callback was sent again, and the endpoint answered 200.' },
    content: `<div class="columns">${values.section('Payment', facts)}${values.section('History', history)}</div>`,
  }
}

function form(viewer: Viewer): Content {
  const options = STATUSES.map((status) => [status, status] as const)
  const content = actionForm(
    { viewer, formToken: 'token', idempotencyKey: 'key' },
    {
      action: '/payment',
      willHappen: 'The payout becomes FAILED, and KES 1,500.00 return to the wallet of Duka la Mfano.',
      fields: [
        { name: 'outcome', label: 'Outcome', type: 'select', options },
        { name: 'fee', label: 'Fee of the operator', type: 'amount', hint: 'As on its statement', isOptional: true },
        { name: 'note', label: 'Note', type: 'textarea', isOptional: true },
        { name: 'checked', label: 'I have seen the statement of the operator', type: 'checkbox' },
      ],
      asksReason: true,
      values: { outcome: 'FAILED', fee: '1o', reason: 'x' },
      errors: { '': 'The payment has changed.', fee: 'The fee is not an amount.', reason: 'The reason is too short.' },
      submit: 'Settle as failed',
      isDangerous: true,
      cancel: '/payment',
    },
  )
  return {
    navigation: { audience: 'staff', at: 'payments' },
    title: 'Settle MLP-8F3K2',
    flash: { kind: 'failed', text: 'The rail did not answer.' },
    content: values.section(undefined, content),
  }
}

function today(viewer: Viewer): Content {
  const shares = [
    { name: 'mpesa_ke', part: 11_203, whole: 11_998, href: '/list' },
    { name: 'mtn_ug', part: 402, whole: 1_020, isLow: true },
    { name: 'airtel_tz', part: 0, whole: 0 },
  ]
  const cards = [
    values.section(undefined, barChart(viewer, 'Payments a day', DAYS)),
    values.section('Success', shareBars(viewer, shares)),
    values.section('Volume', `<p class="figure">${viewer.money(MOST)}</p>`),
    values.section(undefined, barChart(viewer, 'Payments a day', [])),
  ]
  const text = 'A payout waits here when it is as large as a rule says. Rules are set for each merchant.'
  const empty = values.emptyState({ title: 'No approval waits', text, next: { href: '/list', text: 'Set a rule' } })
  return {
    navigation: { audience: 'staff', at: 'today' },
    title: viewer.say('today'),
    content: `<div class="columns">${cards.join('')}</div>${empty}`,
  }
}
