import { html } from 'ghtml'
import { money as moneyOf } from '../../../../domain/money.ts'
import type { RenderedPage } from '../../../../payment-page/layout.ts'
import { barChart, shareBars, sparkline, type DayCount } from '../charts.ts'
import { filterBar } from '../filter-bar.ts'
import { actionForm } from '../form.ts'
import { pageTexts, type Language } from '../languages.ts'
import { consolePage, type ConsolePage } from '../page.ts'
import { pager, table, type Column } from '../table.ts'
import {
  badge,
  button,
  copyable,
  emptyState,
  facts,
  maskedAccount,
  money,
  section,
  statusBadge,
  timeline,
  when,
} from '../values.ts'
import { viewerOf, type Viewer } from '../viewer.ts'

// For tests: pages that show every piece, with the longest values that they get.

/** As each page has its own. */
const TEXTS = pageTexts({
  en: {
    created: 'Created',
    customer: 'Customer',
    status: 'Status',
    provider: 'Provider',
    from: 'From',
    until: 'Until',
    least: 'Amount from',
    amount: 'Amount',
  },
  fr: {
    created: 'Créé',
    customer: 'Client',
    status: 'État',
    provider: 'Opérateur',
    from: 'Du',
    until: 'Au',
    least: 'Montant dès',
    amount: 'Montant',
  },
})

const NOW = new Date('2026-11-27T16:04:05Z')
const STATUSES = ['COMPLETED', 'PROCESSING', 'FAILED', 'PENDING', 'CANCELLED'] as const
const PAYMENTS = STATUSES.map((status, at) => ({
  reference: `ORDER-2026-11-${1000 + at}${at === 2 ? '-A-REFERENCE-THAT-IS-AS-LONG-AS-ONE-MAY-BE-AT-ALL' : ''}`,
  status,
  account: `25470000012${at}`,
  provider: at === 2 ? 'standard_bank_za' : 'mpesa_ke',
  amount: moneyOf(at === 1 ? 1_234_567_890_12n : 150_000n * BigInt(at + 1), at === 3 ? 'UGX' : 'KES'),
  createdAt: new Date(NOW.getTime() - at * 86_400_000),
}))
type Payment = (typeof PAYMENTS)[number]

const DAYS: readonly DayCount[] = Array.from({ length: 30 }, (_, at) => ({
  day: new Date(NOW.getTime() - (29 - at) * 86_400_000).toISOString().slice(0, 10),
  completed: at % 7 === 0 ? 0 : 320 + ((at * 137) % 290),
  failed: (at * 53) % 61,
}))

export type GalleryPage = keyof typeof PAGES

/** One page. */
export function gallery(name: GalleryPage, language: Language, query = new URLSearchParams()): RenderedPage {
  const viewer = viewerOf(language, 'Africa/Dar_es_Salaam')
  const page = PAGES[name](viewer, query)
  return consolePage({
    viewer,
    person: {
      name: 'Wanjiru wa Mwangi',
      role: 'finance',
      formToken: 'token',
      ...(page.navigation.audience === 'merchant' && { merchant: 'Duka la Mfano' }),
    },
    isSandbox: true,
    url: `/${name}?${query.toString()}`,
    ...page,
  })
}

type Content = Pick<ConsolePage, 'navigation' | 'title' | 'content'> & Partial<ConsolePage>

const PAGES = {
  list: (viewer: Viewer, query: URLSearchParams): Content => ({
    navigation: { audience: 'staff', at: 'payments', counts: { approvals: 3, reconciliation: 1200 } },
    title: viewer.say('payments'),
    searched: query.get('q') ?? '',
    aside: button({ href: '/payments.csv', text: 'CSV' }),
    content: `${listFilters(viewer, query)}${table({ caption: viewer.say('payments'), columns: columnsFor(viewer), rows: PAYMENTS, href: ({ reference }) => `/payments/${reference}`, totals: ['Total', '', '', '', '', viewer.money(moneyOf(1_234_567_890_12n, 'KES'))] })}${pager(viewer, { count: PAYMENTS.length, first: '/payments', next: '/payments?before=4' })}`,
  }),
  payment: (viewer: Viewer): Content => ({
    navigation: { audience: 'merchant', at: 'payments', counts: { approvals: 1 } },
    title: 'ORDER-2026-11-1001',
    heading: html`ORDER-2026-11-1001 !${statusBadge('PROCESSING')}`,
    back: { href: '/payments', text: viewer.say('payments') },
    flash: { kind: 'done', text: 'The callback was sent again, and the endpoint answered 200.' },
    content: `<div class="columns">${section('Payment', paymentFacts(viewer))}${section('History', history(viewer))}</div>`,
  }),
  form: (viewer: Viewer): Content => ({
    navigation: { audience: 'staff', at: 'payments' },
    title: 'Settle MLP-8F3K2',
    flash: { kind: 'failed', text: 'The rail did not answer.' },
    content: section(undefined, settleForm(viewer)),
  }),
  today: (viewer: Viewer): Content => ({
    navigation: { audience: 'staff', at: 'today' },
    title: viewer.say('today'),
    content: `<div class="columns">${section(undefined, barChart(viewer, 'Payments a day', DAYS))}${section('Success', shareBars(viewer, SHARES))}${section(
      'Volume',
      html`<p class="figure">!${money(viewer, moneyOf(1_234_567_00n, 'KES'))}</p><p>!${sparkline(
        viewer,
        'Volume',
        DAYS.map(({ completed }) => completed),
      )} <small>30 days</small></p>`,
    )}</div>${emptyState({ title: 'No approval waits', text: 'A payout waits here when it is as large as a rule says, for 24 hours. Rules are set for each merchant.', next: { href: '/merchants', text: 'Set a rule' } })}${section('Empty', barChart(viewer, 'Payments a day', []))}`,
  }),
} as const

