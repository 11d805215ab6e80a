import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { sendAdminReply } from '../../api/serve-admin-api.ts'
import { amountOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { fieldOf, type Field } from '../look/form.ts'
import { table } from '../look/table.ts'
import { button, emptyState, section } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { TEXTS } from './texts.ts'

type Statement = AdminData<'showStatement'>
type Wallet = Statement['wallets'][number]

/** A month of a merchant as its statement; staff choose the merchant, its own people have theirs. */
export function serveStatement(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page } = consoleRoutes(app, deps)
  const isStaff = deps.audience === 'staff'
  const path = isStaff ? '/reports/statements' : '/statement'
  const at = isStaff ? 'reports' : 'statement'
  page({ url: path, at, handle: (opened) => statementPage(deps, path, opened) })
  page({
    url: `${path}.csv`,
    at,
    handle: async (opened) =>
      sendAdminReply(opened.reply, await opened.stream('exportStatement', { params: chosen(deps, opened) })),
  })
}

/** The month of the address, else the present one; the merchant of the address, else that of the person. */
const chosen = ({ clock }: ConsoleDeps, { query, actor }: Opened) => ({
  merchant: actor.kind === 'merchant' ? String(actor.merchantId) : (query.get('merchant') ?? ''),
  month: query.get('month') ?? clock.now().toISOString().slice(0, 7),
})

async function statementPage(deps: ConsoleDeps, path: string, opened: Opened) {
  const { viewer, show, actor } = opened
  const say = viewer.texts(TEXTS)
  const params = chosen(deps, opened)
  const isStaff = actor.kind !== 'merchant'
  const title =
    params.merchant === '' ? say('statements') : say('statementOf', { month: monthText(viewer, params.month) })
  const parts = {
    title,
    ...(isStaff && { back: { href: '/reports', text: say('title') } }),
  }
  const form = chooser(deps, path, opened, params, isStaff)
  if (params.merchant === '') return { ...parts, content: html`<p class="soft">${say('statementIntro')}</p>!${form}` }
  const statement = await show('showStatement', { params })
  const file = `${path}.csv?${new URLSearchParams(params).toString()}`
  return {
    ...parts,
    aside: button({ href: file, text: say('csv') }),
    content: html`!${form}!${body(viewer, statement)}`,
  }
}

/** The first of the month in words, `November 2026`; what is no month stays as it is. */
function monthText({ language }: Viewer, month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`)
  return Number.isNaN(first.getTime())
    ? month
    : new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first)
}

const MONTHS_OFFERED = 24

function chooser(
  { clock }: ConsoleDeps,
  path: string,
  { viewer }: Opened,
  values: { readonly merchant: string; readonly month: string },
  isStaff: boolean,
): string {
  const say = viewer.texts(TEXTS)
  const now = clock.now()
  const months = Array.from({ length: MONTHS_OFFERED }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7)
    return [month, monthText(viewer, month)] as const
  })
  const merchant: Field = { name: 'merchant', label: say('whichMerchant'), lengthMax: 64, autocomplete: 'off' }
  const month: Field = { name: 'month', label: say('month'), type: 'select', options: months }
  return html`<div class="filters"><form action="${path}">!${isStaff ? fieldOf(viewer, merchant, values.merchant) : ''}!${fieldOf(viewer, month, values.month)}<button class="primary">${say('showStatement')}</button></form></div>`
}

function body(viewer: Viewer, { merchant_name: merchant, month, wallets }: Statement): string {
  const say = viewer.texts(TEXTS)
  const used = wallets.filter(({ opening_balance: opening, movements }) => opening !== 0 || movements.length > 0)
  if (used.length === 0) return emptyState({ title: say('empty'), text: say('emptyText') })
  return html`<p>${say('statementFor', { merchant, month: monthText(viewer, month) })}</p>!${used
    .map((wallet) => section(`${wallet.currency}, ${say(wallet.wallet)}`, walletTable(viewer, wallet)))
    .join('')}<p class="soft">${say('print')}</p>`
}

function walletTable(viewer: Viewer, wallet: Wallet): string {
  const say = viewer.texts(TEXTS)
  const { currency, opening_balance: opening, closing_balance: closing, movements, wallet: purpose } = wallet
  const rows = [
    { what: say('opening'), count: '', amount: opening },
    ...movements.map(({ kind, count, amount }) => ({
      what: kindText(viewer, kind),
      count: viewer.number(count),
      amount,
    })),
  ]
  return table({
    caption: `${currency}, ${say(purpose)}`,
    rows,
    columns: [
      { title: say('movement'), cell: ({ what }) => html`${what}` },
      { title: say('count'), cell: ({ count }) => count, isNumeric: true },
      {
        title: say('amount'),
        cell: ({ amount }) => amountOf(viewer, amount, currency),
        isNumeric: true,
      },
    ],
    totals: [html`<b>${say('closing')}</b>`, '', html`<b>!${amountOf(viewer, closing, currency)}</b>`],
  })
}

/** Kinds of transfers in words; others have their name in the ledger. */
function kindText(viewer: Viewer, kind: string): string {
  const say = viewer.texts(TEXTS)
  switch (kind) {
    case 'collection':
      return say('collection_kind')
    case 'payout':
      return say('payout_kind')
    case 'payout_late':
    case 'deposit':
    case 'wallet_transfer':
      return say(kind)
    default:
      return say('other', { kind })
  }
}