export const GALLERY_PAGES = Object.keys(PAGES) as readonly GalleryPage[]

const SHARES = [
  { name: 'mpesa_ke', part: 11_203, whole: 11_998, href: '/rails/mpesa_ke' },
  { name: 'mtn_ug', part: 402, whole: 1_020, isLow: true },
  { name: 'airtel_tz', part: 0, whole: 0 },
]

function columnsFor(viewer: Viewer): readonly Column<Payment>[] {
  const say = viewer.texts(TEXTS)
  return [
    { title: 'Reference', cell: ({ reference }) => html`${reference}` },
    { title: say('status'), cell: ({ status }) => statusBadge(status), onPhone: 'left' },
    { title: say('created'), cell: ({ createdAt }) => when(viewer, createdAt), onPhone: 'right' },
    { title: say('customer'), cell: ({ account }) => maskedAccount(viewer, account) },
    { title: say('provider'), cell: ({ provider }) => html`${provider}` },
    { title: say('amount'), cell: ({ amount }) => money(viewer, amount), isNumeric: true, onPhone: 'beside' },
  ]
}

function listFilters(viewer: Viewer, query: URLSearchParams): string {
  const say = viewer.texts(TEXTS)
  return filterBar(viewer, {
    action: '/payments',
    query,
    fields: [
      { name: 'status', label: say('status'), type: 'select', options: STATUSES.map((status) => [status, status]) },
      { name: 'from', label: say('from'), type: 'date' },
      { name: 'until', label: say('until'), type: 'date' },
      { name: 'least', label: say('least'), type: 'amount' },
    ],
    views: [
      { text: viewer.say('any'), query: '' },
      { text: viewer.say('failed'), query: 'status=FAILED' },
    ],
  })
}

const paymentFacts = (viewer: Viewer): string =>
  facts([
    { name: 'Amount', value: money(viewer, moneyOf(150_000n, 'KES')) },
    { name: 'Customer', value: maskedAccount(viewer, '254700000123', '/payments/1/account') },
    { name: 'Internal reference', value: copyable(viewer, 'MLP-8F3K2-9QWERTYUIOP') },
    { name: 'Created', value: when(viewer, NOW) },
    { name: 'Institution', value: undefined },
    { name: 'Outcome', value: badge('unknown', 'warn') },
  ])

const history = (viewer: Viewer): string =>
  timeline(viewer, [
    { at: NOW, title: 'Accepted', tone: 'good', detail: 'By the API, with the key <b>Production</b>' },
    {
      at: NOW,
      title: 'Sent to the operator',
      tone: 'busy',
      bodies: [
        { title: 'Request', text: '{\n  "amount": "1500",\n  "msisdn": "*********123"\n}' },
        { title: 'Response, 202', text: '{}' },
      ],
    },
    { at: NOW, title: 'Callback failed', tone: 'bad' },
    { at: NOW, title: 'Callback put off', tone: 'warn' },
    { at: NOW, title: 'Waits' },
  ])

const settleForm = (viewer: Viewer): string =>
  actionForm(viewer, {
    action: '/payments/1/settle',
    formToken: 'token',
    idempotencyKey: 'key',
    willHappen:
      'The payout becomes FAILED, and KES 1,500.00 return to the wallet of Duka la Mfano. The callback is sent. This cannot be undone.',
    fields: [
      {
        name: 'outcome',
        label: 'Outcome',
        type: 'select',
        options: [
          ['FAILED', 'FAILED'],
          ['COMPLETED', 'COMPLETED'],
        ],
      },
      { name: 'fee', label: 'Fee of the operator', type: 'amount', hint: 'As on its statement', isOptional: true },
      { name: 'note', label: 'Note', type: 'textarea', isOptional: true },
      { name: 'checked', label: 'I have seen the statement of the operator', type: 'checkbox' },
    ],
    asksReason: true,
    values: { outcome: 'COMPLETED', fee: '1o', reason: 'x' },
    errors: {
      '': 'The payment has changed since you opened it.',
      fee: 'The fee is not an amount: write 10.50.',
      reason: 'Give a reason of 3 to 500 characters.',
    },
    submit: 'Settle as failed',
    isDangerous: true,
    cancel: '/payments/1',
  })
